#[derive(toolwire::Argument)]
enum Never {}

fn main() {}
