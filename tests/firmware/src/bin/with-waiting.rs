//! The same two tools, and one that waits.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    waiting:

    /// Fade to nothing.
    #[tool]
    async fn fade(&mut self, context: &toolwire::Context<'_>) {
        while self.level > 0 && !context.is_cancelled() {
            self.level -= 1;
            embassy_futures::yield_now().await;
        }
    }
}
