struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[prompt]
    fn diagnose(&self, #[cfg(any())] symptom: &str) -> &'static str {
        "Help."
    }
}

fn main() {}
