struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// The brightest.
    #[tool]
    const MAX: u8 = 100;

    /// Switch on.
    #[tool]
    fn on(&mut self) {}
}

fn main() {
    let _ = Lamp::MAX;
}
