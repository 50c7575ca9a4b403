struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[prompt]
    fn diagnose() -> &'static str {
        "Help."
    }

    /// Find out more.
    #[prompt(name = "diagnose")]
    fn more() -> &'static str {
        "More."
    }

    /// Compare two texts.
    #[prompt]
    fn compare(text: &str, #[argument(rename = "text")] other: &str) -> bool {
        text == other
    }
}

fn main() {}
