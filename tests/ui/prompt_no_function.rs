struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[prompt]
    const DIAGNOSE: &'static str = "Help.";
}

fn main() {}
