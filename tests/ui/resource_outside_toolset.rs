struct Lamp;

impl Lamp {
    #[toolwire::resource(uri = "lamp://state")]
    fn state(&self) -> &'static str {
        "off"
    }
}

#[toolwire::resource(uri = "lamp://name")]
const NAME: &str = "lamp";

fn main() {
    let _ = (Lamp.state(), NAME);
}
