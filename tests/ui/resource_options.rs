struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://a", size = 5)]
    const UNKNOWN: &'static str = "lamp";

    #[resource(uri = "lamp://b", uri = "lamp://c")]
    const TWICE: &'static str = "lamp";

    #[resource(uri = "lamp://d")]
    #[resource(title = "Two of them")]
    const MARKED_TWICE: &'static str = "lamp";
}

fn main() {}
