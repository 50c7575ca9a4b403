//! The same two tools, and a resource that clients subscribe to.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    listening:

    /// How bright the lamp is, in percent.
    #[resource(uri = "lamp://level", mime_type = "text/plain", subscribe)]
    fn level(&self) -> u8 {
        self.level
    }
}
