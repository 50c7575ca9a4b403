struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "state")]
    const NO_SCHEME: &'static str = "";

    #[resource(uri = "lamp:")]
    const NOTHING_BEHIND: &'static str = "";

    #[resource(uri = "1amp://state")]
    const DIGIT: &'static str = "";

    #[resource(uri = "la_mp://state")]
    const UNDERSCORE: &'static str = "";

    #[resource(uri = "lamp://the state")]
    const SPACE: &'static str = "";

    #[resource(uri = "lamp://größe")]
    const LETTER: &'static str = "";

    #[resource(uri = "lamp:\\state")]
    const BACKSLASH: &'static str = "";

    #[resource(uri = "{scheme}://state")]
    fn scheme(scheme: &str) -> &str {
        scheme
    }

    #[resource(uri = 5)]
    const NUMBER: &'static str = "";
}

fn main() {}
