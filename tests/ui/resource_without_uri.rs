struct Lamp;

#[toolwire::toolset]
impl Lamp {
    /// How it is set.
    #[resource(mime_type = "text/plain")]
    fn state(&self) -> &'static str {
        "off"
    }

    #[resource]
    const NAME: &'static str = "lamp";
}

fn main() {}
