struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// How it is set.
    #[tool]
    #[resource(uri = "lamp://state")]
    fn state(&self) -> &'static str {
        "off"
    }
}

fn main() {}
