//! Every form that a prompt may have.

#![deny(warnings, missing_docs, unused, unused_qualifications, elided_lifetimes_in_paths, single_use_lifetimes)]
#![deny(unnameable_types)]
#![forbid(unsafe_code)]

use core::fmt::{self, Display};

use toolwire::{Argument, Server, ServerInfo, Catalog, Toolset, toolset};

/// Where.
#[derive(Argument, Clone, Copy, Debug)]
enum Place {
    North,
    #[argument(rename = "far south")]
    South,
}

struct Broken;

impl Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken")
    }
}

const SYMPTOMS: [&str; 2] = ["dark", "dim"];

/// Prompts alone make a toolset.
struct Lamp {
    asked: u8,
}

#[toolset]
impl Lamp {
    const PLACES: &'static [&'static str] = &["shed", "yard"];

    /// Nothing to fill in, and
    /// no receiver.
    #[prompt]
    fn bare() -> &'static str {
        "bare"
    }

    /// Every option.
    #[prompt(name = "all-options", title = "All options")]
    fn all(
        &mut self,
        /// What is wrong.
        #[argument(rename = "what", suggest = SYMPTOMS)]
        mut symptom: &str,
        #[argument(suggest = Self::PLACES)] place: Option<&str>,
        #[argument(suggest = [])] r#type: &str,
    ) -> Result<impl Display, Broken> {
        self.asked += 1;
        if symptom.is_empty() {
            return Err(Broken);
        }
        symptom = symptom.trim();
        Ok(format!("{} {symptom} {place:?} {}", self.asked, r#type))
    }

    /// Every type.
    #[toolwire::prompt]
    fn types(
        &self,
        __index: &str,
        a: i8,
        b: u16,
        c: i64,
        place: Place,
        maybe: Option<Place>,
        many: Option<u64>,
        prompting: Option<&'_ str>,
    ) -> String {
        format!("{__index} {a} {b} {c} {place:?} {maybe:?} {many:?} {prompting:?}")
    }

    /// It gives back what it was given.
    #[prompt]
    #[must_use]
    pub fn echo(text: &str) -> &str {
        text
    }

    /// Only where it can be.
    #[cfg(any())]
    #[prompt]
    fn absent(missing: Missing) -> Missing {}

    /// Here, if not there.
    #[cfg(not(any()))]
    #[prompt]
    fn either(self: &Self) -> u8 {
        self.asked
    }

    /// There, if not here.
    #[cfg(any())]
    #[prompt]
    fn either(&self) -> u8 {
        2
    }

    /** A block comment,
     * in two lines. */
    #[prompt(title = "Last")]
    fn last(self: &mut Self) -> Result<u8, fmt::Error> {
        Err(fmt::Error)
    }
}

/// Prompts of a generic block.
struct Generic<'d, T, const N: usize>(&'d str, T);

#[toolset]
impl<T: Display, const N: usize> Generic<'_, T, N> {
    /// Of a generic block.
    #[prompt]
    fn generic(&self, place: Place, #[argument(suggest = ["x"])] text: &str) -> impl Display {
        format!("{} {} {N} {place:?} {text}", self.0, self.1)
    }
}

fn ask<T: Toolset>(toolset: T, method: &str, params: &str) -> String {
    let mut server = Server::<_, 1024>::new(ServerInfo::new("lamp", "1.0.0"), toolset);
    let mut answer = [0_u8; 4096];
    let mut rest = &mut answer[..];
    let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{params}}}\n");
    server.receive(message.as_bytes(), &mut rest).unwrap();
    let unused = rest.len();
    String::from_utf8(answer[..4096 - unused].to_vec()).unwrap()
}

fn get(name: &str, arguments: &str) -> String {
    ask(Lamp { asked: 6 }, "prompts/get", &format!(r#"{{"name":"{name}","arguments":{arguments}}}"#))
}

fn expect(answer: &str, part: &str) {
    assert!(answer.contains(part), "{part} is not in {answer}");
}

fn main() {
    assert!(Lamp::TOOLS.is_empty());
    let listed = ask(Lamp { asked: 0 }, "prompts/list", "{}");
    let prompts = concat!(
        r#""prompts":[{"name":"bare","description":"Nothing to fill in, and no receiver."},"#,
        r#"{"name":"all-options","title":"All options","description":"Every option.","arguments":["#,
        r#"{"name":"what","description":"What is wrong.","required":true},{"name":"place","required":false},"#,
        r#"{"name":"type","required":true}]},"#,
        r#"{"name":"types","description":"Every type.","arguments":[{"name":"__index","required":true},"#,
        r#"{"name":"a","required":true},{"name":"b","required":true},{"name":"c","required":true},"#,
        r#"{"name":"place","required":true},{"name":"maybe","required":false},{"name":"many","required":false},"#,
        r#"{"name":"prompting","required":false}]},"#,
        r#"{"name":"echo","description":"It gives back what it was given.","arguments":[{"name":"text","required":true}]},"#,
        r#"{"name":"either","description":"Here, if not there."},"#,
        r#"{"name":"last","title":"Last","description":"A block comment, in two lines."}]"#,
    );
    expect(&listed, prompts);

    expect(&get("bare", "{}"), r#""text":"bare""#);
    expect(&get("all-options", r#"{"what":" dark ","type":"x"}"#), r#""text":"7 dark None x""#);
    expect(&get("all-options", r#"{"what":"dark","place":"shed","type":"x"}"#), r#""text":"7 dark Some(\"shed\") x""#);
    expect(&get("all-options", r#"{"what":"","type":""}"#), r#"{"code":-32603,"message":"broken"}"#);
    expect(
        &get("types", r#"{"__index":"i","a":"-1","b":"2","c":"3","place":"north","maybe":"far south","many":"4"}"#),
        r#""text":"i -1 2 3 North Some(South) Some(4) None""#,
    );
    expect(&get("types", r#"{"__index":"i","a":"128","b":"2","c":"3","place":"north"}"#), r#""message":"a: "#);
    expect(&get("echo", r#"{"text":"again"}"#), r#""text":"again""#);
    expect(&get("either", "{}"), r#""text":"6""#);
    expect(&get("last", "{}"), r#""code":-32603"#);
    expect(&get("absent", "{}"), r#""code":-32602"#);

    let complete = |prompt: &str, name: &str| {
        let params =
            format!(r#"{{"ref":{{"type":"ref/prompt","name":"{prompt}"}},"argument":{{"name":"{name}","value":""}}}}"#);
        ask(Lamp { asked: 0 }, "completion/complete", &params)
    };
    expect(&complete("all-options", "what"), r#""values":["dark","dim"]"#);
    expect(&complete("all-options", "place"), r#""values":["shed","yard"]"#);
    expect(&complete("all-options", "type"), r#""values":[]"#);
    expect(&complete("types", "maybe"), r#""values":["north","far south"]"#);

    let generic =
        ask(Generic::<_, 3>("d", 1.5), "prompts/get", r#"{"name":"generic","arguments":{"place":"north","text":"t"}}"#);
    expect(&generic, r#""text":"d 1.5 3 North t""#);
}
