use serde::Serialize;
use toolwire::Schema;

#[derive(Serialize, Schema)]
struct Tuple(u8, u8);

#[derive(Serialize, Schema)]
struct Generic<T> {
    value: T,
}

#[derive(Serialize, Schema)]
enum Fields {
    A { a: u8 },
    B(u8),
}

#[derive(Serialize, Schema)]
enum Empty {}

#[derive(Schema)]
union Either {
    a: u8,
    b: i8,
}

#[derive(Serialize, Schema)]
#[schema(rename_all = "camelCase")]
struct Options {
    #[schema(rename = "b")]
    a: u8,
}

fn main() {}
