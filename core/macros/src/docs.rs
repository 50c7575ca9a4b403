//! Doc comments as descriptions.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::errors::Errors;
use crate::options::ungrouped;

/// The text of an item's doc comment, if it has one. Empty if it was refused.
pub(crate) fn description(attributes: &[Attribute], errors: &mut Errors) -> Option<String> {
    let mut comment = String::new();
    let mut refused = false;
    for attribute in attributes {
        let Meta::NameValue(meta) = &attribute.meta else { continue };
        if !meta.path.is_ident("doc") {
            continue;
        }
        match ungrouped(&meta.value) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                comment.push_str(&unframed(&text.value()));
                comment.push('\n');
            }
            other => {
                errors.refuse(other, "the description must be a literal");
                refused = true;
            }
        }
    }
    Some(joined(&comment)).filter(|text| refused || !text.is_empty())
}

/// A comment without the asterisks down the left side of a `/** block */`.
fn unframed(comment: &str) -> String {
    let Some((first, rest)) = comment.split_once('\n') else { return comment.to_owned() };
    let framed = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('*');
    if !rest.lines().all(framed) {
        return comment.to_owned();
    }
    rest.lines().fold(first.to_owned(), |text, line| text + "\n" + line.trim_start().trim_start_matches('*'))
}

/// Lines of a paragraph joined by one space, paragraphs by an empty line.
fn joined(comment: &str) -> String {
    let mut text = String::new();
    let mut gap = "";
    for line in comment.lines().map(str::trim) {
        if !line.is_empty() {
            text.push_str(gap);
            text.push_str(line);
            gap = " ";
        } else if !text.is_empty() {
            gap = "\n\n";
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(item: syn::ItemFn) -> Option<String> {
        let mut errors = Errors::default();
        let text = description(&item.attrs, &mut errors);
        assert!(errors.is_empty());
        text
    }

    #[test]
    fn lines_are_joined_and_paragraphs_kept_apart() {
        for (comment, text) in [
            ("", ""),
            ("\n  \n", ""),
            (" One.", "One."),
            (" One\n line. ", "One line."),
            ("\n\n One.\n\n \n Two\n lines.\n\n", "One.\n\nTwo lines."),
            (" Título corto\r\n de la tarea", "Título corto de la tarea"),
        ] {
            assert_eq!(joined(comment), text);
        }
    }

    #[test]
    fn every_form_of_comment_is_read() {
        let item = syn::parse_quote! {
            /// One
            /// line.
            ///
            #[doc = "Two."]
            #[doc(hidden)]
            #[inline]
            fn f() {}
        };
        assert_eq!(described(item).as_deref(), Some("One line.\n\nTwo."));
        let item = syn::parse_str("/** One\n   * line.\n   *\n   * Two. */ fn f() {}").unwrap();
        assert_eq!(described(item).as_deref(), Some("One line.\n\nTwo."));
        let item = syn::parse_str("/**\n One *line*.\n\n * Two.\n*/ fn f() {}").unwrap();
        assert_eq!(described(item).as_deref(), Some("One *line*.\n\n* Two."));
        assert_eq!(
            described(syn::parse_quote!(
                fn f() {}
            )),
            None
        );
        assert_eq!(
            described(syn::parse_quote!(
                #[doc = " "]
                fn f() {}
            )),
            None
        );
    }

    #[test]
    fn a_file_is_no_description() {
        let item: syn::ItemFn = syn::parse_quote!(
            #[doc = include_str!("f.md")]
            fn f() {}
        );
        let mut errors = Errors::default();
        assert_eq!(description(&item.attrs, &mut errors).as_deref(), Some(""));
        assert!(!errors.is_empty());
    }
}
