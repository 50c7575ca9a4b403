//! The same two tools and one more, with two arguments of kinds that they have too.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    plain:

    /// Let the lamp blink, and come back to what it was.
    #[tool(open_world = false)]
    fn blink(
        &mut self,
        /// How often.
        #[argument(min = 1, max = 50)]
        times: u8,
        /// `true` for twice as fast.
        fast: bool,
    ) -> &'static str {
        self.is_on ^= times > 25 && fast;
        "It blinks."
    }
}
