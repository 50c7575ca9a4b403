//! Refusals, gathered so that all are reported at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;

/// What was refused so far.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// Refuses what stands `at` in the source; the sentence says what is allowed.
    pub(crate) fn refuse(&mut self, at: impl ToTokens, sentence: impl Display) {
        self.add(Error::new_spanned(at, sentence));
    }

    /// Refuses with an error of the parser.
    pub(crate) fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            none => *none = Some(error),
        }
    }

    /// The value, or nothing and one more refusal.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// Adds what was refused elsewhere.
    pub(crate) fn append(&mut self, others: Self) {
        if let Some(others) = others.0 {
            self.add(others);
        }
    }

    /// Whether nothing was refused.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.as_ref().map(Error::to_compile_error));
    }
}
