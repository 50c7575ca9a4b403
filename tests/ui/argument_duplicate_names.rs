use toolwire::Argument;

#[derive(Argument)]
struct Colour {
    red: u8,
    #[argument(rename = "red")]
    green: u8,
}

#[derive(Argument)]
enum Level {
    Low,
    #[argument(rename = "low")]
    Least,
}

fn main() {}
