struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://{a}/{b}/{c}/{d}/{e}")]
    fn state(a: u8, b: u8, c: u8, d: u8, e: u8) -> u8 {
        a ^ b ^ c ^ d ^ e
    }
}

fn main() {}
