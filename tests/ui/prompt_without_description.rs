struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[prompt]
    fn diagnose(&self, symptom: &str) -> &'static str {
        let _ = symptom;
        "Help."
    }

    /// Read the lamp's state.
    #[tool]
    fn read(&self) {}
}

fn main() {}
