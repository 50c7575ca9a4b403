struct Lamp;

struct Colour;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong with a colour.
    #[prompt]
    fn colour(&self, colour: Colour) -> &'static str {
        let Colour = colour;
        "Help."
    }

    /// Find out whether it is bright.
    #[prompt]
    fn bright(&self, bright: bool) -> bool {
        bright
    }
}

fn main() {}
