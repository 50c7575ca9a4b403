//! The same two tools, and one that writes to the log of the client.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    plain, logging:

    /// Fade to nothing.
    #[tool]
    fn fade(&mut self, context: &toolwire::Context<'_>) {
        self.level = 0;
        context.log(toolwire::tool::Level::Warning, &"dark");
    }
}
