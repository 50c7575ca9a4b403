use toolwire::tool;

struct Lamp;

impl Lamp {
    /// Switch on.
    #[tool(idempotent)]
    fn on(
        &mut self,
        /// How bright.
        #[argument(max = 100)]
        level: u8,
    ) {
        let _ = level;
    }
}

/// Switch off.
#[tool]
fn off() {}

fn main() {
    Lamp.on(1);
    off();
}
