struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// A space.
    #[tool(name = "lamp on")]
    fn space(&self) {}

    /// A point.
    #[tool(name = "lamp.on")]
    fn point(&self) {}

    /// Nothing.
    #[tool(name = "")]
    fn empty(&self) {}

    /// A letter beyond ASCII.
    #[tool]
    fn lámpara(&self) {}

    /// Too long.
    #[tool]
    fn lamp_lamp_lamp_lamp_lamp_lamp_lamp_lamp_lamp_lamp_lamp_lamp_lamp_lamp(&self) {}

    /// Not even by the specification.
    #[tool(name = "lamp/on", any_name)]
    fn slash(&self) {}

    /// Any name, but none given.
    #[tool(any_name)]
    fn any(&self) {}
}

fn main() {}
