struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Set the level.
    #[tool]
    fn level(&mut self, #[argument(default = Some(1))] level: Option<u8>) {
        let _ = level;
    }
}

#[derive(toolwire::Argument)]
struct Level {
    #[argument(default = None)]
    level: Option<u8>,
}

fn main() {}
