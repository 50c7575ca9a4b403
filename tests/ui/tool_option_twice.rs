struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// Switch on.
    #[tool(idempotent, name = "lamp_on", idempotent = false)]
    fn on(
        &mut self,
        #[argument(min = 1, min = 2)]
        #[argument(max = 3)]
        #[argument(max = 4)]
        level: u8,
    ) {
        let _ = level;
    }

    /// Switch off.
    #[tool(idempotent)]
    #[tool]
    fn off(&mut self) {}
}

fn main() {}
