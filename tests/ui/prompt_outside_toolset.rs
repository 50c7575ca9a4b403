struct Lamp;

impl Lamp {
    /// Find out what is wrong.
    #[toolwire::prompt]
    fn diagnose(
        /// What is wrong.
        #[argument(suggest = ["dark"])]
        symptom: &str,
    ) -> &str {
        symptom
    }
}

#[toolwire::prompt]
const SYMPTOM: &str = "dark";

fn main() {}
