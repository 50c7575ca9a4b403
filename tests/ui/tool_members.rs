use toolwire::toolset;

struct Lamp;

#[toolset]
impl Lamp {
    /// Icons that clients refuse.
    #[tool(
        icon = "http://example.com/a.png",
        icon("a.png", sizes = "big", theme = "blue", colour = "red"),
        icon(4),
        icon
    )]
    fn icons() {}

    /// Metadata that is none.
    #[tool(meta("io.modelcontextprotocol/x" = 1, "a b" = 2, "a" = 3, "a" = 4, "c" = 'c', "d" = LIMIT))]
    fn keys() {}

    /// Forms.
    #[tool(meta = "a", title("a"), read_only(true))]
    fn forms() {}
}

fn main() {}
