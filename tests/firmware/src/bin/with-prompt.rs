//! The same two tools, and a prompt, whose argument is completed.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image! {
    plain:

    /// Find out why the lamp flickers.
    #[prompt]
    fn diagnose(
        &self,
        /// What was done last.
        #[argument(suggest = ["bulb changed", "moved"])]
        last: &str,
    ) -> &str {
        if last.is_empty() { "Why?" } else { "Help." }
    }
}
