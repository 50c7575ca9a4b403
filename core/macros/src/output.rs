//! `#[derive(Schema)]`: what serde's derive prints of a type, as a schema.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{Data, DataEnum, DataStruct, DeriveInput, Field, Fields, GenericParam, Generics, LitStr, Path, Variant};

use crate::errors::Errors;
use crate::naming;
use crate::options::Options;
use crate::property::Property;
use crate::serde::{self, Case, Serde};

/// What a type becomes in JSON.
enum Shape {
    Object(Vec<Property>),
    Choice(Vec<LitStr>),
}

/// Expands the derive.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = errors.keep(syn::parse2::<DeriveInput>(item)) else { return quote!(#errors) };
    let mut options = Options::new("schema", &["crate"]);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("schema")) {
        options.read(attribute, &mut errors);
    }
    let root = options.root(&mut errors);
    let shape = validate(&input, &mut errors);
    let schema = match &shape {
        Some(Shape::Object(fields)) if errors.is_empty() => object(fields, &root),
        Some(Shape::Choice(names)) if errors.is_empty() => quote!(#root::schema::Type::Enum(&[#(#names),*])),
        // It lets the rest of the user's code compile after a refusal.
        _ => quote! {
            #root::schema::Type::Object(#root::schema::Object { properties: &[], additional_properties: true })
        },
    };
    let implementation = implementation(&input, &schema, &root);
    quote!(#errors #implementation)
}

/// Reads the type, and refuses what a schema cannot say.
fn validate(input: &DeriveInput, errors: &mut Errors) -> Option<Shape> {
    for parameter in &input.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            errors.refuse(parameter, "a type with a schema has no type or const parameters, only lifetimes");
        }
    }
    let case = Serde::of_container(&input.attrs, errors).unwrap_or(serde::AS_WRITTEN);
    match &input.data {
        Data::Struct(data) => fields(input, data, case, errors).map(Shape::Object),
        Data::Enum(data) => choices(input, data, case, errors).map(Shape::Choice),
        Data::Union(_) => {
            errors.refuse(&input.ident, "a type with a schema is a struct with named fields or an enum without fields");
            None
        }
    }
}

fn fields(input: &DeriveInput, data: &DataStruct, case: Case, errors: &mut Errors) -> Option<Vec<Property>> {
    let Fields::Named(fields) = &data.fields else {
        errors.refuse(&input.ident, "a type with a schema is a struct with named fields: JSON needs their names");
        return None;
    };
    let fields: Vec<_> = fields.named.iter().filter_map(|each| field(each, case, errors)).collect();
    naming::distinct("a field", fields.iter().map(|property| &property.name), errors);
    Some(fields)
}

/// The property of a field, unless serde skips it.
fn field(field: &Field, case: Case, errors: &mut Errors) -> Option<Property> {
    let ident = field.ident.as_ref()?;
    let serde = Serde::of_field(&field.attrs, errors);
    let name = serde.rename.unwrap_or_else(|| naming::of(ident, case.field));
    let property = Property::of_result(name, &field.ty, &field.attrs, serde.optional, errors);
    (!serde.skipped).then_some(property)
}

fn choices(input: &DeriveInput, data: &DataEnum, case: Case, errors: &mut Errors) -> Option<Vec<LitStr>> {
    if data.variants.is_empty() {
        errors.refuse(&input.ident, "a type with a schema has a value: give the enum a variant");
        return None;
    }
    let choices: Vec<_> = data.variants.iter().map(|variant| choice(variant, case, errors)).collect();
    naming::distinct("a variant", choices.iter(), errors);
    Some(choices)
}

fn choice(variant: &Variant, case: Case, errors: &mut Errors) -> LitStr {
    if !matches!(variant.fields, Fields::Unit) {
        errors.refuse(&variant.fields, "a variant has no fields: it is one of several strings in JSON");
    }
    Serde::of_variant(&variant.attrs, errors).rename.unwrap_or_else(|| naming::of(&variant.ident, case.variant))
}

fn object(fields: &[Property], root: &Path) -> TokenStream {
    let properties = fields.iter().map(|property| property.result_entry(root));
    quote! {
        #root::schema::Type::Object(#root::schema::Object {
            properties: &[#(#properties),*],
            additional_properties: false,
        })
    }
}

/// The implementation, and a constant that makes the compiler evaluate the schema where it stands, so that limits that do
/// not fit are refused even if nothing uses the type yet.
fn implementation(input: &DeriveInput, schema: &TokenStream, root: &Path) -> TokenStream {
    let ident = &input.ident;
    let (generics, parameters, bounds) = input.generics.split_for_impl();
    let evaluated = inferred(&input.generics)
        .map(|parameters| quote!(const _: &#root::schema::Type = <#ident #parameters as #root::Schema>::SCHEMA;));
    quote! {
        #[automatically_derived]
        impl #generics #root::Schema for #ident #parameters #bounds {
            type Bound = #root::tool::Unbounded;
            const SCHEMA: &'static #root::schema::Type = &#schema;
        }

        #evaluated
    }
}

/// The arguments for some generic parameters, if they are lifetimes.
fn inferred(generics: &Generics) -> Option<TokenStream> {
    let lifetimes = generics.lifetimes().map(|_| quote!('_));
    let all = generics.lifetimes().count() == generics.params.len();
    let arguments = if generics.params.is_empty() { TokenStream::new() } else { quote!(<#(#lifetimes),*>) };
    all.then(|| arguments.to_token_stream())
}
