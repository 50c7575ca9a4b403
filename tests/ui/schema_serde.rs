use serde::Serialize;
use toolwire::Schema;

fn written<S: serde::Serializer>(_: &u8, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("")
}

#[derive(Serialize, Schema)]
struct Inner {
    a: u8,
}

#[derive(Serialize, Schema)]
struct Fields {
    #[serde(flatten)]
    inner: Inner,
    #[serde(rename = "b", serialize_with = "written")]
    with: u8,
    #[serde(rename = "b")]
    b: u8,
}

#[derive(Serialize, Schema)]
#[serde(tag = "kind")]
struct Tagged {
    a: u8,
}

#[derive(Serialize, Schema)]
#[serde(transparent)]
struct Transparent {
    a: u8,
}

#[derive(Serialize, Schema)]
#[serde(untagged)]
enum Untagged {
    A,
}

#[derive(Serialize, Schema)]
enum Skipped {
    A,
    #[serde(skip)]
    B,
}

fn main() {}
