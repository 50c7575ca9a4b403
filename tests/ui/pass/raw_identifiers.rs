//! Keywords as names lose their `r#` in JSON.

use toolwire::{Argument, Catalog, toolset};

#[derive(Argument)]
struct Search {
    r#type: u8,
}

#[derive(Argument)]
#[argument(rename_all = "lowercase")]
enum Kind {
    r#Type,
}

struct Files;

#[toolset]
impl Files {
    /// Move a file.
    #[tool]
    fn r#move(&self, r#type: &str, r#in: Search, kind: Kind) -> u8 {
        let (_, Kind::r#Type) = (r#type, kind);
        r#in.r#type
    }
}

fn main() {
    let [tool] = Files::TOOLS else { panic!() };
    assert_eq!(tool.name, "move");
    let names: Vec<_> = tool.input.properties.iter().map(|property| property.name).collect();
    assert_eq!(names, ["type", "in", "kind"]);
}
