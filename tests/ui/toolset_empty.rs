struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Switch on.
    fn on(&mut self) {}
}

fn main() {
    Lamp.on();
}
