struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://{id}/state")]
    fn state(&self) -> &'static str {
        "off"
    }

    #[resource(uri = "lamp://{id}/{colour}")]
    fn colour(&self, id: u8) -> u8 {
        id
    }

    #[resource(uri = "lamp://{id}/name")]
    const NAME: &'static str = "lamp";
}

fn main() {}
