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

/// The content of a result while it is written. Each function adds a block.
pub struct Blocks<'w> {
    out: Writer<'w>,
    revision: Revision,
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
        Self { out, revision, before: "", failed: false }
    }

    /// Whether a text failed to display itself.
    pub(crate) const fn has_failed(&self) -> bool {
        self.failed
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
        self.before = ",";
        self.out.raw("{\"type\":");
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
