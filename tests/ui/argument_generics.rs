use toolwire::Argument;

#[derive(Argument)]
struct Level<T> {
    level: T,
}

#[derive(Argument)]
struct Levels<const N: usize> {
    levels: [u8; N],
}

#[derive(Argument)]
struct Names<'a, 'b> {
    first: &'a str,
    second: &'b str,
}

fn main() {}
