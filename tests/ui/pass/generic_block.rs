//! Lifetimes, types, constants and bounds on the block.

use core::fmt::{Debug, Display};

use toolwire::{Argument, Catalog, toolset};

trait OutputPin {
    type Error: Debug;
    fn set(&mut self, high: bool) -> Result<(), Self::Error>;
}

struct Board<'d, L: OutputPin, const N: usize> {
    name: &'d str,
    lamps: [L; N],
}

struct Failed;

impl Display for Failed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("failed")
    }
}

#[derive(Argument)]
struct Named<'n>
where
    Self: 'n,
{
    name: &'n str,
}

#[toolset]
impl<'d, L: OutputPin, const N: usize> Board<'d, L, N>
where
    L::Error: Clone,
{
    /// Switch a lamp.
    #[tool]
    fn lamp_set(&mut self, index: u8, on: bool, levels: [u8; N], named: Named<'_>) -> Result<(), Failed> {
        let _ = (levels, named.name);
        self.lamps.get_mut(usize::from(index)).ok_or(Failed)?.set(on).map_err(|_| Failed)
    }

    /// Read the name.
    #[tool(read_only)]
    fn name(&self) -> &'d str {
        self.name
    }

    /// Read the name for as long as the board lives.
    #[tool(read_only)]
    fn name_ref(&self, prefix: &str) -> impl Display {
        format!("{prefix}{}", self.name)
    }
}

struct Anonymous<'a>(&'a str);

#[toolset]
impl Anonymous<'_> {
    /// Read it.
    #[tool]
    fn read(&self) -> &str {
        self.0
    }
}

struct Pin;

impl OutputPin for Pin {
    type Error = u8;
    fn set(&mut self, _: bool) -> Result<(), u8> {
        Ok(())
    }
}

fn main() {
    assert_eq!(Board::<Pin, 2>::TOOLS.len(), 3);
    assert_eq!(Anonymous::TOOLS.len(), 1);
    let _ = Board { name: "b", lamps: [Pin, Pin] };
    let _ = Anonymous("a");
}
