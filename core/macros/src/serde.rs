//! The attributes of serde, as far as they change what its derive prints.

use syn::{Attribute, LitStr, Meta, Path, Result, meta::ParseNestedMeta};

use crate::errors::Errors;
use crate::naming;

/// A way to spell fields and variants: serde's own, which differs from that of other crates where capitals stand together
/// or underscores do.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) field: naming::Case,
    pub(crate) variant: naming::Case,
}

#[rustfmt::skip]
const CASES: [(&str, Case); 8] = [
    ("lowercase", Case { field: as_is, variant: |name| name.to_ascii_lowercase() }),
    ("UPPERCASE", Case { field: |name| name.to_ascii_uppercase(), variant: |name| name.to_ascii_uppercase() }),
    ("PascalCase", Case { field: pascal, variant: as_is }),
    ("camelCase", Case { field: |name| first_lower(&pascal(name)), variant: first_lower }),
    ("snake_case", Case { field: as_is, variant: snake }),
    ("SCREAMING_SNAKE_CASE", Case { field: |name| name.to_ascii_uppercase(), variant: |name| snake(name).to_ascii_uppercase() }),
    ("kebab-case", Case { field: |name| name.replace('_', "-"), variant: |name| snake(name).replace('_', "-") }),
    ("SCREAMING-KEBAB-CASE", Case { field: |name| name.to_ascii_uppercase().replace('_', "-"), variant: |name| snake(name).to_ascii_uppercase().replace('_', "-") }),
];

/// The spelling without `rename_all`.
pub(crate) const AS_WRITTEN: Case = Case { field: as_is, variant: as_is };

fn as_is(name: &str) -> String {
    name.to_owned()
}

fn pascal(name: &str) -> String {
    name.split('_').map(first_upper).collect()
}

fn first_upper(word: &str) -> String {
    word.get(..1).map_or_else(String::new, str::to_ascii_uppercase) + word.get(1..).unwrap_or_default()
}

fn first_lower(name: &str) -> String {
    name.get(..1).map_or_else(String::new, str::to_ascii_lowercase) + name.get(1..).unwrap_or_default()
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, character) in name.char_indices() {
        if at > 0 && character.is_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

/// What serde's attributes say of a field or a variant.
#[derive(Default)]
pub(crate) struct Serde {
    pub(crate) rename: Option<LitStr>,
    /// It may be left out.
    pub(crate) optional: bool,
    /// It always is.
    pub(crate) skipped: bool,
}

/// What is allowed and without effect on what is printed.
const OF_CONTAINER: &[&str] = &[
    "rename",
    "rename_all_fields",
    "deny_unknown_fields",
    "default",
    "bound",
    "crate",
    "expecting",
    "from",
    "try_from",
];
const OF_FIELD: &[&str] = &["alias", "default", "bound", "borrow", "deserialize_with", "skip_deserializing"];
const OF_VARIANT: &[&str] = &["alias", "bound", "other", "skip_deserializing"];

impl Serde {
    /// The spelling that a type asks for, if it does.
    pub(crate) fn of_container(attributes: &[Attribute], errors: &mut Errors) -> Option<Case> {
        let mut case = None;
        each(attributes, errors, |meta, errors| {
            match () {
            () if meta.path.is_ident("rename_all") => {
                let name = serialized(&meta)?;
                case = name.and_then(|name| found(&name, errors));
                Ok(())
            }
            () if is_one_of(&meta.path, OF_CONTAINER) => skip(&meta),
            () => Err(meta.error(
                "this changes the shape of the JSON, which the schema cannot follow: `rename_all` and `rename` can be there",
            )),
        }
        });
        case
    }

    /// What is said of a field.
    pub(crate) fn of_field(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        each(attributes, errors, |meta, _| match () {
            () if meta.path.is_ident("rename") => {
                this.rename = serialized(&meta)?.or(this.rename.take());
                Ok(())
            }
            () if meta.path.is_ident("skip_serializing_if") => {
                this.optional = true;
                skip(&meta)
            }
            () if is_one_of(&meta.path, &["skip", "skip_serializing"]) => {
                this.skipped = true;
                Ok(())
            }
            () if is_one_of(&meta.path, OF_FIELD) => skip(&meta),
            () => Err(meta.error(
                "this changes the shape of the JSON, which the schema cannot follow: \
                 `rename`, `skip` and `skip_serializing_if` can be there",
            )),
        });
        this
    }

    /// What is said of a variant.
    pub(crate) fn of_variant(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut this = Self::default();
        each(attributes, errors, |meta, _| match () {
            () if meta.path.is_ident("rename") => {
                this.rename = serialized(&meta)?.or(this.rename.take());
                Ok(())
            }
            () if is_one_of(&meta.path, OF_VARIANT) => skip(&meta),
            () => {
                Err(meta
                    .error("this changes the shape of the JSON, which the schema cannot follow: `rename` can be there"))
            }
        });
        this
    }
}

/// Reads each entry of `#[serde(..)]`.
fn each(
    attributes: &[Attribute],
    errors: &mut Errors,
    mut read: impl FnMut(ParseNestedMeta<'_>, &mut Errors) -> Result<()>,
) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        if let Meta::List(_) = attribute.meta {
            let mut refused = Errors::default();
            errors.keep(attribute.parse_nested_meta(|meta| read(meta, &mut refused)));
            errors.append(refused);
        }
    }
}

fn is_one_of(path: &Path, names: &[&str]) -> bool {
    names.iter().any(|name| path.is_ident(name))
}

/// The name in `name = ".."` or `name(serialize = "..")`.
fn serialized(meta: &ParseNestedMeta<'_>) -> Result<Option<LitStr>> {
    if !meta.input.peek(syn::token::Paren) {
        return meta.value()?.parse().map(Some);
    }
    let mut name = None;
    meta.parse_nested_meta(|inner| {
        let value = inner.value()?.parse()?;
        if inner.path.is_ident("serialize") {
            name = Some(value);
        }
        Ok(())
    })?;
    Ok(name)
}

/// Passes what stands behind the name of an entry.
fn skip(meta: &ParseNestedMeta<'_>) -> Result<()> {
    if meta.input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<proc_macro2::TokenStream>()?;
    } else if meta.input.peek(syn::Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    }
    Ok(())
}

fn found(name: &LitStr, errors: &mut Errors) -> Option<Case> {
    let wanted = name.value();
    let found = CASES.iter().find(|(name, _)| *name == wanted).map(|(_, case)| *case);
    if found.is_none() {
        let names = CASES.map(|(name, _)| name).join("`, `");
        errors.refuse(name, format_args!("`rename_all` is one of `{names}`"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in the tests of `serde_derive`, `src/internals/case.rs`.
    #[test]
    fn names_are_spelled_as_serde_does() {
        let variants = |name: &str| CASES.map(|(_, case)| (case.variant)(name));
        assert_eq!(
            variants("VeryTasty"),
            [
                "verytasty",
                "VERYTASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY"
            ]
        );
        assert_eq!(variants("Z42"), ["z42", "Z42", "Z42", "z42", "z42", "Z42", "z42", "Z42"]);
        assert_eq!(variants("HTTPGet")[4], "h_t_t_p_get");
        let fields = |name: &str| CASES.map(|(_, case)| (case.field)(name));
        assert_eq!(
            fields("very_tasty"),
            [
                "very_tasty",
                "VERY_TASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY"
            ]
        );
        assert_eq!(fields("a"), ["a", "A", "A", "a", "a", "A", "a", "A"]);
        assert_eq!(fields("z42"), ["z42", "Z42", "Z42", "z42", "z42", "Z42", "z42", "Z42"]);
    }
}
