struct Lamp;

trait Switch {
    fn on(&mut self);
}

#[toolwire::toolset]
impl Switch for Lamp {
    /// Switch on.
    #[tool]
    fn on(&mut self) {}
}

fn main() {
    Lamp.on();
}
