struct Lamp;

#[toolwire::toolset(krate = toolwire)]
impl Lamp {
    /// Switch on.
    #[tool(readonly)]
    fn on(&mut self, #[argument(minimum = 1)] level: u8) {
        let _ = level;
    }
}

fn main() {}
