struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Set the level.
    #[tool]
    fn level(&mut self, level: u128) {
        let _ = level;
    }
}

#[derive(toolwire::Argument)]
struct Level {
    level: i128,
}

fn main() {}
