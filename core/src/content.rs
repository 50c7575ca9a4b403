//! What a tool may answer with besides text: several blocks, images, sounds, resources.

use core::fmt::{self, Display};

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;

use crate::json::Writer;
use crate::mcp::Revision;

/// What a tool answers with, block by block. A tool that returns something that implements [`Display`] needs none of this.
pub trait Content {
    /// Writes the blocks. It may be called once only, and while it is, nothing else goes over the wire.
    fn write(&self, blocks: &mut Blocks<'_>);
}

/// Blocks that a function writes, as [`core::fmt::from_fn`] makes text that a function writes.
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

/// Makes content of a function that writes blocks.
pub const fn from_fn<F: Fn(&mut Blocks<'_>)>(write: F) -> FromFn<F> {
    FromFn(write)
}

impl<F> fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromFn").finish_non_exhaustive()
    }
}

impl<F: Fn(&mut Blocks<'_>)> Content for FromFn<F> {
    fn write(&self, blocks: &mut Blocks<'_>) {
        (self.0)(blocks);
    }
}

/// An image, alone.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "an image has data and a type")]
pub struct Image<'a> {
    /// The bytes of the file.
    pub data: &'a [u8],
    /// What they are, such as `image/png`.
    pub mime_type: &'a str,
}

impl Content for Image<'_> {
    fn write(&self, blocks: &mut Blocks<'_>) {
        blocks.image(self.data, self.mime_type);
    }
}

/// A sound, alone.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a sound has data and a type")]
pub struct Audio<'a> {
    /// The bytes of the file.
    pub data: &'a [u8],
    /// What they are, such as `audio/wav`.
    pub mime_type: &'a str,
}

impl Content for Audio<'_> {
    fn write(&self, blocks: &mut Blocks<'_>) {
        blocks.audio(self.data, self.mime_type);
    }
}

/// Who a block of content is for, and how much it matters to them.
///
/// ```
/// # use toolwire::content::{Annotations, Content, Role, from_fn};
/// fn look(frame: &[u8]) -> impl Content {
///     from_fn(move |blocks| {
///         blocks.annotated(Annotations::new().with_audience(&[Role::User])).image(frame, "image/png");
///         blocks.annotated(Annotations::new().with_priority(20)).text(&"taken at noon");
///     })
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Annotations<'a> {
    audience: &'a [Role],
    priority: Option<u8>,
    last_modified: Option<&'a str>,
}

/// Who reads a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the protocol knows these")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl<'a> Annotations<'a> {
    /// Nothing as yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { audience: &[], priority: None, last_modified: None }
    }

    /// With those whom the block is for.
    #[must_use]
    pub const fn with_audience(self, audience: &'a [Role]) -> Self {
        Self { audience, ..self }
    }

    /// With how much the block matters, in percent: 100 cannot be left out, 0 can. It is sent as a number from 0 to 1.
    #[must_use]
    pub const fn with_priority(self, percent: u8) -> Self {
        Self { priority: Some(if percent < 100 { percent } else { 100 }), ..self }
    }

    /// With the time of the last change, in ISO 8601: `2026-01-05T10:00:00Z`. Sent from 2025-06-18 on.
    #[must_use]
    pub const fn with_last_modified(self, time: &'a str) -> Self {
        Self { last_modified: Some(time), ..self }
    }

    /// Writes them as the first member of an object, with the comma behind it.
    fn write(self, out: &mut Writer<'_>, revision: Revision) {
        out.raw("\"annotations\":{");
        let mut before = "\"audience\":[\"";
        for role in self.audience {
            out.raw(before);
            out.raw(match role {
                Role::User => "user",
                Role::Assistant => "assistant",
            });
            before = "\",\"";
        }
        before = if self.audience.is_empty() { "" } else { "\"]," };
        if let Some(percent) = self.priority {
            out.raw(before);
            out.raw("\"priority\":");
            out.raw(match percent {
                100.. => "1",
                10.. => "0.",
                _ => "0.0",
            });
            if percent < 100 {
                out.integer(percent.into());
            }
            before = ",";
        }
        if let Some(time) = self.last_modified.filter(|_| revision.rules().titles) {
            out.raw(before);
            out.raw("\"lastModified\":");
            out.string(time);
        } else {
            out.raw(before.strip_suffix(',').unwrap_or_default());
        }
        out.raw("},");
    }
}

/// A block with annotations, or of a message, on its way: each function adds it. Without one, nothing is added.
#[must_use = "a block is added by one of the functions"]
pub struct Block<'b, 'w> {
    blocks: &'b mut Blocks<'w>,
    annotations: Option<Annotations<'b>>,
    /// Who says it, if it is the content of a message.
    role: Option<Role>,
}

impl fmt::Debug for Block<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { annotations, role, .. } = self;
        f.debug_struct("Block").field("annotations", annotations).field("role", role).finish_non_exhaustive()
    }
}

impl<'b, 'w> Block<'b, 'w> {
    /// With annotations.
    pub fn annotated(self, annotations: Annotations<'b>) -> Self {
        Self { annotations: Some(annotations), ..self }
    }

    /// Adds text, as [`Blocks::text`].
    pub fn text(self, text: &dyn Display) {
        self.add(|blocks| blocks.text(text));
    }

    /// Adds an image, as [`Blocks::image`].
    pub fn image(self, data: &[u8], mime_type: &str) {
        self.add(|blocks| blocks.image(data, mime_type));
    }

    /// Adds a sound, as [`Blocks::audio`].
    pub fn audio(self, data: &[u8], mime_type: &str) {
        self.add(|blocks| blocks.audio(data, mime_type));
    }

    /// Adds a resource with its text, as [`Blocks::resource_text`].
    pub fn resource_text(self, uri: &str, mime_type: &str, text: &dyn Display) {
        self.add(|blocks| blocks.resource_text(uri, mime_type, text));
    }

    /// Adds a resource with its bytes, as [`Blocks::resource_bytes`].
    pub fn resource_bytes(self, uri: &str, mime_type: &str, bytes: &[u8]) {
        self.add(|blocks| blocks.resource_bytes(uri, mime_type, bytes));
    }

    /// Adds a link to a resource, as [`Blocks::link`].
    pub fn link(self, uri: &str, name: &str) {
        self.add(|blocks| blocks.link(uri, name));
    }

    /// Writes what is around the block, and lets `add` add it.
    fn add(self, add: impl FnOnce(&mut Blocks<'w>)) {
        let Self { blocks, annotations, role } = self;
        if let Some(role) = role {
            blocks.out.raw(blocks.before);
            blocks.out.raw(match role {
                Role::User => "\"role\":\"user\",\"content\":",
                Role::Assistant => "\"role\":\"assistant\",\"content\":",
            });
            blocks.before = "{";
        }
        if let Some(annotations) = annotations {
            blocks.out.raw(blocks.before);
            annotations.write(&mut blocks.out, blocks.revision);
            blocks.before = "";
        }
        add(blocks);
        if role.is_some() {
            blocks.out.raw("}");
        }
    }
}

/// The content of a result while it is written. Each function adds a block.
pub struct Blocks<'w> {
    out: Writer<'w>,
    revision: Revision,
    /// What stands before the next member of a block.
    before: &'static str,
    failed: bool,
}

impl fmt::Debug for Blocks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl<'w> Blocks<'w> {
    pub(crate) const fn new(out: Writer<'w>, revision: Revision) -> Self {
        Self { out, revision, before: "{", failed: false }
    }

    /// Whether a text failed to display itself.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failed
    }

    /// The next block, with annotations.
    pub fn annotated<'b>(&'b mut self, annotations: Annotations<'b>) -> Block<'b, 'w> {
        Block { blocks: self, annotations: Some(annotations), role: None }
    }

    /// The next block, as the content of a message.
    pub(crate) fn said_by(&mut self, role: Role) -> Block<'_, 'w> {
        Block { blocks: self, annotations: None, role: Some(role) }
    }

    /// Adds text. If it fails to display itself, what it wrote so far is the text, and the call has failed.
    pub fn text(&mut self, text: &dyn Display) {
        self.open("text");
        self.inside("text", text);
        self.out.raw("}");
    }

    /// Adds an image, in base64.
    pub fn image(&mut self, data: &[u8], mime_type: &str) {
        self.data("image", data, mime_type);
    }

    /// Adds a sound, in base64. 2024-11-05 has none: there it becomes text that says so (GATE-2).
    pub fn audio(&mut self, data: &[u8], mime_type: &str) {
        if self.revision.rules().annotations {
            self.data("audio", data, mime_type);
        } else {
            self.text(&format_args!("a sound, {mime_type}"));
        }
    }

    /// Adds a resource with its text (CALL-9).
    pub fn resource_text(&mut self, uri: &str, mime_type: &str, text: &dyn Display) {
        self.resource(uri, mime_type, "text", text);
    }

    /// Adds a resource with its bytes, in base64 (CALL-9).
    pub fn resource_bytes(&mut self, uri: &str, mime_type: &str, bytes: &[u8]) {
        self.resource(uri, mime_type, "blob", &Base64Display::new(bytes, &STANDARD));
    }

    /// Adds a link to a resource, which the client may read. Revisions before 2025-06-18 have none: there its address
    /// becomes text (GATE-2).
    pub fn link(&mut self, uri: &str, name: &str) {
        if !self.revision.rules().titles {
            return self.text(&uri);
        }
        self.open("resource_link");
        self.out.member("uri", Some(uri));
        self.out.member("name", Some(name));
        self.out.raw("}");
    }

    fn open(&mut self, kind: &str) {
        self.out.raw(self.before);
        self.before = ",{";
        self.out.raw("\"type\":");
        self.out.string(kind);
    }

    fn inside(&mut self, name: &str, text: &dyn Display) {
        self.out.raw(",");
        self.out.string(name);
        self.out.raw(":\"");
        self.failed |= !self.out.inside(text);
        self.out.raw("\"");
    }

    fn data(&mut self, kind: &str, data: &[u8], mime_type: &str) {
        self.open(kind);
        self.inside("data", &Base64Display::new(data, &STANDARD));
        self.out.member("mimeType", Some(mime_type));
        self.out.raw("}");
    }

    fn resource(&mut self, uri: &str, mime_type: &str, kind: &str, contents: &dyn Display) {
        self.open("resource");
        self.out.raw(",\"resource\":{\"uri\":");
        self.out.string(uri);
        self.out.member("mimeType", Some(mime_type));
        self.inside(kind, contents);
        self.out.raw("}}");
    }
}
