struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[tool]
    fn on(&mut self) {}

    ///
    #[tool]
    fn off(&mut self) {}
}

fn main() {}
