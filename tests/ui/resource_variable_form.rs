struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://{id")]
    fn open(id: &str) -> &str {
        id
    }

    #[resource(uri = "lamp://id}")]
    fn closed() -> &'static str {
        ""
    }

    #[resource(uri = "lamp://{id}}/state")]
    fn closed_twice(id: &str) -> &str {
        id
    }

    #[resource(uri = "lamp://{}/name")]
    fn nameless() -> &'static str {
        ""
    }

    #[resource(uri = "lamp://{+path}")]
    fn operator(path: &str) -> &str {
        path
    }

    #[resource(uri = "lamp://{id}/{id}")]
    fn twice(id: &str) -> &str {
        id
    }

    #[resource(uri = "lamp://{id}{colour}")]
    fn together(id: &str, colour: &str) -> String {
        format!("{id} {colour}")
    }
}

fn main() {}
