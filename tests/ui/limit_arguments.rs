struct Wide;

#[toolwire::toolset]
impl Wide {
    /// Seventeen arguments.
    #[tool]
    fn wide(a1: u8, a2: u8, a3: u8, a4: u8, a5: u8, a6: u8, a7: u8, a8: u8, a9: u8, a10: u8, a11: u8, a12: u8, a13: u8, a14: u8, a15: u8, a16: u8, a17: u8) {
        let _ = (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17);
    }
}

fn main() {
    let _ = toolwire::Server::<_, 256>::new(toolwire::ServerInfo::new("wide", "1"), Wide);
}
