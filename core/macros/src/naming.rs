//! Names in JSON: which a tool can have, how identifiers are spelled, that none stands twice.

use heck::{
    ToKebabCase as _, ToLowerCamelCase as _, ToShoutyKebabCase as _, ToShoutySnakeCase as _, ToSnakeCase as _,
    ToUpperCamelCase as _,
};
use syn::ext::IdentExt as _;
use syn::{Ident, LitStr};

use crate::errors::Errors;

/// A way to spell an identifier.
pub(crate) type Case = fn(&str) -> String;

const CASES: [(&str, Case); 8] = [
    ("lowercase", |name| name.to_lowercase()),
    ("UPPERCASE", |name| name.to_uppercase()),
    ("PascalCase", |name| name.to_upper_camel_case()),
    ("camelCase", |name| name.to_lower_camel_case()),
    ("snake_case", snake_case),
    ("SCREAMING_SNAKE_CASE", |name| name.to_shouty_snake_case()),
    ("kebab-case", |name| name.to_kebab_case()),
    ("SCREAMING-KEBAB-CASE", |name| name.to_shouty_kebab_case()),
];

/// The default for variants.
pub(crate) fn snake_case(name: &str) -> String {
    name.to_snake_case()
}

/// The default for fields and parameters.
pub(crate) fn as_written(name: &str) -> String {
    name.to_owned()
}

/// The way of a `rename_all`.
pub(crate) fn case(name: &LitStr, errors: &mut Errors) -> Option<Case> {
    let wanted = name.value();
    let found = CASES.iter().find(|(name, _)| *name == wanted).map(|(_, case)| *case);
    if found.is_none() {
        let names = CASES.map(|(name, _)| name).join("`, `");
        errors.refuse(name, format_args!("`rename_all` is one of `{names}`"));
    }
    found
}

/// An identifier without `r#`, as a name in JSON that points at the identifier.
pub(crate) fn of(ident: &Ident, case: Case) -> LitStr {
    LitStr::new(&case(&ident.unraw().to_string()), ident.span())
}

/// Whether the popular clients take this as a tool's name.
pub(crate) fn is_portable(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

/// Whether the specification takes this as a tool's name.
pub(crate) fn is_specified(name: &str) -> bool {
    (1..=128).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

/// Whether the popular clients take this as an argument's name.
pub(crate) fn is_portable_key(name: &str) -> bool {
    name.len() <= 64 && is_specified(name)
}

/// Refuses the names that stood before.
pub(crate) fn distinct<'a>(what: &str, names: impl IntoIterator<Item = &'a LitStr>, errors: &mut Errors) {
    let mut earlier = Vec::new();
    for name in names {
        let text = name.value();
        if earlier.contains(&text) {
            errors.refuse(name, format_args!("there is already {what} named `{text}`: names must differ"));
        }
        earlier.push(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools() {
        let (long, longer, longest) = ("x".repeat(64), "x".repeat(128), "x".repeat(129));
        for (name, portable, specified) in [
            ("a", true, true),
            ("lamp_set-2", true, true),
            (&long, true, true),
            ("lamp.set", false, true),
            (&longer, false, true),
            (&longest, false, false),
            ("", false, false),
            ("lamp set", false, false),
            ("lámpara", false, false),
            ("a/b", false, false),
        ] {
            assert_eq!((is_portable(name), is_specified(name)), (portable, specified), "{name}");
        }
    }

    #[test]
    fn identifiers_in_every_case() {
        let spelled = |name: &str| CASES.map(|(_, case)| case(name));
        assert_eq!(
            spelled("InProgress"),
            [
                "inprogress",
                "INPROGRESS",
                "InProgress",
                "inProgress",
                "in_progress",
                "IN_PROGRESS",
                "in-progress",
                "IN-PROGRESS"
            ]
        );
        assert_eq!(
            spelled("only_open"),
            ["only_open", "ONLY_OPEN", "OnlyOpen", "onlyOpen", "only_open", "ONLY_OPEN", "only-open", "ONLY-OPEN"]
        );
    }

    #[test]
    fn raw_identifiers_lose_their_prefix() {
        assert_eq!(of(&quote::format_ident!("r#type"), as_written).value(), "type");
    }

    #[test]
    fn every_case_is_found_by_its_name() {
        let mut errors = Errors::default();
        for (name, _) in CASES {
            assert!(case(&LitStr::new(name, proc_macro2::Span::call_site()), &mut errors).is_some());
        }
        assert!(errors.is_empty());
        assert!(case(&LitStr::new("Snake", proc_macro2::Span::call_site()), &mut errors).is_none());
        assert!(!errors.is_empty());
    }
}
