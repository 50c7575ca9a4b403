struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Set the level.
    #[tool]
    fn level(&mut self, #[cfg(all())] level: u8) {
        let _ = level;
    }
}

fn main() {}
