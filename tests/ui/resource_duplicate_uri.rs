struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://name")]
    const NAME: &'static str = "lamp";

    #[resource(uri = "lamp://name")]
    fn name(&self) -> &'static str {
        "lamp"
    }

    #[resource(uri = "lamp://{id}/state")]
    fn state(id: u8) -> u8 {
        id
    }

    #[resource(uri = "lamp://{number}/state")]
    fn same_state(number: u16) -> u16 {
        number
    }

    #[resource(uri = "lamp://state")]
    fn other_state() -> u16 {
        5
    }
}

fn main() {}
