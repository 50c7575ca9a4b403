//! The same two tools, and one that tells how far it is.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    plain:

    /// Fade to nothing.
    #[tool]
    fn fade(&mut self, context: &toolwire::Context<'_>) {
        while self.level > 0 {
            self.level -= 1;
            context.progress(u32::from(100 - self.level), 100);
        }
    }
}
