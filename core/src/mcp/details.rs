//! What few servers tell of themselves besides a name and a version; from 2025-11-25 on.

use crate::json::Writer;

/// What a server may tell people of itself besides what [`ServerInfo`](super::ServerInfo) has: sent from 2025-11-25 on.
///
/// It is a static, and the code that writes it is reached over it only: a firmware without does not link that.
///
/// ```
/// use toolwire::{Details, Icon, ServerInfo};
///
/// static DETAILS: Details = Details::new()
///     .with_description("A lamp that stands on the desk.")
///     .with_website("https://example.com/lamp")
///     .with_icons(&[Icon::new("https://example.com/lamp.png")]);
/// const INFO: ServerInfo = ServerInfo::new("lamp", "1.0.0").with_details(&DETAILS);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Details {
    description: Option<&'static str>,
    website: Option<&'static str>,
    icons: &'static [Icon],
    pub(super) write: fn(&Self, &mut Writer<'_>),
}

/// A picture for people.
#[derive(Clone, Copy, Debug)]
pub struct Icon {
    source: &'static str,
    mime_type: Option<&'static str>,
}

impl Details {
    /// Nothing as yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { description: None, website: None, icons: &[], write }
    }

    /// With a sentence about what the server is for.
    #[must_use]
    pub const fn with_description(self, description: &'static str) -> Self {
        Self { description: Some(description), ..self }
    }

    /// With the address of a page about it.
    #[must_use]
    pub const fn with_website(self, address: &'static str) -> Self {
        Self { website: Some(address), ..self }
    }

    /// With pictures of it.
    #[must_use]
    pub const fn with_icons(self, icons: &'static [Icon]) -> Self {
        Self { icons, ..self }
    }
}

impl Default for Details {
    fn default() -> Self {
        Self::new()
    }
}

impl Icon {
    /// The picture at an address, `https://` or `data:image/`.
    ///
    /// # Panics
    /// If the address is of another kind, which clients refuse; in constants that stops the compiler.
    #[must_use]
    pub const fn new(source: &'static str) -> Self {
        assert!(
            is_prefix(b"https://", source.as_bytes()) || is_prefix(b"data:image/", source.as_bytes()),
            "the address of an icon begins with `https://` or `data:image/`: clients refuse others"
        );
        Self { source, mime_type: None }
    }

    /// With the type of the picture, such as `image/png`, in place of that which its server says.
    #[must_use]
    pub const fn with_mime_type(self, mime_type: &'static str) -> Self {
        Self { mime_type: Some(mime_type), ..self }
    }
}

const fn is_prefix(mut prefix: &[u8], mut text: &[u8]) -> bool {
    while let [expected, behind @ ..] = prefix {
        match text {
            [first, rest @ ..] if *first == *expected => (prefix, text) = (behind, rest),
            _ => return false,
        }
    }
    true
}

/// Writes the members, behind others.
fn write(details: &Details, out: &mut Writer<'_>) {
    out.member("description", details.description);
    out.member("websiteUrl", details.website);
    let mut before = ",\"icons\":[{\"src\":";
    for icon in details.icons {
        out.raw(before);
        out.string(icon.source);
        out.member("mimeType", icon.mime_type);
        before = "},{\"src\":";
    }
    out.raw(if details.icons.is_empty() { "" } else { "}]" });
}
