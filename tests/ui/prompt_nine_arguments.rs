struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Ask for much.
    #[prompt]
    fn much(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8) -> u64 {
        [a, b, c, d, e, f, g, h, i].map(u64::from).into_iter().sum()
    }
}

fn main() {}
