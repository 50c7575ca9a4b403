use toolwire::Argument;

#[derive(Argument)]
struct Level(u8);

#[derive(Argument)]
struct Nothing;

fn main() {}
