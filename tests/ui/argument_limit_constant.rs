struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// A value that is no constant.
    #[tool]
    fn variable(&mut self, #[argument(min_length = u32::from(2_u8))] name: &str) {
        let _ = name;
    }
}

fn main() {}
