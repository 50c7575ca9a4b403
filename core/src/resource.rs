//! What a resource is: its static description, the variables of its address, its contents.

use core::fmt::Display;

pub use crate::mcp::resources::Reading;
use crate::tool::Replied;

/// The static description of a resource, or of a family of them, as `resources/list` and `resources/templates/list` print
/// it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Resource {
    /// Its address (RES-7), or a template of addresses, where `{name}` stands for one or more letters, digits, `-._~` and
    /// percent-encoded other characters (RES-8, RFC 6570).
    pub uri: &'static str,
    /// A name for programs.
    pub name: &'static str,
    /// A name for people; from 2025-06-18 on.
    pub title: Option<&'static str>,
    /// What it is, for a model.
    pub description: Option<&'static str>,
    /// What its contents are, such as `text/plain`.
    pub mime_type: Option<&'static str>,
    /// The size of its contents in bytes, where it is known (RES-10).
    pub size: Option<u32>,
    /// The variables of its address, in order.
    pub variables: &'static [Variable],
    /// Whether its contents never change, so that clients may keep them (CACHE-5).
    pub constant: bool,
    /// Whether clients may ask to be told when it changes (SUB-1).
    pub subscribe: bool,
}

/// A variable in the address of a family of resources.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// Texts that it may be, to be suggested (COMP-2).
    pub values: &'static [&'static str],
}

impl Resource {
    /// Whether it is a family, whose address has variables.
    pub(crate) fn is_template(&self) -> bool {
        !self.variables.is_empty()
    }
}

/// The most variables that the address of a resource can have.
pub const MAX_VARIABLES: usize = 4;

/// The variables of an address, as they stand there: all but letters, digits and `-._~` is percent-encoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Variables<'a>([&'a str; MAX_VARIABLES]);

impl<'a> Variables<'a> {
    /// Those that `uri` gives to a template, if it is one of that family. A variable ends before what no variable contains,
    /// and before the character that stands behind it in the template. A template without variables is matched by itself
    /// only. So what matches is an address, and may be sent as one (RES-2).
    pub(crate) fn of(template: &str, uri: &'a str) -> Option<Self> {
        let mut values = [""; MAX_VARIABLES];
        let mut places = values.iter_mut();
        let (mut template, mut rest) = (template.as_bytes(), uri.as_bytes());
        let at = |rest: &[u8]| uri.len().wrapping_sub(rest.len());
        while let [first, behind @ ..] = template {
            if *first != b'{' {
                let (byte, others) = rest.split_first()?;
                if byte != first {
                    return None;
                }
                (template, rest) = (behind, others);
                continue;
            }
            let start = at(rest);
            template = behind.get(behind.iter().position(|byte| *byte == b'}')?.wrapping_add(1)..)?;
            while rest.first() != template.first() {
                rest = match rest {
                    [b'%', high, low, others @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => others,
                    [byte, others @ ..] if byte.is_ascii_alphanumeric() || b"-._~".contains(byte) => others,
                    _ => break,
                };
            }
            let value = uri.get(start..at(rest))?;
            if value.is_empty() {
                return None;
            }
            *places.next()? = value;
        }
        rest.is_empty().then_some(Self(values))
    }

    /// The values in the order of the template.
    #[must_use]
    pub fn values<const K: usize>(&self) -> [&'a str; K] {
        core::array::from_fn(|at| self.0.get(at).copied().unwrap_or_default())
    }
}

/// Bytes as the contents of a resource. They are sent in base64 (RES-5).
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a newtype to tell bytes from text")]
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    /// How many they are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The size of contents as it is sent.
#[doc(hidden)]
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "compared before")]
pub const fn size(bytes: usize) -> u32 {
    if bytes < u32::MAX as usize { bytes as u32 } else { u32::MAX }
}

/// What a resource's function may return: something that displays itself, [`Bytes`], or an `Option` or `Result` of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the contents of a resource",
    note = "contents are what implements Display, toolwire::Bytes, and Option or Result of these"
)]
pub trait Contents {
    /// Answers with them.
    fn send(&self, reading: Reading<'_>) -> Replied;
}

impl<T: Display> Contents for T {
    fn send(&self, reading: Reading<'_>) -> Replied {
        reading.text(self)
    }
}

impl Contents for Bytes<'_> {
    fn send(&self, reading: Reading<'_>) -> Replied {
        reading.bytes(self.0)
    }
}

/// What a resource's function returned. The generated code calls `send` on it; inherent functions come before those of
/// [`Sent`].
#[doc(hidden)]
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Returned<T>(pub T);

#[doc(hidden)]
impl<T: Contents> Returned<Option<T>> {
    pub fn send(self, reading: Reading<'_>) -> Replied {
        match self.0 {
            Some(contents) => contents.send(reading),
            None => reading.not_found(),
        }
    }
}

#[doc(hidden)]
impl<T: Contents, E: Display> Returned<Result<T, E>> {
    pub fn send(self, reading: Reading<'_>) -> Replied {
        match self.0 {
            Ok(contents) => contents.send(reading),
            Err(error) => reading.failed(&error),
        }
    }
}

/// The contents of a resource that are always there.
#[doc(hidden)]
pub trait Sent {
    fn send(self, reading: Reading<'_>) -> Replied;
}

impl<T: Contents> Sent for Returned<T> {
    fn send(self, reading: Reading<'_>) -> Replied {
        self.0.send(reading)
    }
}

#[cfg(test)]
mod tests {
    use super::Variables;

    fn of<'a>(template: &str, uri: &'a str) -> Option<[&'a str; 2]> {
        Some(Variables::of(template, uri)?.values())
    }

    #[test]
    fn variables_are_segments_or_end_before_what_follows() {
        let latest = "sensor://{id}/latest";
        assert_eq!(of(latest, "sensor://t0/latest"), Some(["t0", ""]));
        assert_eq!(of(latest, "sensor://gar%C3%A7on/latest"), Some(["gar%C3%A7on", ""]));
        assert_eq!(of(latest, "sensor://%c3%9F-._~Az09/latest"), Some(["%c3%9F-._~Az09", ""]));
        for uri in [
            "",
            "sensor://",
            "sensor:///latest",
            "sensor://t0",
            "sensor://t0/",
            "sensor://t0/latest/",
            "sensor://a/b/latest",
            // No addresses.
            "sensor://ß/latest",
            "sensor://a b/latest",
            "sensor://a\n/latest",
            "sensor://\u{7f}/latest",
            "sensor://%/latest",
            "sensor://%1/latest",
            "sensor://%1g/latest",
            "sensor://{id}/latest",
            "sensor://a\\b/latest",
            // Reserved characters, some of which have a meaning where the variable stands.
            "sensor://a:b/latest",
            "sensor://a@b/latest",
            "sensor://[a]/latest",
            "sensor://a?b/latest",
            "sensor://a#b/latest",
        ] {
            assert_eq!(of(latest, uri), None, "{uri}");
        }
        assert_eq!(of("file:///{name}.{kind}", "file:///a.txt"), Some(["a", "txt"]));
        assert_eq!(of("file:///{name}.{kind}", "file:///a.b.txt"), Some(["a", "b.txt"]));
        assert_eq!(of("{a}", "x"), Some(["x", ""]));
        assert_eq!(of("{a}{b}", "xy"), None);
        assert_eq!(of("device://info", "device://info"), Some(["", ""]));
        assert_eq!(of("device://info", "device://inf"), None);
        assert_eq!(of("device://info", "device://info2"), None);
    }

    #[test]
    fn more_variables_than_there_is_room_for_match_nothing() {
        assert_eq!(of("{a}/{b}/{c}/{d}", "1/2/3/4"), Some(["1", "2"]));
        assert_eq!(of("{a}/{b}/{c}/{d}/{e}", "1/2/3/4/5"), None);
    }
}
