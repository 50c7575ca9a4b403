//! The same two tools, and a resource.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    plain:

    /// How bright the lamp is, in percent.
    #[resource(uri = "lamp://level", mime_type = "text/plain")]
    fn level(&self) -> u8 {
        self.level
    }
}
