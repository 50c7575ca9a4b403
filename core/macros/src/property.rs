//! A member of an object: a parameter of a tool, or a field of a struct that is an argument or a result.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, Ident, Lifetime, LitStr, Path, Type};

use crate::docs;
use crate::errors::Errors;
use crate::naming::{self, Case};
use crate::options::Options;

const OPTIONS: &[&str] = &["rename", "default", "min", "max", "min_length", "max_length", "min_items", "max_items"];
const RESULT_OPTIONS: &[&str] = &["min", "max", "min_length", "max_length", "min_items", "max_items"];

/// A member: what its table entry is made of, and how it is decoded.
pub(crate) struct Property {
    pub(crate) name: LitStr,
    description: Option<String>,
    ty: Type,
    default: Option<Expr>,
    /// Of a result: serde leaves it out at times.
    optional: bool,
    limits: Vec<Limit>,
}

/// What a property is part of: an argument, which borrows from a message for a lifetime, or a result.
#[derive(Clone, Copy)]
enum Side<'a> {
    Argument(&'a Lifetime),
    Result,
}

/// A limit, as a function of the schema of the member's type.
enum Limit {
    /// `with_minimum` or `with_maximum`.
    Bound { function: &'static str, value: Expr },
    /// `with_length` or `with_items`.
    Size { function: &'static str, min: Option<Expr>, max: Option<Expr> },
}

impl Property {
    /// Reads the attributes of a parameter or a field.
    pub(crate) fn new(ident: &Ident, ty: &Type, attributes: &[Attribute], case: Case, errors: &mut Errors) -> Self {
        let mut options = Options::new("argument", OPTIONS);
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("argument")) {
            options.read(attribute, errors);
        }
        let default = options.value("default", errors);
        if let Some(setting) = options.setting("default")
            && last_segment(ty).is_some_and(|segment| segment.ident == "Option")
        {
            errors.refuse(setting, "an `Option` is absent as `None`; give the default to the plain type");
        }
        let name = options.text("rename", errors).unwrap_or_else(|| naming::of(ident, case));
        if !naming::is_portable_key(&name.value()) {
            errors.refuse(
                &name,
                "an argument's name is 1 to 64 of `A-Z a-z 0-9 _ - .`, since model APIs refuse others; give it one with \
                 `#[argument(rename = \"..\")]`",
            );
        }
        Self {
            name,
            description: docs::description(attributes, errors),
            ty: ty.clone(),
            default,
            optional: false,
            limits: limits(&options, errors),
        }
    }

    /// Reads the attributes of a field of a result.
    pub(crate) fn of_result(
        name: LitStr,
        ty: &Type,
        attributes: &[Attribute],
        optional: bool,
        errors: &mut Errors,
    ) -> Self {
        let mut options = Options::new("schema", RESULT_OPTIONS);
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("schema")) {
            options.read(attribute, errors);
        }
        let (description, limits) = (docs::description(attributes, errors), limits(&options, errors));
        Self { name, description, ty: ty.clone(), default: None, optional, limits }
    }

    /// Its entry in the table of its object.
    pub(crate) fn entry(&self, root: &Path, lifetime: &Lifetime) -> TokenStream {
        self.entry_of(root, Side::Argument(lifetime))
    }

    /// Its entry in the table of an object that is a result.
    pub(crate) fn result_entry(&self, root: &Path) -> TokenStream {
        self.entry_of(root, Side::Result)
    }

    fn entry_of(&self, root: &Path, side: Side<'_>) -> TokenStream {
        let name = self.name.value();
        let description = option(self.description.as_ref());
        let schema = self.schema(root, side);
        let required = match self.default {
            None if !self.optional => self.associated("REQUIRED", at(&self.ty), root, side),
            _ => quote!(false),
        };
        let default = option(self.default.as_ref().map(|value| self.printer(root, value)));
        quote! {
            #root::schema::Property {
                name: #name,
                description: #description,
                schema: #schema,
                required: #required,
                default: #default,
            }
        }
    }

    /// An expression that decodes it from its optional JSON: an `Option` of its type.
    fn decoded(&self, root: &Path, value: &Ident) -> TokenStream {
        let ty = &self.ty;
        match &self.default {
            None => quote_spanned!(at(ty)=> #root::tool::argument::<#ty>(#value)),
            Some(default) => {
                let default = typed(default, ty, None);
                quote_spanned!(at(ty)=> #root::tool::argument_or::<#ty>(#value, || #default))
            }
        }
    }

    /// An associated item of its type, in an expression that stands at the given place.
    fn associated(&self, item: &str, place: Span, root: &Path, side: Side<'_>) -> TokenStream {
        let (ty, item) = (&self.ty, Ident::new(item, place));
        match side {
            Side::Argument(lifetime) => quote_spanned!(place=> <#ty as #root::Argument<#lifetime>>::#item),
            Side::Result => quote_spanned!(place=> <#ty as #root::Schema>::#item),
        }
    }

    fn schema(&self, root: &Path, side: Side<'_>) -> TokenStream {
        let schema = self.associated("SCHEMA", at(&self.ty), root, side);
        if self.limits.is_empty() {
            return schema;
        }
        let narrowed = self.limits.iter().fold(quote!(*#schema), |schema, limit| {
            let place = limit.place();
            let bound = self.associated("Bound", place, root, side);
            let (function, limits) = (Ident::new(limit.function(), place), limit.values(root, &bound));
            let root = placed(root, place);
            quote_spanned!(place=> #root::schema::Type::#function(#schema, #limits))
        });
        quote!(&#narrowed)
    }

    /// A function that prints the default.
    fn printer(&self, root: &Path, default: &Expr) -> TokenStream {
        let (value, out) = (value_at(default), local("out"));
        let root = placed(root, at(default));
        let written = quote_spanned!(at(default)=> #root::tool::DefaultValue::write_json(&#value, #out));
        let body = typed(default, &self.ty, Some(written));
        quote!(|#out| #body)
    }
}

impl Limit {
    fn function(&self) -> &'static str {
        match self {
            Self::Bound { function, .. } | Self::Size { function, .. } => function,
        }
    }

    /// Where the compiler's refusals point.
    fn place(&self) -> Span {
        match self {
            Self::Bound { value, .. } => at(value),
            Self::Size { min, max, .. } => min.as_ref().or(max.as_ref()).map_or_else(Span::mixed_site, at),
        }
    }

    /// The further arguments of the function.
    fn values(&self, root: &Path, bound: &TokenStream) -> TokenStream {
        match self {
            Self::Bound { value, .. } => {
                let value = typed(value, bound, None);
                quote_spanned!(self.place()=> #root::schema::Typed(#value).bound())
            }
            Self::Size { min, max, .. } => {
                let (min, max) = (option(min.as_ref()), option(max.as_ref()));
                quote!(#min, #max)
            }
        }
    }
}

fn limits(options: &Options, errors: &mut Errors) -> Vec<Limit> {
    let mut limits = Vec::new();
    for (name, function) in [("min", "with_minimum"), ("max", "with_maximum")] {
        limits.extend(options.value(name, errors).map(|value| Limit::Bound { function, value }));
    }
    for (min, max, function) in [("min_length", "max_length", "with_length"), ("min_items", "max_items", "with_items")]
    {
        let (min, max) = (options.value(min, errors), options.value(max, errors));
        if min.is_some() || max.is_some() {
            limits.push(Limit::Size { function, min, max });
        }
    }
    limits
}

/// Whether an attribute is for the macros only: the compiler refuses both kinds on parameters.
pub(crate) fn describes(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") || attribute.path().is_ident("argument")
}

/// The last segment of a type that is a path.
pub(crate) fn last_segment(ty: &Type) -> Option<&syn::PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        Type::Group(group) => last_segment(&group.elem),
        Type::Paren(paren) => last_segment(&paren.elem),
        _ => None,
    }
}

/// An `Option` as an expression.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// A statement that takes the optional JSON of properties from an array, and an expression for each that decodes it.
pub(crate) fn decoding(properties: &[&Property], array: &TokenStream, root: &Path) -> (TokenStream, Vec<TokenStream>) {
    let values: Vec<_> = (0..properties.len()).map(|position| local(&format!("value_{position}"))).collect();
    let decoded = properties.iter().zip(&values).map(|(property, value)| property.decoded(root, value)).collect();
    (quote!(let [#(#values),*] = #array;), decoded)
}

/// A local variable that no name in the user's code can meet.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// A block that makes an expression a value of a type, and ends with that or with what is `made` of it. The compiler
/// refuses a wrong type at the expression, and only once where such blocks are alike, as in the table and the decoder.
fn typed(expression: &Expr, ty: &impl ToTokens, made: Option<TokenStream>) -> TokenStream {
    let value = value_at(expression);
    let made = made.unwrap_or_else(|| value.to_token_stream());
    quote!({ let #value: #ty = #expression; #made })
}

/// The local variable with the value of an expression, at its place.
fn value_at(expression: &Expr) -> Ident {
    Ident::new("__value", at(expression))
}

/// The place of the user's tokens, for generated tokens that the compiler may refuse because of them. Lints still take
/// them for generated.
pub(crate) fn at(tokens: &impl ToTokens) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// A path with the user's tokens as its place.
pub(crate) fn placed(path: &Path, place: Span) -> TokenStream {
    let placed = |mut token: TokenTree| {
        token.set_span(token.span().located_at(place));
        token
    };
    path.to_token_stream().into_iter().map(placed).collect()
}
