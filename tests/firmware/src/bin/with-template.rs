//! The same two tools, and a family of resources.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    plain:

    /// How bright the lamp is on a day of the week, in percent.
    #[resource(uri = "lamp://{day}/level", mime_type = "text/plain")]
    fn level_on(&self, day: u8) -> u8 {
        self.level >> (day & 7)
    }
}
