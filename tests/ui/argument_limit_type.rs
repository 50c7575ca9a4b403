struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// An integer for a float.
    #[tool]
    fn float(&mut self, #[argument(min = 0)] level: f32) {
        let _ = level;
    }

    /// A bound on a text.
    #[tool]
    fn text(&mut self, #[argument(min = 1)] name: &str) {
        let _ = name;
    }
}

fn main() {}
