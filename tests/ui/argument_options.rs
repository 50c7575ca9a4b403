use toolwire::Argument;

#[derive(Argument)]
#[argument(rename_all = "Snake")]
struct Case {
    level: u8,
}

#[derive(Argument)]
#[argument(additional_properties)]
enum Open {
    Low,
}

#[derive(Argument)]
#[argument(deny_unknown)]
struct Unknown {
    #[argument(skip)]
    level: u8,
}

#[derive(Argument)]
enum Variant {
    #[argument(rename = "low", rename = "least")]
    Low,
    #[argument(default)]
    High,
}

fn main() {}
