struct Lamp;

#[toolwire::toolset]
impl Lamp {
    #[resource(uri = "lamp://unsafe")]
    unsafe fn unchecked(&self) -> &'static str {
        "off"
    }

    #[resource(uri = "lamp://{id}")]
    fn generic<T: core::fmt::Display>(id: T) -> T {
        id
    }

    #[resource(uri = "lamp://owned")]
    fn owned(self) -> &'static str {
        "off"
    }
}

fn main() {}
