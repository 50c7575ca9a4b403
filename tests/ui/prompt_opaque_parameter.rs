use core::fmt::Display;

struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[prompt]
    fn diagnose(&self, symptom: impl Display) -> String {
        symptom.to_string()
    }
}

fn main() {}
