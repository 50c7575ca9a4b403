struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Switch on, if all goes well.
    #[tool]
    unsafe fn on(&mut self) {}
}

fn main() {}
