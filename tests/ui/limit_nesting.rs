struct Deep;

#[toolwire::toolset]
impl Deep {
    /// Nine levels, that of the arguments included.
    #[tool]
    fn deep(x: L2) {
        let _ = x.x.x.x.x.x.x.x.x;
    }
}

#[derive(toolwire::Argument)]
struct L2 {
    x: L3,
}

#[derive(toolwire::Argument)]
struct L3 {
    x: L4,
}

#[derive(toolwire::Argument)]
struct L4 {
    x: L5,
}

#[derive(toolwire::Argument)]
struct L5 {
    x: L6,
}

#[derive(toolwire::Argument)]
struct L6 {
    x: L7,
}

#[derive(toolwire::Argument)]
struct L7 {
    x: L8,
}

#[derive(toolwire::Argument)]
struct L8 {
    x: L9,
}

#[derive(toolwire::Argument)]
struct L9 {
    x: u8,
}

fn main() {
    let _ = toolwire::Server::<_, 256>::new(toolwire::ServerInfo::new("deep", "1"), Deep);
}
