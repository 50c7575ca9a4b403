//! Every mistake is reported, and nothing that only follows from one.

use toolwire::{Server, ServerInfo, toolset};

struct Lamp;

#[toolset]
impl Lamp {
    #[tool(loud)]
    unsafe fn on(
        self,
        /// How bright.
        (level, max): (u8, u8),
        #[argument(default = None)] colour: Option<u8>,
    ) {
        let _ = (level, max, colour);
    }

    /// Switch off.
    #[tool]
    fn off(
        &mut self,
        /// How slowly.
        seconds: u8,
    ) {
        let _ = seconds;
    }
}

fn main() {
    Lamp.off(1);
    let _ = Server::<_, 64>::new(ServerInfo::new("lamp", "1.0.0"), Lamp);
}
