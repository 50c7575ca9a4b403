//! The same two tools, and one that can be stopped.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    duplex:

    /// Fade to nothing.
    #[tool]
    fn fade(&mut self, context: &toolwire::Context<'_>) {
        while self.level > 0 && !context.is_cancelled() {
            self.level -= 1;
        }
    }
}
