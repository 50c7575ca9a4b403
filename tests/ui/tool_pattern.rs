struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Set the colour.
    #[tool]
    fn colour(&mut self, [red, green]: [u8; 2]) {
        let _ = (red, green);
    }

    /// Ignore something.
    #[tool]
    fn ignore(&mut self, _: u8) {}
}

fn main() {}
