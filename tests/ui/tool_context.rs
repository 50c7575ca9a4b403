use toolwire::Context;

struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// An option on the context.
    #[tool]
    fn option(&mut self, #[argument(rename = "c")] context: &Context<'_>) {
        let _ = context;
    }

    /// Two of them.
    #[tool]
    fn two(&mut self, first: &Context<'_>, second: &Context<'_>) {
        let _ = (first, second);
    }

    /// To be changed.
    #[tool]
    fn mutable(&mut self, context: &mut Context<'_>) {
        let _ = context;
    }
}

fn main() {}
