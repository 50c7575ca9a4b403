use toolwire::toolset;

#[toolset]
struct Lamp {
    on: bool,
}

#[toolset]
fn on() {}

fn main() {
    on();
    let _ = Lamp { on: true }.on;
}
