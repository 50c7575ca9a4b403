use toolwire::Bytes;

struct Colour(u8);

struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://colour")]
    fn colour(&self) -> Colour {
        Colour(5)
    }

    #[resource(uri = "lamp://maybe")]
    fn maybe(&self) -> Option<Colour> {
        Some(Colour(5))
    }

    #[resource(uri = "lamp://error")]
    fn error(&self) -> Result<u8, Colour> {
        Err(Colour(5))
    }

    #[resource(uri = "lamp://raw")]
    fn raw(&self) -> [u8; 2] {
        let Bytes(bytes) = Bytes(&[1, 2]);
        [bytes[0], bytes[1]]
    }

    #[resource(uri = "lamp://nothing")]
    fn nothing(&self) {}
}

#[toolwire::toolset]
impl Colour {
    #[resource(uri = "colour://number")]
    const NUMBER: u8 = 5;

    #[resource(uri = "colour://numbers")]
    const NUMBERS: [u8; 2] = [5, 6];
}

fn main() {}
