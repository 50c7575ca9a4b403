//! A function marked `#[tool]`: its options, its parameters, its place in the table and in the dispatcher.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Error, FnArg, GenericArgument, Ident, ImplItemFn, Lifetime, LitStr, Pat, PatType, Path, PathArguments,
    Receiver, ReturnType, Signature, Type, TypeImplTrait, TypeReference, parse_quote,
};

use crate::docs;
use crate::errors::Errors;
use crate::member::{self, Member};
use crate::naming;
use crate::options::Options;
use crate::property::{self, Property, local};

const OPTIONS: &[&str] = &[
    "name",
    "any_name",
    "title",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "icon",
    "meta",
    "additional_properties",
];
const STRAY: &str = "`#[tool]` goes on a function inside an `impl` block marked `#[toolset]`";

/// A function that is a tool.
pub(crate) struct Tool {
    pub(crate) function: Ident,
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) name: LitStr,
    description: String,
    members: Vec<Member>,
    additional_properties: bool,
    has_receiver: bool,
    pub(crate) is_async: bool,
    parameters: Vec<Parameter>,
    output: Output,
}

/// What a parameter is given.
enum Parameter {
    Context,
    Argument(Box<Property>),
}

/// What a function returns, as far as its syntax tells.
enum Output {
    Nothing,
    NothingOrError,
    Never,
    /// `Json<..>`, or a `Result` with it: what is returned, and what is in it.
    Structured(Box<Type>, Box<Type>),
    Value(Box<Type>),
}

/// Expands a `#[tool]` that no `#[toolset]` has taken away.
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

/// Reads a function that is marked as a tool, and takes away what the compiler would refuse.
pub(crate) fn validate(function: &mut ImplItemFn, marks: &[Attribute], errors: &mut Errors) -> Tool {
    let mut options = Options::new("tool", OPTIONS).with_repeated(&["icon"]);
    for mark in marks {
        options.read(mark, errors);
    }
    if let [_, second, ..] = marks {
        errors.refuse(second, "`#[tool]` is given twice: one takes all the options");
    }
    let signature = &mut function.sig;
    refuse_qualifiers("a tool", signature, errors);
    let parameters = parameters(signature, errors);
    let name = name(&signature.ident, &options, errors);
    let description = docs::description(&function.attrs, errors);
    if description.is_none() {
        errors.refuse(
            &signature.ident,
            "a tool needs a description: write a doc comment that says what it does and when to use it",
        );
    }
    Tool {
        function: signature.ident.clone(),
        conditions: conditions(&function.attrs),
        name,
        description: description.unwrap_or_default(),
        members: member::members(&options, errors),
        additional_properties: options.flag("additional_properties", errors).unwrap_or(false),
        has_receiver: signature.receiver().is_some(),
        is_async: signature.asyncness.is_some(),
        parameters,
        output: Output::of(&signature.output),
    }
}

fn name(function: &Ident, options: &Options, errors: &mut Errors) -> LitStr {
    let given = options.text("name", errors);
    let any = options.flag("any_name", errors).unwrap_or(false);
    if let (Some(setting), None) = (options.setting("any_name"), options.setting("name")) {
        errors.refuse(setting, "`any_name` goes with `name = \"..\"`");
    }
    let name = given.unwrap_or_else(|| naming::of(function, naming::as_written));
    if any && !naming::is_specified(&name.value()) {
        errors.refuse(&name, "the name of a tool is 1 to 128 of `A-Z a-z 0-9 _ - .`");
    } else if !any && !naming::is_portable(&name.value()) {
        errors.refuse(
            &name,
            "the name of a tool is 1 to 64 of `A-Z a-z 0-9 _ -`; \
             `any_name` beside `name = \"..\"` allows 128 and `.`, which some clients refuse",
        );
    }
    name
}

/// Refuses what no function that clients call may be.
pub(crate) fn refuse_qualifiers(what: &str, signature: &Signature, errors: &mut Errors) {
    if let Some(token) = &signature.unsafety {
        errors.refuse(token, format_args!("{what} is not `unsafe`: any client may call it"));
    }
    if !signature.generics.params.is_empty() {
        errors.refuse(
            &signature.generics.params,
            format_args!("{what} has no generic parameters; leave lifetimes out, and put types on the `impl` block"),
        );
    }
}

/// Reads the parameters of a tool, and takes away what the compiler would refuse on them.
fn parameters(signature: &mut Signature, errors: &mut Errors) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for input in &mut signature.inputs {
        match input {
            FnArg::Receiver(receiver) => refuse_owned("a tool", receiver, errors),
            FnArg::Typed(typed) => {
                if is_context(&typed.ty) {
                    refuse_options_of_context("a tool", typed, parameters.iter().any(Parameter::is_context), errors);
                    parameters.push(Parameter::Context);
                } else {
                    parameters.extend(parameter(typed, errors));
                }
            }
        }
    }
    strip(signature);
    let names = parameters.iter().filter_map(Parameter::argument).map(|property| &property.name);
    naming::distinct("an argument", names, errors);
    parameters
}

/// Refuses a receiver that is neither `&self` nor `&mut self`.
pub(crate) fn refuse_owned(what: &str, receiver: &Receiver, errors: &mut Errors) {
    let is_borrowed = match &*receiver.ty {
        Type::Reference(reference) => property::last_segment(&reference.elem).is_some_and(|last| last.ident == "Self"),
        _ => false,
    };
    if !is_borrowed {
        errors.refuse(receiver, format_args!("{what} takes `&self`, `&mut self` or no receiver"));
    }
}

fn parameter(typed: &mut PatType, errors: &mut Errors) -> Option<Parameter> {
    refuse_conditional("a tool", typed, errors);
    refuse_opaque("a tool", &mut typed.ty, errors);
    match &*typed.pat {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            let property = Property::new(&pattern.ident, &typed.ty, &typed.attrs, naming::as_written, errors);
            Some(Parameter::Argument(Box::new(property)))
        }
        pattern => {
            errors.refuse(pattern, "a parameter of a tool is a name: take it apart in the function");
            None
        }
    }
}

/// Refuses what a `Context` cannot have, and a second one.
pub(crate) fn refuse_options_of_context(what: &str, typed: &PatType, is_second: bool, errors: &mut Errors) {
    refuse_conditional(what, typed, errors);
    if let Some(option) = typed.attrs.iter().find(|attribute| attribute.path().is_ident("argument")) {
        errors.refuse(option, "the `Context` is no argument: it takes no options");
    }
    if let Type::Reference(TypeReference { mutability: Some(token), .. }) = &*typed.ty {
        errors.refuse(token, "the `Context` is taken by shared reference: `&Context<'_>`");
    }
    if is_second {
        errors.refuse(&typed.ty, format_args!("{what} has one `Context`"));
    }
}

/// Whether a type is `&Context<'_>`, by any path.
pub(crate) fn is_context(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => {
            property::last_segment(&reference.elem).is_some_and(|last| last.ident == "Context")
        }
        _ => false,
    }
}

/// Refuses a parameter that is there on a condition only.
pub(crate) fn refuse_conditional(what: &str, typed: &PatType, errors: &mut Errors) {
    if let Some(condition) = typed.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")) {
        let sentence = format_args!("a parameter of {what} is unconditional; put the `#[cfg(..)]` on the function");
        errors.refuse(condition, sentence);
    }
}

/// Refuses every `impl Trait` in the type of a parameter.
pub(crate) fn refuse_opaque(what: &str, ty: &mut Type, errors: &mut Errors) {
    Opaque(what, errors).visit_type_mut(ty);
}

struct Opaque<'a>(&'a str, &'a mut Errors);

impl VisitMut for Opaque<'_> {
    fn visit_type_impl_trait_mut(&mut self, ty: &mut TypeImplTrait) {
        let Self(what, errors) = self;
        errors.refuse(&*ty, format_args!("a parameter of {what} has one type, not `impl Trait`"));
    }
}

/// Removes from the parameters what only the macros understand.
pub(crate) fn strip(signature: &mut Signature) {
    for input in &mut signature.inputs {
        let (FnArg::Receiver(Receiver { attrs, .. }) | FnArg::Typed(PatType { attrs, .. })) = input;
        attrs.retain(|attribute| !property::describes(attribute));
    }
}

/// The conditions under which an item is there.
pub(crate) fn conditions(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}

impl Tool {
    /// Its entry in the table.
    pub(crate) fn entry(&self, root: &Path) -> TokenStream {
        let Self { conditions, description, additional_properties, .. } = self;
        let name = self.name.value();
        let elided: Lifetime = parse_quote!('_);
        let members = self.members.iter().map(|member| member.entry(root)).chain(self.output.member(root));
        let properties = self.arguments().map(|property| property.entry(root, &elided));
        quote! {
            #(#conditions)*
            #root::tool::Tool {
                name: #name,
                description: #description,
                input: #root::schema::Object {
                    properties: &[#(#properties),*],
                    additional_properties: #additional_properties,
                },
                more: &[#(#members),*],
            }
        }
    }

    /// Its arm in the dispatcher. One that may wait does so until there is room for the answer.
    pub(crate) fn arm(&self, pattern: &TokenStream, may_wait: bool, root: &Path) -> TokenStream {
        let (conditions, function) = (&self.conditions, &self.function);
        let [arguments, context] = ["arguments", "context"].map(local);
        let properties: Vec<_> = self.arguments().collect();
        let (selection, decoded) = property::decoding(&properties, &quote!(#arguments.values()), root);
        let names: Vec<_> = (0..decoded.len()).map(|position| local(&format!("argument_{position}"))).collect();
        let mut unpassed = names.iter();
        let receiver = self.has_receiver.then(|| quote!(self));
        let passed = self.parameters.iter().map(|parameter| match parameter {
            Parameter::Context => quote!(&#context),
            Parameter::Argument(_) => unpassed.next().to_token_stream(),
        });
        let passed = receiver.into_iter().chain(passed);
        let wait = self.is_async.then(|| quote!(.await));
        let returned = quote!(Self::#function(#(#passed),*) #wait);
        let ready = may_wait.then(|| quote!(#context.ready().await;));
        let replied = self.output.reply(&returned, ready.as_ref(), &context, root);
        quote! {
            #(#conditions)* #pattern => {
                #selection
                #(let ::core::option::Option::Some(#names) = #decoded else { return #context.internal_error(); };)*
                #replied
            }
        }
    }

    /// Whether its result may be one that only displays itself.
    pub(crate) fn may_be_text(&self) -> bool {
        matches!(self.output, Output::Value(_))
    }

    fn arguments(&self) -> impl Iterator<Item = &Property> {
        self.parameters.iter().filter_map(Parameter::argument)
    }
}

impl Parameter {
    fn argument(&self) -> Option<&Property> {
        match self {
            Self::Argument(property) => Some(property),
            Self::Context => None,
        }
    }

    fn is_context(&self) -> bool {
        self.argument().is_none()
    }
}

impl Output {
    fn of(output: &ReturnType) -> Self {
        let ReturnType::Type(_, ty) = output else { return Self::Nothing };
        match &**ty {
            Type::Never(_) => Self::Never,
            ty if is_unit(ty) => Self::Nothing,
            ty if is_unit_result(ty) => Self::NothingOrError,
            other => match structured(other) {
                Some(inner) => Self::Structured(ty.clone(), Box::new(inner.clone())),
                None => Self::Value(ty.clone()),
            },
        }
    }

    /// The entry that says what the result is, in the table of its tool.
    fn member(&self, root: &Path) -> Option<TokenStream> {
        let Self::Structured(_, ty) = self else { return None };
        let place = property::at(ty);
        let root = property::placed(root, place);
        Some(quote_spanned!(place=> #root::tool::Member::output(<#ty as #root::Schema>::SCHEMA)))
    }

    /// The end of an arm: the call, and the reply with what it returned, once all is ready for that.
    fn reply(&self, call: &TokenStream, ready: Option<&TokenStream>, context: &Ident, root: &Path) -> TokenStream {
        let returned = local("returned");
        match self {
            Self::Nothing => quote!(#call; #ready #root::tool::Returned(#root::tool::Nothing).reply(&#context)),
            Self::NothingOrError => quote! {
                let #returned = #root::tool::Returned(#call.map(|()| #root::tool::Nothing));
                #ready
                #returned.reply(&#context)
            },
            Self::Never => quote!(#call),
            Self::Structured(ty, _) | Self::Value(ty) => {
                let function = Ident::new("reply", property::at(ty));
                quote! {
                    let #returned = #root::tool::Returned(#call);
                    #ready
                    #returned.#function(&#context)
                }
            }
        }
    }
}

/// What is in `Json<..>`, by any path, and also as what a `Result` has.
fn structured(ty: &Type) -> Option<&Type> {
    let last = property::last_segment(ty)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let Some(GenericArgument::Type(first)) = arguments.args.first() else { return None };
    match () {
        () if last.ident == "Json" => Some(first),
        () if last.ident == "Result" => match property::last_segment(first) {
            Some(inner) if inner.ident == "Json" => structured(first),
            _ => None,
        },
        () => None,
    }
}

fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Whether a type is a path to some `Result<(), ..>`.
fn is_unit_result(ty: &Type) -> bool {
    let Some(last) = property::last_segment(ty) else { return false };
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) if last.ident == "Result" => {
            matches!(arguments.args.first(), Some(GenericArgument::Type(ty)) if is_unit(ty))
        }
        _ => false,
    }
}
