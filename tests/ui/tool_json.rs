use serde::Serialize;
use toolwire::{Json, Schema, toolset};

#[derive(Serialize)]
struct Bare {
    a: u8,
}

#[derive(Schema)]
struct Mute {
    a: u8,
}

#[derive(Serialize, Schema)]
struct Holder {
    bare: Bare,
}

struct Station;

#[toolset]
impl Station {
    /// No schema.
    #[tool]
    fn bare() -> Json<Bare> {
        Json(Bare { a: 1 })
    }

    /// It does not serialize itself.
    #[tool]
    fn mute() -> Json<Mute> {
        Json(Mute { a: 1 })
    }
}

fn main() {}
