struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://name", constant)]
    const NAME: &'static str = "lamp";

    #[resource(uri = "lamp://state", constant = "yes")]
    fn state(&self) -> &'static str {
        "off"
    }
}

fn main() {}
