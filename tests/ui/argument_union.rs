#[derive(toolwire::Argument)]
union Level {
    percent: u8,
    steps: u8,
}

fn main() {}
