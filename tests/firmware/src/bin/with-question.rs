//! The same two tools, and one that asks.

#![no_std]
#![no_main]

use toolwire::tool::Unanswered;
use toolwire::{Argument, Context};

#[derive(Argument)]
struct Consent {
    /// `true` for dark.
    off: bool,
}

toolwire_firmware::lamp_image! {
    duplex:

    /// Switch the lamp off if somebody says so.
    #[tool]
    fn ask_to_switch_off(&mut self, context: &Context<'_>) -> Result<&'static str, Unanswered> {
        let Consent { off } = context.ask("consent", "Shall it be dark?")?;
        self.is_on &= !off;
        Ok("Done.")
    }
}
