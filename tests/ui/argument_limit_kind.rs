struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// A length of a number.
    #[tool]
    fn number(&mut self, #[argument(min_length = 1)] level: u8) {
        let _ = level;
    }
}

#[derive(toolwire::Argument)]
struct Name<'a> {
    #[argument(max_items = 3)]
    name: &'a str,
}

#[derive(toolwire::Argument)]
struct Levels {
    #[argument(min_length = 1)]
    levels: [u8; 4],
}

#[derive(toolwire::Argument)]
struct Contradiction {
    #[argument(min = 3, max = 2)]
    level: u8,
}

fn main() {}
