struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[prompt(read_only, title)]
    fn diagnose(#[argument(default = "dark")] symptom: &str, #[argument(suggest)] detail: &str) -> bool {
        symptom == detail
    }

    /// Find out more.
    #[prompt = "more"]
    fn more(&self) -> &'static str {
        "Help."
    }
}

fn main() {}
