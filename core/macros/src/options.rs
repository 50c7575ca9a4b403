//! Options in the parentheses of an attribute: `flag`, `flag = false`, `name = value`, `name(list)`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Attribute, Error, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Result, Token, parenthesized, parse_quote};

use crate::errors::Errors;

/// One option as written.
pub(crate) struct Setting {
    pub(crate) name: Ident,
    value: Option<Expr>,
    list: Option<TokenStream>,
}

/// The options of one item, from all its attributes of one name.
pub(crate) struct Options {
    attribute: &'static str,
    allowed: &'static [&'static str],
    settings: Vec<Setting>,
    repeated: &'static [&'static str],
}

impl Options {
    pub(crate) fn new(attribute: &'static str, allowed: &'static [&'static str]) -> Self {
        Self { attribute, allowed, settings: Vec::new(), repeated: &[] }
    }

    /// With options that may be given more than once.
    pub(crate) fn with_repeated(self, repeated: &'static [&'static str]) -> Self {
        Self { repeated, ..self }
    }

    /// Adds those of an attribute.
    pub(crate) fn read(&mut self, attribute: &Attribute, errors: &mut Errors) {
        match &attribute.meta {
            Meta::Path(_) => {}
            Meta::List(list) => self.parse(list.tokens.clone(), errors),
            Meta::NameValue(_) => {
                errors.refuse(attribute, format_args!("options go in parentheses: `#[{}(..)]`", self.attribute));
            }
        }
    }

    /// Adds those between the parentheses.
    pub(crate) fn parse(&mut self, options: TokenStream, errors: &mut Errors) {
        let settings = errors.keep(Punctuated::<Setting, Token![,]>::parse_terminated.parse2(options));
        for setting in settings.into_iter().flatten() {
            self.add(setting, errors);
        }
    }

    fn add(&mut self, setting: Setting, errors: &mut Errors) {
        let name = &setting.name;
        if !self.allowed.iter().any(|allowed| name == allowed) {
            let allowed = self.allowed.join("`, `");
            errors.refuse(name, format_args!("unknown option: `#[{}(..)]` takes `{allowed}`", self.attribute));
        } else if !self.repeated.iter().any(|repeated| name == repeated)
            && self.settings.iter().any(|earlier| earlier.name == *name)
        {
            errors.refuse(name, format_args!("`{name}` is given twice"));
        } else {
            self.settings.push(setting);
        }
    }

    /// An option in whatever form.
    pub(crate) fn setting(&self, name: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.name == name)
    }

    /// An option that may be given more than once.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &Setting> {
        self.settings.iter().filter(move |setting| setting.name == name)
    }

    /// The value of `name`, `name = true` or `name = false`.
    pub(crate) fn flag(&self, name: &str, errors: &mut Errors) -> Option<bool> {
        errors.keep(self.setting(name)?.flag())
    }

    /// The value of `name = ".."`.
    pub(crate) fn text(&self, name: &str, errors: &mut Errors) -> Option<LitStr> {
        errors.keep(self.setting(name)?.text())
    }

    /// The value of `name = value`.
    pub(crate) fn value(&self, name: &str, errors: &mut Errors) -> Option<Expr> {
        errors.keep(self.setting(name)?.value().cloned())
    }

    /// The value of `crate = path`, or the usual path of the crate.
    pub(crate) fn root(&self, errors: &mut Errors) -> Path {
        let path = self.setting("crate").and_then(|setting| errors.keep(setting.path()));
        path.unwrap_or_else(|| parse_quote!(::toolwire))
    }
}

impl Setting {
    fn flag(&self) -> Result<bool> {
        match self.value.as_ref().map(ungrouped) {
            None if self.list.is_none() => Ok(true),
            None => Err(Error::new_spanned(&self.name, self.sentence("stands alone, or is `true` or `false`"))),
            Some(Expr::Lit(ExprLit { lit: Lit::Bool(value), .. })) => Ok(value.value),
            Some(other) => Err(self.refusal(other, "stands alone, or is `true` or `false`")),
        }
    }

    pub(crate) fn text(&self) -> Result<LitStr> {
        match ungrouped(self.value()?) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text.clone()),
            other => Err(self.refusal(other, "is a string literal")),
        }
    }

    fn path(&self) -> Result<Path> {
        match ungrouped(self.value()?) {
            Expr::Path(path) if path.qself.is_none() => Ok(path.path.clone()),
            other => Err(self.refusal(other, "is a path")),
        }
    }

    fn value(&self) -> Result<&Expr> {
        let name = &self.name;
        self.value
            .as_ref()
            .ok_or_else(|| Error::new_spanned(name, format_args!("`{name}` needs a value: `{name} = ..`")))
    }

    /// What stands in the parentheses of `name(..)`.
    pub(crate) fn list_tokens(&self) -> Option<&TokenStream> {
        self.list.as_ref()
    }

    /// The entries of `name(..)`; the sentence says what it must be.
    pub(crate) fn list<T: Parse>(&self, form: &str, errors: &mut Errors) -> Option<Punctuated<T, Token![,]>> {
        let list = self.list.clone().ok_or_else(|| Error::new_spanned(&self.name, self.sentence(form)));
        errors.keep(list.and_then(|list| Punctuated::parse_terminated.parse2(list)))
    }

    fn refusal(&self, at: &Expr, allowed: &str) -> Error {
        Error::new_spanned(at, self.sentence(allowed))
    }

    fn sentence(&self, allowed: &str) -> String {
        format!("`{}` {allowed}", self.name)
    }
}

impl Parse for Setting {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = Ident::parse_any(input)?;
        if input.peek(Paren) {
            let list;
            parenthesized!(list in input);
            return Ok(Self { name, value: None, list: Some(list.parse()?) });
        }
        let value = if input.parse::<Option<Token![=]>>()?.is_some() { Some(input.parse()?) } else { None };
        Ok(Self { name, value, list: None })
    }
}

impl ToTokens for Setting {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.name.to_tokens(tokens);
    }
}

/// The expression within the invisible brackets that `macro_rules!` puts around it.
pub(crate) fn ungrouped(mut expression: &Expr) -> &Expr {
    while let Expr::Group(group) = expression {
        expression = &group.expr;
    }
    expression
}
