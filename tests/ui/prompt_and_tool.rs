struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[tool]
    #[prompt]
    fn diagnose(&self) -> &'static str {
        "Help."
    }

    /// Find out more.
    #[prompt]
    #[prompt(title = "More")]
    fn more(&self) -> &'static str {
        "Help."
    }
}

fn main() {}
