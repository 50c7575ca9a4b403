//! `#[derive(Argument)]`: structs as objects, enums as choices of strings.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Data, DataEnum, DataStruct, DeriveInput, Field, Fields, GenericParam, Generics, Ident, Lifetime, LitStr, Path,
    Variant,
};

use crate::errors::Errors;
use crate::naming::{self, Case};
use crate::options::Options;
use crate::property::{self, Property, local};

/// What a type becomes in JSON.
enum Shape {
    Object { fields: Vec<(Ident, Property)>, additional_properties: bool },
    Choice(Vec<Choice>),
}

/// Expands the derive.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = errors.keep(syn::parse2::<DeriveInput>(item)) else { return quote!(#errors) };
    let options = container_options(&input, &mut errors);
    let root = options.root(&mut errors);
    let shape = validate(&input, &options, &mut errors);
    let (lifetime, generics) = borrowing(&input.generics);
    let target = Target { input: &input, root, lifetime, generics };
    let implementation = match shape {
        Some(shape) if errors.is_empty() => target.codegen(&shape),
        _ => target.stub(),
    };
    quote!(#errors #implementation)
}

fn container_options(input: &DeriveInput, errors: &mut Errors) -> Options {
    let allowed: &[&str] = match input.data {
        Data::Enum(_) => &["rename_all", "crate"],
        _ => &["rename_all", "additional_properties", "crate"],
    };
    let mut options = Options::new("argument", allowed);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("argument")) {
        options.read(attribute, errors);
    }
    options
}

/// Reads the type, and refuses what JSON has no counterpart for.
fn validate(input: &DeriveInput, options: &Options, errors: &mut Errors) -> Option<Shape> {
    refuse_generics(&input.generics, errors);
    let case = options.text("rename_all", errors).and_then(|name| naming::case(&name, errors));
    match &input.data {
        Data::Struct(data) => {
            let fields = fields(input, data, case.unwrap_or(naming::as_written), errors)?;
            let additional_properties = options.flag("additional_properties", errors).unwrap_or(false);
            Some(Shape::Object { fields, additional_properties })
        }
        Data::Enum(data) => choices(input, data, case.unwrap_or(naming::snake_case), errors).map(Shape::Choice),
        Data::Union(_) => {
            errors.refuse(&input.ident, "an argument is a struct with named fields or an enum without fields");
            None
        }
    }
}

fn refuse_generics(generics: &Generics, errors: &mut Errors) {
    for parameter in &generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            errors.refuse(parameter, "an argument has no type or const parameters, only a lifetime");
        }
    }
    for lifetime in generics.lifetimes().skip(1) {
        errors.refuse(lifetime, "an argument has at most one lifetime: that of the message");
    }
}

fn fields(input: &DeriveInput, data: &DataStruct, case: Case, errors: &mut Errors) -> Option<Vec<(Ident, Property)>> {
    let Fields::Named(fields) = &data.fields else {
        errors.refuse(&input.ident, "an argument is a struct with named fields: JSON needs their names");
        return None;
    };
    let mut field = |field: &Field| {
        let ident = field.ident.clone()?;
        let property = Property::new(&ident, &field.ty, &field.attrs, case, errors);
        Some((ident, property))
    };
    let fields: Vec<_> = fields.named.iter().filter_map(&mut field).collect();
    naming::distinct("a field", fields.iter().map(|(_, property)| &property.name), errors);
    Some(fields)
}

/// A variant: one of several strings.
struct Choice {
    variant: Ident,
    name: LitStr,
    /// A name for people.
    title: Option<LitStr>,
}

fn choices(input: &DeriveInput, data: &DataEnum, case: Case, errors: &mut Errors) -> Option<Vec<Choice>> {
    if data.variants.is_empty() {
        errors.refuse(&input.ident, "an argument has a value: give the enum a variant");
        return None;
    }
    let choices: Vec<_> = data.variants.iter().map(|variant| choice(variant, case, errors)).collect();
    naming::distinct("a variant", choices.iter().map(|choice| &choice.name), errors);
    Some(choices)
}

fn choice(variant: &Variant, case: Case, errors: &mut Errors) -> Choice {
    if !matches!(variant.fields, Fields::Unit) {
        errors.refuse(&variant.fields, "a variant has no fields: it is one of several strings in JSON");
    }
    let mut options = Options::new("argument", &["rename", "title"]);
    for attribute in variant.attrs.iter().filter(|attribute| attribute.path().is_ident("argument")) {
        options.read(attribute, errors);
    }
    Choice {
        variant: variant.ident.clone(),
        name: options.text("rename", errors).unwrap_or_else(|| naming::of(&variant.ident, case)),
        title: options.text("title", errors),
    }
}

/// The lifetime of the message, and the generics of the implementation: the type's own lifetime, or one more.
fn borrowing(generics: &Generics) -> (Lifetime, Generics) {
    let mut all = generics.clone();
    if let (Some(own), 1) = (generics.lifetimes().next(), generics.params.len()) {
        return (own.lifetime.clone(), all);
    }
    let lifetime = Lifetime::new("'message", Span::mixed_site());
    all.params.insert(0, GenericParam::Lifetime(syn::LifetimeParam::new(lifetime.clone())));
    (lifetime, all)
}

/// The type that gains an implementation.
struct Target<'a> {
    input: &'a DeriveInput,
    root: Path,
    lifetime: Lifetime,
    generics: Generics,
}

impl Target<'_> {
    fn codegen(&self, shape: &Shape) -> TokenStream {
        match shape {
            Shape::Object { fields, additional_properties } => self.object(fields, *additional_properties),
            Shape::Choice(choices) => {
                let (choice, default) = (self.choice(choices), self.default_value(choices));
                quote!(#choice #default)
            }
        }
    }

    fn object(&self, fields: &[(Ident, Property)], additional_properties: bool) -> TokenStream {
        let (root, [object, value]) = (&self.root, ["object", "value"].map(local));
        let properties = fields.iter().map(|(_, property)| property.entry(root, &self.lifetime));
        let schema = quote! {
            #root::schema::Type::Object(#root::schema::Object {
                properties: &[#(#properties),*],
                additional_properties: #additional_properties,
            })
        };
        let properties: Vec<_> = fields.iter().map(|(_, property)| property).collect();
        let names = properties.iter().map(|property| &property.name);
        let (selection, decoded) = property::decoding(&properties, &quote!(#object.select(&[#(#names),*])), root);
        let fields = fields.iter().map(|(field, _)| field);
        let body = quote! {
            let #object = #value.as_object()?;
            #selection
            ::core::option::Option::Some(Self { #(#fields: #decoded?),* })
        };
        let (implementation, evaluation) = (self.implementation(&schema, &body), self.evaluation());
        quote!(#implementation #evaluation)
    }

    /// A constant that makes the compiler evaluate the schema where it stands, so that limits that do not fit are
    /// refused even if nothing uses the type yet.
    fn evaluation(&self) -> TokenStream {
        let (root, ident) = (&self.root, &self.input.ident);
        let parameters = self.input.generics.lifetimes().next().map(|_| quote!(<'_>));
        quote!(const _: &#root::schema::Type = <#ident #parameters as #root::Argument<'_>>::SCHEMA;)
    }

    fn choice(&self, choices: &[Choice]) -> TokenStream {
        let (root, value) = (&self.root, local("value"));
        let names = choices.iter().map(|choice| choice.name.value());
        let schema = if choices.iter().any(|choice| choice.title.is_some()) {
            let titles = choices.iter().map(|choice| choice.title.as_ref().unwrap_or(&choice.name).value());
            quote!(#root::schema::Type::Titled(&#root::schema::Titled::new(&[#(#names),*], &[#(#titles),*])))
        } else {
            quote!(#root::schema::Type::Enum(&[#(#names),*]))
        };
        let arms = choices
            .iter()
            .enumerate()
            .map(|(index, Choice { variant, .. })| quote!(#index => ::core::option::Option::Some(Self::#variant)));
        let body = quote! {
            match <Self as #root::Argument<'_>>::SCHEMA.index_of(#value)? {
                #(#arms,)*
                _ => ::core::option::Option::None,
            }
        };
        let implementation = self.implementation(&schema, &body);
        let text = self.text_argument(choices);
        quote!(#implementation #text)
    }

    /// An enum is spelled alike where JSON takes text only.
    fn text_argument(&self, choices: &[Choice]) -> TokenStream {
        let (root, lifetime, text) = (&self.root, &self.lifetime, local("text"));
        let ident = &self.input.ident;
        let (generics, ..) = self.generics.split_for_impl();
        let (_, parameters, bounds) = self.input.generics.split_for_impl();
        let names: Vec<_> = choices.iter().map(|choice| choice.name.value()).collect();
        let variants = choices.iter().map(|choice| &choice.variant);
        quote! {
            #[automatically_derived]
            impl #generics #root::tool::TextArgument<#lifetime> for #ident #parameters #bounds {
                const VALUES: &'static [&'static str] = &[#(#names),*];

                fn from_text(#text: &#lifetime str) -> ::core::option::Option<Self> {
                    match #text {
                        #(#names => ::core::option::Option::Some(Self::#variants),)*
                        _ => ::core::option::Option::None,
                    }
                }
            }
        }
    }

    fn implementation(&self, schema: &TokenStream, body: &TokenStream) -> TokenStream {
        let (root, lifetime, value) = (&self.root, &self.lifetime, local("value"));
        let ident = &self.input.ident;
        let (generics, ..) = self.generics.split_for_impl();
        let (_, parameters, bounds) = self.input.generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #generics #root::Argument<#lifetime> for #ident #parameters #bounds {
                type Bound = #root::tool::Unbounded;
                const SCHEMA: &'static #root::schema::Type = &#schema;

                fn decode(#value: #root::json::Value<#lifetime>) -> ::core::option::Option<Self> {
                    #body
                }
            }
        }
    }

    fn default_value(&self, choices: &[Choice]) -> TokenStream {
        let (root, [name, out]) = (&self.root, ["name", "out"].map(local));
        let arms = choices.iter().map(|Choice { variant, name, .. }| {
            let name = name.value();
            quote!(Self::#variant => #name)
        });
        self.printer(
            &quote!(#out),
            &quote! {
                let #name = match self { #(#arms),* };
                #root::tool::DefaultValue::write_json(&#name, #out)
            },
        )
    }

    fn printer(&self, out: &TokenStream, body: &TokenStream) -> TokenStream {
        let (root, ident) = (&self.root, &self.input.ident);
        let (generics, parameters, bounds) = self.input.generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #generics #root::tool::DefaultValue for #ident #parameters #bounds {
                fn write_json(&self, #out: &mut dyn ::core::fmt::Write) -> ::core::fmt::Result {
                    #body
                }
            }
        }
    }

    /// Implementations that let the rest of the user's code compile after a refusal.
    fn stub(&self) -> TokenStream {
        let root = &self.root;
        let argument =
            self.implementation(&quote!(#root::schema::Type::Boolean), &quote!(::core::option::Option::None));
        let printer = self.printer(&quote!(_), &quote!(::core::result::Result::Ok(())));
        match self.input.data {
            Data::Enum(_) => quote!(#argument #printer),
            _ => argument,
        }
    }
}
