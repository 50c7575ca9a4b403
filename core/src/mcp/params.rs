//! The parameters of a request.

use crate::json::{Object, Value};
use crate::rpc::ErrorCode;

/// Why a request cannot be served: the code, and a sentence.
pub(crate) type Refusal = (ErrorCode, &'static str);

/// A refusal of the parameters.
pub(crate) const fn invalid(reason: &'static str) -> Refusal {
    (ErrorCode::InvalidParams, reason)
}

/// The parameters that more than one method has, or that are called for often, found in one pass.
pub(super) struct Params<'a> {
    pub(super) all: Object<'a>,
    pub(super) meta: Option<Value<'a>>,
    pub(super) name: Option<Value<'a>>,
    pub(super) arguments: Option<Value<'a>>,
}

impl<'a> Params<'a> {
    pub(super) fn of(all: Object<'a>) -> Self {
        let [meta, name, arguments] = all.select(["_meta", "name", "arguments"]);
        Self { all, meta, name, arguments }
    }
}

/// An optional object; null is absence.
pub(crate) fn object<'a>(value: Option<Value<'a>>, reason: &'static str) -> Result<Option<Object<'a>>, Refusal> {
    optional(value, Value::as_object, reason)
}

/// An optional string; null is absence.
pub(crate) fn text<'a>(value: Option<Value<'a>>, reason: &'static str) -> Result<Option<&'a [u8]>, Refusal> {
    optional(value, Value::as_text, reason)
}

/// An object that must be there.
pub(crate) fn required_object<'a>(value: Option<Value<'a>>, reason: &'static str) -> Result<Object<'a>, Refusal> {
    value.and_then(Value::as_object).ok_or(invalid(reason))
}

/// A string that must be there.
pub(crate) fn required_text<'a>(value: Option<Value<'a>>, reason: &'static str) -> Result<&'a [u8], Refusal> {
    value.and_then(Value::as_text).ok_or(invalid(reason))
}

/// An optional member of one type; null is absence (PARAM-3).
fn optional<'a, T>(
    value: Option<Value<'a>>,
    read: impl Fn(Value<'a>) -> Option<T>,
    reason: &'static str,
) -> Result<Option<T>, Refusal> {
    match value {
        Some(value) if !value.is_null() => read(value).map(Some).ok_or(invalid(reason)),
        _ => Ok(None),
    }
}
