struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Switch on.
    #[tool]
    fn on(&mut self) {}

    /// Switch on, slowly.
    #[tool(name = "on")]
    fn on_slowly(&mut self) {}
}

fn main() {}
