struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Give the lamp away.
    #[tool]
    fn give(self) {}

    /// Give it away in a box.
    #[tool]
    fn give_boxed(self: Box<Self>) {}
}

fn main() {}
