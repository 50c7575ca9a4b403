use embedded_io::{Read, Write};
use toolwire::{Server, ServerInfo, toolset};

struct Lamp;

#[toolset]
impl Lamp {
    /// Switch on, some time.
    #[tool]
    async fn on(&mut self) {}
}

fn serve(wire: &mut (impl Read + Write)) {
    let mut server = Server::<_, 256>::new(ServerInfo::new("lamp", "1.0.0"), Lamp);
    let _ = server.run(wire);
}

fn main() {}
