//! Every form of a resource.

#![deny(warnings, missing_docs)]

use core::fmt::Display;

use toolwire::{Argument, Bytes, Server, ServerInfo, Catalog, Toolset, toolset};

/// Where a lamp is.
#[derive(Argument, Clone, Copy, Debug)]
#[argument(rename_all = "kebab-case")]
enum Place {
    LivingRoom,
    Hall,
}

/// Many lamps.
struct Lamps {
    picture: [u8; 3],
    reads: u32,
}

#[toolset]
impl Lamps {
    /// Do nothing.
    #[tool]
    fn idle() {}

    /// What it is.
    ///
    /// In more words.
    #[resource(uri = "lamps://about", name = "about", title = "About", mime_type = "text/plain")]
    const ABOUT: &'static str = "many lamps";

    #[resource(uri = "lamps://logo")]
    pub const LOGO: Bytes<'static> = Bytes(b"logo");

    #[toolwire::resource(uri = "lamps://picture", mime_type = "image/x-lamp")]
    fn picture(&self) -> Bytes<'_> {
        Bytes(&self.picture)
    }

    #[resource(uri = "lamps://reads")]
    fn reads(&mut self) -> impl Display {
        self.reads += 1;
        self.reads
    }

    #[resource(uri = "lamps://version", constant)]
    #[must_use]
    fn version() -> &'static str {
        "1.0"
    }

    #[resource(uri = "lamps://code", constant = false)]
    const fn code() -> Option<Bytes<'static>> {
        Some(Bytes(&[0xC0]))
    }

    #[resource(uri = "lamps://none")]
    fn none(&self) -> Option<&'static str> {
        None
    }

    #[resource(uri = "lamps://bus/{number}")]
    fn bus(number: i16) -> Result<String, &'static str> {
        if number < 0 { Err("no bus") } else { Ok(format!("bus {number}")) }
    }

    #[resource(uri = "lamps://dump/{number}")]
    fn dump(&self, number: u64) -> Result<Bytes<'_>, String> {
        let number = usize::try_from(number).map_err(|error| error.to_string())?;
        self.picture.get(..number).map(Bytes).ok_or_else(|| "too many".to_owned())
    }

    #[resource(uri = "lamps:{place}")]
    fn place(&self, place: Place) -> &'static str {
        match place {
            Place::LivingRoom => "warm",
            Place::Hall => "cold",
        }
    }

    /// The parameters are in an order of their own.
    #[resource(uri = "lamps://{place}/{name}.txt")]
    fn file(&mut self, mut name: &str, place: &str) -> String {
        name = name.trim_matches('-');
        format!("{name} in {place}")
    }

    #[resource(uri = "lamps://a/{a}-{b}/{c}:{d}")]
    fn four(d: u8, c: u8, b: u8, a: u8) -> String {
        format!("{a} {b} {c} {d}")
    }

    #[cfg(any())]
    #[resource(uri = "lamps://absent")]
    const ABSENT: Missing = Missing;

    #[cfg(any())]
    #[resource(uri = "lamps://either")]
    fn either() -> u8 {
        1
    }

    #[cfg(not(any()))]
    #[resource(uri = "lamps://either")]
    fn either() -> u8 {
        2
    }

    #[resource(uri = "lamps://last")]
    const LAST: &'static str = "last";
}

/// Has no tools.
struct Sign;

#[toolset]
impl Sign {
    #[resource(uri = "sign://text")]
    const TEXT: &'static str = "exit";
}

/// Of any length.
struct Ribbon<const N: usize, T> {
    colour: T,
}

#[toolset]
impl<const N: usize, T: Display> Ribbon<N, T> {
    #[resource(uri = "ribbon://length")]
    fn length() -> usize {
        N
    }

    #[resource(uri = "ribbon://colour")]
    fn colour(&self) -> &T {
        &self.colour
    }
}

/// What reading a resource answers, behind the id.
fn read<T: Toolset>(server: &mut Server<T, 1024>, uri: &str) -> String {
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{{\"uri\":\"{uri}\"}}}}\n"
    );
    let mut answer = Vec::new();
    server.receive(line.as_bytes(), &mut answer).unwrap();
    let answer = String::from_utf8(answer).unwrap();
    answer.strip_prefix("{\"jsonrpc\":\"2.0\",\"id\":1,").and_then(|rest| rest.strip_suffix("}\n")).unwrap().to_owned()
}

fn main() {
    // Resources, and the completion of their variables.
    assert_eq!(Lamps::FEATURES.len(), 2);
    assert_eq!(Lamps::TOOLS.len(), 1);
    assert_eq!(Sign::TOOLS.len(), 0);

    let mut lamps = Server::new(ServerInfo::new("lamps", "1.0.0"), Lamps { picture: [1, 2, 3], reads: 0 });
    for (uri, contents) in [
        ("lamps://about", r#""mimeType":"text/plain","text":"many lamps""#),
        ("lamps://logo", r#""blob":"bG9nbw==""#),
        ("lamps://picture", r#""mimeType":"image/x-lamp","blob":"AQID""#),
        ("lamps://reads", r#""text":"1""#),
        ("lamps://reads", r#""text":"2""#),
        ("lamps://version", r#""text":"1.0""#),
        ("lamps://code", r#""blob":"wA==""#),
        ("lamps://bus/32767", r#""text":"bus 32767""#),
        ("lamps://dump/2", r#""blob":"AQI=""#),
        ("lamps:living-room", r#""text":"warm""#),
        ("lamps:hall", r#""text":"cold""#),
        ("lamps://garden/-red-.txt", r#""text":"red in garden""#),
        ("lamps://a/1-2/3:4", r#""text":"1 2 3 4""#),
        ("lamps://either", r#""text":"2""#),
        ("lamps://last", r#""text":"last""#),
    ] {
        assert_eq!(read(&mut lamps, uri), format!(r#""result":{{"contents":[{{"uri":"{uri}",{contents}}}]}}"#));
    }
    for uri in ["lamps://none", "lamps://absent", "lamps://bus/32768", "lamps:Hall", "lamps://a/1-2/3:256"] {
        assert_eq!(
            read(&mut lamps, uri),
            format!(r#""error":{{"code":-32002,"message":"Resource not found","data":{{"uri":"{uri}"}}}}"#)
        );
    }
    assert_eq!(read(&mut lamps, "lamps://bus/-1"), r#""error":{"code":-32603,"message":"no bus"}"#);
    assert_eq!(read(&mut lamps, "lamps://dump/4"), r#""error":{"code":-32603,"message":"too many"}"#);

    let mut sign = Server::new(ServerInfo::new("sign", "1.0.0"), Sign);
    assert_eq!(read(&mut sign, "sign://text"), r#""result":{"contents":[{"uri":"sign://text","text":"exit"}]}"#);
    let mut ribbon = Server::new(ServerInfo::new("ribbon", "1.0.0"), Ribbon::<7, _> { colour: "red" });
    assert_eq!(read(&mut ribbon, "ribbon://length"), r#""result":{"contents":[{"uri":"ribbon://length","text":"7"}]}"#);
    assert_eq!(
        read(&mut ribbon, "ribbon://colour"),
        r#""result":{"contents":[{"uri":"ribbon://colour","text":"red"}]}"#
    );
}
