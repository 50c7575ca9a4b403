struct Lamp;

struct Fault;

#[toolwire::toolset]
impl Lamp {
    /// Find out what is wrong.
    #[prompt]
    fn diagnose(&self) -> Fault {
        Fault
    }

    /// Find out, or not.
    #[prompt]
    fn attempt(&self) -> Result<&'static str, Fault> {
        Err(Fault)
    }

    /// Say nothing.
    #[prompt]
    fn nothing(&self) {}
}

fn main() {}
