struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[prompt]
    fn diagnose(#[argument(suggest = "dark")] symptom: &str) -> &str {
        symptom
    }

    /// Find out how much is wrong.
    #[prompt]
    fn count(#[argument(suggest = [1, 2])] faults: u8) -> u8 {
        faults
    }
}

fn main() {}
