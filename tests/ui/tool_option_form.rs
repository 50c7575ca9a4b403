struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// A flag that is no flag.
    #[tool(read_only = "yes")]
    fn flag(&self) {}

    /// A name that is no text.
    #[tool(name = lamp)]
    fn name(&self) {}

    /// A title without one.
    #[tool(title)]
    fn title(&self) {}

    /// No parentheses.
    #[tool = "lamp"]
    fn parentheses(&self) {}

    /// A default without a value.
    #[tool]
    fn value(&self, #[argument(default)] level: u8) {
        let _ = level;
    }
}

fn main() {}
