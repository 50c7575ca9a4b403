//! The same two tools, and one that returns JSON.

#![no_std]
#![no_main]

use toolwire::{Json, Schema};

#[derive(serde::Serialize, Schema)]
struct State {
    on: bool,
    /// In percent.
    #[schema(max = 100)]
    level: u8,
}

toolwire_firmware::lamp_image! {
    plain:

    /// Tell how the lamp is.
    #[tool(read_only)]
    fn state(&self) -> Json<State> {
        Json(State { on: self.is_on, level: self.level })
    }
}
