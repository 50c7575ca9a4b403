use toolwire::Context;

struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// An option on the context.
    #[tool]
    fn option(&mut self, #[argument(rename = "c")] context: &mut Context<'_>) {
        let _ = context;
    }

    /// Two of them.
    #[tool]
    fn two(&mut self, first: &mut Context<'_>, second: &mut Context<'_>) {
        let _ = (first, second);
    }
}

fn main() {}
