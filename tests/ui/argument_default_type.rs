struct Lamp;

#[derive(toolwire::Argument)]
struct Level {
    percent: u8,
}

#[toolwire::toolset]
impl Lamp {
    /// Another type.
    #[tool]
    fn other(&mut self, #[argument(default = "full")] level: u8) {
        let _ = level;
    }

    /// A type that cannot be printed.
    #[tool]
    fn printed(&mut self, #[argument(default = Level { percent: 1 })] level: Level) {
        let _ = level.percent;
    }
}

fn main() {}
