use toolwire::Argument;

#[derive(Argument)]
enum Level {
    Off,
    Percent(u8),
    Between { low: u8, high: u8 },
}

struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// The refusal of the type is the only one.
    #[tool]
    fn level(&mut self, #[argument(default = Level::Off)] level: Level) {
        let _ = level;
    }
}

fn main() {}
