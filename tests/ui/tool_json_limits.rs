use serde::Serialize;
use toolwire::{Json, Schema, toolset};

#[derive(Serialize, Schema)]
struct Contradiction {
    #[schema(min = 3, max = 2)]
    a: u8,
}

#[derive(Serialize, Schema)]
struct OfNoNumber {
    #[schema(min_length = 3)]
    a: bool,
}

#[derive(Serialize, Schema)]
struct Deep {
    list: [[[[[[[[u8; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1],
}

struct Number;

#[toolset]
impl Number {
    /// No object.
    #[tool]
    fn number() -> Json<u8> {
        Json(1)
    }
}

struct List;

#[toolset]
impl List {
    /// No object, or an error.
    #[tool]
    fn list() -> Result<Json<[u8; 2]>, &'static str> {
        Ok(Json([1, 2]))
    }
}

struct Well;

#[toolset]
impl Well {
    /// Nine levels.
    #[tool]
    fn deep() -> Json<Deep> {
        Json(Deep { list: [[[[[[[[1]]]]]]]] })
    }
}

fn main() {}
