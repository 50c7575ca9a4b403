struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://a/{id}")]
    fn pattern((id, rest): (u8, u8)) -> u8 {
        id ^ rest
    }

    #[resource(uri = "lamp://b/{id}")]
    fn opaque(id: impl core::fmt::Display) -> String {
        id.to_string()
    }

    #[resource(uri = "lamp://c/{id}")]
    fn conditional(#[cfg(all())] id: u8) -> u8 {
        id
    }
}

fn main() {}
