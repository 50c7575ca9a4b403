//! The crate by another path.

mod inner {
    pub mod reexport {
        pub use ::toolwire as wire;
    }
}

/// What `::toolwire` must not be taken for.
#[allow(dead_code)]
mod toolwire {}

use inner::reexport::wire;

#[derive(wire::Argument)]
#[argument(crate = crate::inner::reexport::wire)]
struct Level {
    #[argument(max = 100, default = 50)]
    percent: u8,
}

#[derive(wire::Argument)]
#[argument(crate = wire)]
enum Colour {
    Red,
}

struct Lamp;

#[wire::toolset(crate = inner::reexport::wire)]
impl Lamp {
    /// Set the level.
    #[tool]
    fn level(&self, level: Level, #[argument(default = Colour::Red)] colour: Colour) -> u8 {
        let Colour::Red = colour;
        level.percent
    }
}

fn main() {
    assert_eq!(<Lamp as wire::Catalog>::TOOLS.len(), 1);
}
