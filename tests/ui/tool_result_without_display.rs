struct Lamp;

struct Level(u8);

#[toolwire::toolset]
impl Lamp {
    /// Read the level.
    #[tool]
    fn level(&self) -> Level {
        Level(1)
    }

    /// Read the level, or fail in a way that cannot be said.
    #[tool]
    fn try_level(&self) -> Result<u8, Level> {
        Err(Level(1))
    }
}

fn main() {
    let Level(_) = Lamp.level();
}
