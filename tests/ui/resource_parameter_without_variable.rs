struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://state")]
    fn state(&self, id: u8) -> u8 {
        id
    }

    #[resource(uri = "lamp://{id}/{colour}")]
    fn colour(id: u8, color: &str, colour: &str) -> String {
        format!("{id} {color} {colour}")
    }
}

fn main() {}
