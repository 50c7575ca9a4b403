//! What not every tool has in `tools/list`, as finished JSON: a title, hints, icons, metadata.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprLit, ExprUnary, Ident, Lit, LitStr, Path, Token, UnOp};

use crate::errors::Errors;
use crate::options::{Options, Setting, ungrouped};

const HINTS: [(&str, &str); 4] = [
    ("read_only", "readOnlyHint"),
    ("destructive", "destructiveHint"),
    ("idempotent", "idempotentHint"),
    ("open_world", "openWorldHint"),
];

/// A member: the function that makes its entry, and its JSON behind another member.
pub(crate) struct Member {
    function: &'static str,
    json: String,
}

impl Member {
    fn new(function: &'static str, name: &str, json: &str) -> Self {
        Self { function, json: format!(",\"{name}\":{json}") }
    }

    /// Its entry in the table of its tool.
    pub(crate) fn entry(&self, root: &Path) -> TokenStream {
        let (function, json) = (Ident::new(self.function, proc_macro2::Span::mixed_site()), &self.json);
        quote!(#root::tool::Member::#function(#json))
    }
}

/// Makes members of the options.
pub(crate) fn members(options: &Options, errors: &mut Errors) -> Vec<Member> {
    let title = options.text("title", errors).map(|title| Member::new("title", "title", &string(&title.value())));
    let hints = HINTS.iter().filter_map(|(option, name)| Some((*name, options.flag(option, errors)?.to_string())));
    let hints = object(hints.collect()).map(|json| Member::new("annotations", "annotations", &json));
    let icons: Vec<_> = options.all("icon").filter_map(|setting| icon(setting, errors)).collect();
    let icons = (!icons.is_empty()).then(|| Member::new("icons", "icons", &format!("[{}]", icons.join(","))));
    let meta = options.setting("meta").and_then(|setting| meta(setting, errors));
    let meta = meta.map(|json| Member::new("meta", "_meta", &json));
    [title, hints, icons, meta].into_iter().flatten().collect()
}

/// One of the metadata: `"key" = value`.
struct Entry {
    key: LitStr,
    value: Expr,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { key, value: input.parse()? })
    }
}

fn meta(setting: &Setting, errors: &mut Errors) -> Option<String> {
    const FORM: &str = "is a list: `meta(\"com.example/key\" = \"value\")`";
    let mut members: Vec<(String, String)> = Vec::new();
    for Entry { key, value } in setting.list::<Entry>(FORM, errors)? {
        if !is_key(&key.value()) {
            errors.refuse(
                &key,
                "a key of metadata is a name of letters, digits, `-`, `_` and `.`, or one behind a domain in reverse: \
                 `com.example/key`; `modelcontextprotocol` and `mcp` are reserved",
            );
        }
        if members.iter().any(|(earlier, _)| *earlier == key.value()) {
            errors.refuse(&key, format_args!("`{}` is given twice", key.value()));
        }
        match literal(&value) {
            Some(json) => members.push((key.value(), json)),
            None => errors.refuse(&value, "metadata is a literal: a string, an integer, a float, `true` or `false`"),
        }
    }
    object(members.iter().map(|(key, value)| (&**key, value.clone())).collect())
}

/// Whether the specification allows a key that is not its own (META-10).
fn is_key(key: &str) -> bool {
    let (prefix, name) = key.rsplit_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let edge = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let is_name = edge(name.bytes().next())
        && edge(name.bytes().last())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    let Some(prefix) = prefix else { return is_name };
    let labels: Vec<_> = prefix.split('.').collect();
    let is_label = |label: &&str| {
        label.starts_with(|first: char| first.is_ascii_alphabetic())
            && edge(label.bytes().last())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let reserved = |at: Option<usize>| {
        at.and_then(|at| labels.get(at)).is_some_and(|label| ["modelcontextprotocol", "mcp"].contains(label))
    };
    is_name && labels.iter().all(is_label) && !reserved(Some(1)) && !reserved(labels.len().checked_sub(2))
}

/// What stands in `icon(..)`: the address, then options.
struct Icon {
    source: LitStr,
    options: TokenStream,
}

impl Parse for Icon {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let source = input.parse()?;
        let _: Option<Token![,]> = input.parse()?;
        Ok(Self { source, options: input.parse()? })
    }
}

fn icon(setting: &Setting, errors: &mut Errors) -> Option<String> {
    let Some(list) = setting.list_tokens() else {
        let source = errors.keep(setting.text())?;
        return icon_of(&source, &Options::new("icon", &[]), errors);
    };
    let Icon { source, options } = errors.keep(syn::parse2(list.clone()))?;
    let mut details = Options::new("icon", &["mime_type", "sizes", "theme"]);
    details.parse(options, errors);
    icon_of(&source, &details, errors)
}

fn icon_of(source: &LitStr, details: &Options, errors: &mut Errors) -> Option<String> {
    let address = source.value();
    if !(address.starts_with("https://") || address.starts_with("data:image/")) {
        errors.refuse(source, "the address of an icon begins with `https://` or `data:image/`: clients refuse others");
    }
    let mut members = vec![("src", string(&address))];
    members.extend(details.text("mime_type", errors).map(|text| ("mimeType", string(&text.value()))));
    if let Some(sizes) = details.text("sizes", errors) {
        let is_size = |size: &str| {
            let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            size == "any" || size.split_once('x').is_some_and(|(width, height)| number(width) && number(height))
        };
        let text = sizes.value();
        if text.is_empty() || !text.split(' ').all(is_size) {
            errors.refuse(&sizes, "`sizes` is one or several of `48x48` and its like, or `any`, with a space between");
        }
        let list: Vec<_> = text.split(' ').map(string).collect();
        members.push(("sizes", format!("[{}]", list.join(","))));
    }
    if let Some(theme) = details.text("theme", errors) {
        if !["light", "dark"].contains(&&*theme.value()) {
            errors.refuse(&theme, "`theme` is `light` or `dark`: the background that the icon is made for");
        }
        members.push(("theme", string(&theme.value())));
    }
    object(members)
}

/// An object, unless it is empty.
fn object(members: Vec<(&str, String)>) -> Option<String> {
    let members: Vec<_> = members.into_iter().map(|(name, json)| format!("{}:{json}", string(name))).collect();
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
}

/// A literal as JSON.
fn literal(expression: &Expr) -> Option<String> {
    match ungrouped(expression) {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match ungrouped(expr) {
            Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Float(_), .. }) => Some(format!("-{}", literal(expr)?)),
            _ => None,
        },
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Str(text) => Some(string(&text.value())),
            Lit::Bool(value) => Some(value.value.to_string()),
            Lit::Int(number) if number.suffix().is_empty() => Some(number.base10_digits().to_owned()),
            Lit::Float(number) if number.suffix().is_empty() => {
                number.base10_parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| value.to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

/// A text as JSON.
fn string(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\0'..' ' => json.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_metadata() {
        for key in ["a", "a-b_c.d", "com.example/key", "example.com/a.b", "a/b", "com.example.mcp/x", "x-1.y2/z"] {
            assert!(is_key(key), "{key}");
        }
        for key in [
            "",
            "/",
            "a/",
            "/a",
            "-a",
            "a-",
            "1a.b/c",
            "a..b/c",
            "a-/b",
            "a/b/c",
            "a b",
            "é",
            "io.modelcontextprotocol/x",
            "com.mcp/x",
            "com.mcp.tools/x",
            "a.b.mcp.c/x",
            "modelcontextprotocol.io/x",
        ] {
            assert!(!is_key(key), "{key}");
        }
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(string("a\"b\\c\nd\u{1}é\u{7f}"), "\"a\\\"b\\\\c\\nd\\u0001é\u{7f}\"");
    }

    #[test]
    fn literals_become_json() {
        for (written, json) in [
            ("\"x\"", "\"x\""),
            ("12_000", "12000"),
            ("0x10", "16"),
            ("-3", "-3"),
            ("1.", "1"),
            ("-2.5e3", "-2500"),
            ("true", "true"),
        ] {
            assert_eq!(literal(&syn::parse_str(written).unwrap()).as_deref(), Some(json), "{written}");
        }
        for written in ["3u8", "1.0f32", "'c'", "b\"x\"", "X", "1 + 1", "-true", "1e999"] {
            assert_eq!(literal(&syn::parse_str(written).unwrap()), None, "{written}");
        }
    }
}
