struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Switch on, some time.
    #[tool]
    async fn on(&mut self) {}
}

fn main() {}
