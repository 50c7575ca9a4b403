//! A function or constant marked `#[resource(..)]`: its options, its variables, its place in the table and in the dispatcher.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::{Attribute, Error, FnArg, Ident, ImplItemConst, ImplItemFn, LitStr, Pat, Path, Type};

use crate::docs;
use crate::errors::Errors;
use crate::naming;
use crate::options::Options;
use crate::property::{at, local, option};
use crate::tool::{conditions, refuse_conditional, refuse_opaque, refuse_owned, refuse_qualifiers};

const OPTIONS: &[&str] = &["uri", "name", "title", "mime_type", "constant", "subscribe"];
const STRAY: &str = "`#[resource(..)]` goes on a function or constant inside an `impl` block marked `#[toolset]`";

/// What a toolset core stores the variables of an address in.
const MAX_VARIABLES: usize = 4;

/// A function or constant that is a resource.
pub(crate) struct Resource {
    item: Ident,
    pub(crate) conditions: Vec<Attribute>,
    uri: LitStr,
    name: LitStr,
    title: Option<LitStr>,
    description: Option<String>,
    mime_type: Option<LitStr>,
    constant: bool,
    subscribe: bool,
    source: Source,
}

/// Where its contents come from.
enum Source {
    Constant,
    /// With the name and the type of each variable, and the position of the variable that each parameter stands for.
    Function {
        has_receiver: bool,
        is_async: bool,
        names: Vec<String>,
        types: Vec<Type>,
        order: Vec<usize>,
    },
}

/// Expands a `#[resource]` that no `#[toolset]` has taken away.
pub(crate) fn expand(item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    errors.add(Error::new(Span::call_site(), STRAY));
    quote!(#errors #item)
}

/// Reads a function that is marked as a resource.
pub(crate) fn of_function(function: &mut ImplItemFn, marks: &[Attribute], errors: &mut Errors) -> Resource {
    refuse_qualifiers("a resource", &function.sig, errors);
    let mut given = Vec::new();
    for input in &mut function.sig.inputs {
        let typed = match input {
            FnArg::Receiver(receiver) => {
                refuse_owned("a resource", receiver, errors);
                continue;
            }
            FnArg::Typed(typed) => typed,
        };
        refuse_conditional("a resource", typed, errors);
        refuse_opaque("a resource", &mut typed.ty, errors);
        match &*typed.pat {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                given.push((pattern.ident.clone(), (*typed.ty).clone()));
            }
            pattern => errors.refuse(pattern, "a parameter of a resource is the name of a variable of its address"),
        }
    }
    let has_receiver = function.sig.receiver().is_some();
    let is_async = function.sig.asyncness.is_some();
    let source = Source::Function { has_receiver, is_async, names: Vec::new(), types: Vec::new(), order: Vec::new() };
    let mut resource = Resource::new(&function.sig.ident, &function.attrs, marks, source, errors);
    let names = variables(&resource.uri, errors);
    for (parameter, _) in given.iter().filter(|(parameter, _)| !names.iter().any(|name| parameter == name)) {
        errors.refuse(parameter, format_args!("the address has no variable `{{{parameter}}}`"));
    }
    for name in names.iter().filter(|name| !given.iter().any(|(parameter, _)| parameter == name)) {
        errors.refuse(&resource.uri, format_args!("the variable `{{{name}}}` needs a parameter of that name"));
    }
    let position = |parameter: &Ident| names.iter().position(|name| parameter == name);
    let of = |name: &String| given.iter().find(|(parameter, _)| parameter == name);
    resource.source = Source::Function {
        has_receiver,
        is_async,
        types: names.iter().filter_map(of).map(|(_, ty)| ty.clone()).collect(),
        order: given.iter().filter_map(|(parameter, _)| position(parameter)).collect(),
        names,
    };
    resource
}

/// Reads a constant that is marked as a resource.
pub(crate) fn of_constant(constant: &ImplItemConst, marks: &[Attribute], errors: &mut Errors) -> Resource {
    let resource = Resource::new(&constant.ident, &constant.attrs, marks, Source::Constant, errors);
    if !variables(&resource.uri, errors).is_empty() {
        errors.refuse(&resource.uri, "the address of a constant has no variables");
    }
    resource
}

/// The names of the variables of an address.
fn variables(uri: &LitStr, errors: &mut Errors) -> Vec<String> {
    let text = uri.value();
    let mut names = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, behind)) = behind.split_once('}') else {
            errors.refuse(uri, "a variable of an address ends with `}`");
            return names;
        };
        refuse_end(uri, before, errors);
        if before.is_empty() && !names.is_empty() {
            errors.refuse(uri, "two variables of an address have something between them that tells where one ends");
        }
        if syn::parse_str::<Ident>(name).is_err() {
            errors.refuse(uri, "a variable of an address is `{name}`, where `name` is that of a parameter");
        } else if names.iter().any(|other| other == name) {
            errors.refuse(uri, format_args!("the variable `{{{name}}}` stands there twice"));
        } else {
            names.push(name.to_owned());
        }
        rest = behind;
    }
    refuse_end(uri, rest, errors);
    if names.len() > MAX_VARIABLES {
        errors.refuse(uri, format_args!("an address has at most {MAX_VARIABLES} variables"));
    }
    names
}

/// Refuses the end of a variable that has no start.
fn refuse_end(uri: &LitStr, literal: &str, errors: &mut Errors) {
    if literal.contains('}') {
        errors.refuse(uri, "a variable of an address starts with `{`");
    }
}

/// Refuses an address that another resource has, whatever its variables are called. Those that are there on a condition may
/// exclude each other.
pub(crate) fn distinct(resources: &[Resource], errors: &mut Errors) {
    let mut earlier = Vec::new();
    for Resource { uri, .. } in resources.iter().filter(|resource| resource.conditions.is_empty()) {
        let text = uri.value();
        let literals: Vec<_> =
            text.split('{').map(|part| part.split_once('}').map_or(part, |(_, behind)| behind)).collect();
        let shape = literals.join("{}");
        if !text.is_empty() && earlier.contains(&shape) {
            errors.refuse(uri, format_args!("there is already a resource at `{text}`: addresses must differ"));
        }
        earlier.push(shape);
    }
}

/// Whether a text has the form `scheme:rest` without characters that addresses do not have (RFC 3986).
fn is_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        && !rest.is_empty()
        && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`|".contains(&byte))
}

impl Resource {
    fn new(item: &Ident, attributes: &[Attribute], marks: &[Attribute], source: Source, errors: &mut Errors) -> Self {
        let mut options = Options::new("resource", OPTIONS);
        for mark in marks {
            options.read(mark, errors);
        }
        if let [_, second, ..] = marks {
            errors.refuse(second, "`#[resource(..)]` is given twice: one takes all the options");
        }
        let uri = options.text("uri", errors);
        match &uri {
            None => errors.refuse(item, "a resource needs an address: `#[resource(uri = \"device://log\")]`"),
            Some(uri) if !is_address(&uri.value()) => {
                errors.refuse(uri, "an address is `scheme:` and more, without spaces: `device://log`");
            }
            Some(_) => {}
        }
        let is_constant = matches!(source, Source::Constant);
        if let (Some(setting), true) = (options.setting("constant"), is_constant) {
            errors.refuse(setting, "a constant is `constant` without saying so");
        }
        let constant = is_constant || options.flag("constant", errors).unwrap_or(false);
        let subscribe = options.flag("subscribe", errors).unwrap_or(false);
        if let (Some(setting), true) = (options.setting("subscribe"), subscribe) {
            if constant {
                errors.refuse(setting, "what never changes cannot be subscribed to");
            }
            if uri.as_ref().is_some_and(|uri| uri.value().contains('{')) {
                errors.refuse(setting, "a family of resources cannot be subscribed to: its address has variables");
            }
        }
        Self {
            item: item.clone(),
            conditions: conditions(attributes),
            uri: uri.unwrap_or_else(|| LitStr::new("", item.span())),
            name: options.text("name", errors).unwrap_or_else(|| naming::of(item, naming::snake_case)),
            title: options.text("title", errors),
            description: docs::description(attributes, errors),
            mime_type: options.text("mime_type", errors),
            constant,
            subscribe,
            source,
        }
    }

    /// Whether its address has variables.
    pub(crate) fn has_variables(&self) -> bool {
        matches!(&self.source, Source::Function { names, .. } if !names.is_empty())
    }

    /// Whether its function may wait.
    pub(crate) fn is_async(&self) -> bool {
        matches!(self.source, Source::Function { is_async: true, .. })
    }

    /// Its entry in the table.
    pub(crate) fn entry(&self, root: &Path) -> TokenStream {
        let Self { item, conditions, constant, subscribe, .. } = self;
        let (uri, name) = (self.uri.value(), self.name.value());
        let text = |text: &Option<LitStr>| option(text.as_ref().map(LitStr::value));
        let (title, mime_type) = (text(&self.title), text(&self.mime_type));
        let description = option(self.description.as_ref());
        let size = match self.source {
            Source::Constant => option(Some(quote_spanned!(at(item)=> #root::resource::size(Self::#item.len())))),
            Source::Function { .. } => option(None::<TokenStream>),
        };
        let (names, types) = match &self.source {
            Source::Constant => (&[][..], &[][..]),
            Source::Function { names, types, .. } => (&names[..], &types[..]),
        };
        let variables = names.iter().zip(types).map(|(name, ty)| {
            let values = quote_spanned!(at(ty)=> <#ty as #root::tool::TextArgument<'_>>::VALUES);
            quote!(#root::resource::Variable { name: #name, values: #values })
        });
        quote! {
            #(#conditions)*
            #root::resource::Resource {
                uri: #uri,
                name: #name,
                title: #title,
                description: #description,
                mime_type: #mime_type,
                size: #size,
                variables: &[#(#variables),*],
                constant: #constant,
                subscribe: #subscribe,
            }
        }
    }

    /// Its arm in the dispatcher. One that may wait does so until there is room for the answer.
    pub(crate) fn arm(&self, pattern: &TokenStream, may_wait: bool, root: &Path) -> TokenStream {
        let (item, conditions) = (&self.item, &self.conditions);
        let [variables, reading] = ["variables", "reading"].map(local);
        let (decoding, contents) = match &self.source {
            Source::Constant => (TokenStream::new(), quote!(Self::#item)),
            Source::Function { has_receiver, is_async, types, order, .. } => {
                let variable = |position: usize| local(&format!("variable_{position}"));
                let names: Vec<_> = (0..types.len()).map(variable).collect();
                let receiver = has_receiver.then(|| quote!(self)).into_iter();
                let passed = receiver.chain(order.iter().map(|position| variable(*position).to_token_stream()));
                let wait = is_async.then(|| quote!(.await));
                let call = quote!(Self::#item(#(#passed),*) #wait);
                let values = (!names.is_empty()).then(|| quote!(let [#(#names),*] = #variables.values();));
                let decoding = quote! {
                    #values
                    #(let ::core::option::Option::Some(#names) =
                        <#types as #root::tool::TextArgument<'_>>::from_text(#names)
                    else {
                        return #reading.not_found();
                    };)*
                };
                (decoding, call)
            }
        };
        let send = Ident::new("send", at(item));
        let ready = may_wait.then(|| quote!(#reading.ready().await;));
        let returned = local("returned");
        quote! {
            #(#conditions)* #pattern => {
                #decoding
                let #returned = #root::resource::Returned(#contents);
                #ready
                #returned.#send(#reading)
            }
        }
    }
}
