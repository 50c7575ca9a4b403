struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://a/{level}")]
    fn level(level: f32) -> f32 {
        level
    }

    #[resource(uri = "lamp://b/{on}")]
    fn on(on: bool) -> bool {
        on
    }

    #[resource(uri = "lamp://c/{id}")]
    fn id(id: Option<u8>) -> Option<u8> {
        id
    }
}

fn main() {}
