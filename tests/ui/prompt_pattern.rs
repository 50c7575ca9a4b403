struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Ignore something.
    #[prompt]
    fn ignore(_: &str) -> &'static str {
        "Help."
    }

    /// Take something apart.
    #[prompt]
    fn apart((first, second): (u8, u8)) -> u8 {
        first + second
    }
}

fn main() {}
