struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// A default out of range.
    #[tool]
    fn default(&mut self, #[argument(default = 256)] level: u8) {
        let _ = level;
    }

    /// A limit out of range.
    #[tool]
    fn limit(&mut self, #[argument(max = 256)] level: u8) {
        let _ = level;
    }
}

fn main() {}
