struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out at a risk.
    #[prompt]
    unsafe fn risk(&self) -> &'static str {
        "Help."
    }

    /// Find out in general.
    #[prompt]
    fn general<'a>(&self, symptom: &'a str) -> &'a str {
        symptom
    }

    /// Find out once.
    #[prompt]
    fn once(self) -> &'static str {
        "Help."
    }
}

fn main() {}
