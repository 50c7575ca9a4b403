struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[doc = include_str!("pass/plain.rs")]
    #[tool]
    fn on(&mut self) {}
}

fn main() {}
