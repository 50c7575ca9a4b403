//! A function marked `#[prompt]`: its options, its arguments, its place in the table and in the dispatcher.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::{Attribute, Error, Expr, FnArg, Ident, ImplItemFn, LitStr, Pat, PatType, Path, Type};

use crate::docs;
use crate::errors::Errors;
use crate::naming;
use crate::options::Options;
use crate::property::{at, local, option};
use crate::tool::{
    conditions, is_context, refuse_conditional, refuse_opaque, refuse_options_of_context, refuse_owned,
    refuse_qualifiers, strip,
};

const OPTIONS: &[&str] = &["name", "title"];
const STRAY: &str = "`#[prompt]` goes on a function inside an `impl` block marked `#[toolset]`";

/// How many arguments the core has room for.
const MAX_ARGUMENTS: usize = 8;

/// A function that is a prompt.
pub(crate) struct Prompt {
    function: Ident,
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) name: LitStr,
    title: Option<LitStr>,
    description: String,
    has_receiver: bool,
    pub(crate) is_async: bool,
    parameters: Vec<Parameter>,
}

/// A parameter of a prompt's function.
enum Parameter {
    Context,
    Argument(Box<Argument>),
}

struct Argument {
    name: LitStr,
    description: Option<String>,
    ty: Type,
    suggested: Option<Expr>,
}

/// Expands a `#[prompt]` that no `#[toolset]` has taken away.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    errors.add(Error::new(Span::call_site(), STRAY));
    match syn::parse2::<ImplItemFn>(item.clone()) {
        Ok(mut function) => {
            strip(&mut function.sig);
            quote!(#errors #function)
        }
        Err(_) => quote!(#errors #item),
    }
}

/// Reads a function that is marked as a prompt, and takes away what the compiler would refuse.
pub(crate) fn validate(function: &mut ImplItemFn, marks: &[Attribute], errors: &mut Errors) -> Prompt {
    let mut options = Options::new("prompt", OPTIONS);
    for mark in marks {
        options.read(mark, errors);
    }
    if let [_, second, ..] = marks {
        errors.refuse(second, "`#[prompt]` is given twice: one takes all the options");
    }
    let signature = &mut function.sig;
    refuse_qualifiers("a prompt", signature, errors);
    let mut parameters = Vec::new();
    for input in &mut signature.inputs {
        match input {
            FnArg::Receiver(receiver) => refuse_owned("a prompt", receiver, errors),
            FnArg::Typed(typed) if is_context(&typed.ty) => {
                refuse_options_of_context("a prompt", typed, parameters.iter().any(Parameter::is_context), errors);
                parameters.push(Parameter::Context);
            }
            FnArg::Typed(typed) => {
                parameters.extend(argument(typed, errors).map(|argument| Parameter::Argument(Box::new(argument))));
            }
        }
    }
    strip(signature);
    let arguments = || parameters.iter().filter_map(Parameter::argument);
    naming::distinct("an argument", arguments().map(|argument| &argument.name), errors);
    if arguments().count() > MAX_ARGUMENTS {
        errors.refuse(&signature.ident, format_args!("a prompt has at most {MAX_ARGUMENTS} arguments"));
    }
    let description = docs::description(&function.attrs, errors);
    if description.is_none() {
        errors.refuse(&signature.ident, "a prompt needs a description: write a doc comment that says what it is for");
    }
    Prompt {
        function: signature.ident.clone(),
        conditions: conditions(&function.attrs),
        name: options.text("name", errors).unwrap_or_else(|| naming::of(&signature.ident, naming::as_written)),
        title: options.text("title", errors),
        description: description.unwrap_or_default(),
        has_receiver: signature.receiver().is_some(),
        is_async: signature.asyncness.is_some(),
        parameters,
    }
}

fn argument(typed: &mut PatType, errors: &mut Errors) -> Option<Argument> {
    refuse_conditional("a prompt", typed, errors);
    refuse_opaque("a prompt", &mut typed.ty, errors);
    let mut options = Options::new("argument", &["rename", "suggest"]);
    for attribute in typed.attrs.iter().filter(|attribute| attribute.path().is_ident("argument")) {
        options.read(attribute, errors);
    }
    match &*typed.pat {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => Some(Argument {
            name: options.text("rename", errors).unwrap_or_else(|| naming::of(&pattern.ident, naming::as_written)),
            description: docs::description(&typed.attrs, errors),
            ty: (*typed.ty).clone(),
            suggested: options.value("suggest", errors),
        }),
        pattern => {
            errors.refuse(pattern, "a parameter of a prompt is a name: take it apart in the function");
            None
        }
    }
}

impl Parameter {
    const fn is_context(&self) -> bool {
        matches!(self, Self::Context)
    }

    fn argument(&self) -> Option<&Argument> {
        match self {
            Self::Context => None,
            Self::Argument(argument) => Some(argument),
        }
    }
}

impl Argument {
    fn entry(&self, root: &Path) -> TokenStream {
        let (name, ty) = (self.name.value(), &self.ty);
        let description = option(self.description.as_ref());
        let argument = quote_spanned!(at(ty)=> <#ty as #root::tool::TextArgument<'_>>);
        let values = match &self.suggested {
            Some(values) => quote_spanned!(at(values)=> &#values),
            None => quote!(#argument::VALUES),
        };
        quote! {
            #root::prompt::PromptArgument {
                name: #name,
                description: #description,
                required: #argument::REQUIRED,
                values: #values,
            }
        }
    }
}

impl Prompt {
    /// Whether people fill something in.
    pub(crate) fn has_arguments(&self) -> bool {
        self.arguments().next().is_some()
    }

    fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parameters.iter().filter_map(Parameter::argument)
    }

    /// Its entry in the table.
    pub(crate) fn entry(&self, root: &Path) -> TokenStream {
        let Self { conditions, description, .. } = self;
        let name = self.name.value();
        let title = option(self.title.as_ref().map(LitStr::value));
        let arguments = self.arguments().map(|argument| argument.entry(root));
        quote! {
            #(#conditions)*
            #root::prompt::Prompt {
                name: #name,
                title: #title,
                description: #description,
                arguments: &[#(#arguments),*],
            }
        }
    }

    /// Its arm in the dispatcher. One that may wait does so until there is room for the answer.
    pub(crate) fn arm(&self, pattern: &TokenStream, may_wait: bool, root: &Path) -> TokenStream {
        let (function, conditions) = (&self.function, &self.conditions);
        let [arguments, prompting] = ["arguments", "prompting"].map(local);
        let names: Vec<_> =
            (0..self.arguments().count()).map(|position| local(&format!("argument_{position}"))).collect();
        let values = (!names.is_empty()).then(|| quote!(let [#(#names),*] = #arguments.values();));
        let decoded = self.arguments().zip(&names).enumerate().map(|(position, (argument, name))| {
            let ty = &argument.ty;
            let decoded = quote_spanned!(at(ty)=> #root::tool::text_argument::<#ty>(#name));
            let values = quote_spanned!(at(ty)=> <#ty as #root::tool::TextArgument<'_>>::VALUES);
            quote! {
                let ::core::option::Option::Some(#name) = #decoded else {
                    return #prompting.unfit(#position, #values);
                };
            }
        });
        let receiver = self.has_receiver.then(|| quote!(self)).into_iter();
        let mut unpassed = names.iter();
        let passed = receiver.chain(self.parameters.iter().map(|parameter| match parameter {
            Parameter::Context => quote!(#prompting.context()),
            Parameter::Argument(_) => unpassed.next().to_token_stream(),
        }));
        let send = Ident::new("send", at(function));
        let wait = self.is_async.then(|| quote!(.await));
        let ready = may_wait.then(|| quote!(#prompting.context().ready().await;));
        let returned = local("returned");
        quote! {
            #(#conditions)* #pattern => {
                #values
                #(#decoded)*
                let #returned = #root::prompt::Returned(Self::#function(#(#passed),*) #wait);
                #ready
                #returned.#send(&#prompting)
            }
        }
    }
}
