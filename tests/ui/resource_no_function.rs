struct Lamp;

macro_rules! state {
    () => {};
}

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://state")]
    state!();
}

fn main() {}
