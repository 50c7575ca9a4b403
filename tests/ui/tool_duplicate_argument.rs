struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Set the colour.
    #[tool]
    fn colour(&mut self, red: u8, #[argument(rename = "red")] green: u8) {
        let _ = (red, green);
    }
}

fn main() {}
