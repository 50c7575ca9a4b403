//! Every feature of the macros at once.

use core::fmt::{self, Display};

use toolwire::{Argument, Context, Server, ServerInfo, Catalog, toolset};

const MOST: u8 = 100;

#[derive(Argument, Clone, Copy, Debug)]
enum Priority {
    Low,
    Medium,
    #[argument(rename = "urgent")]
    High,
}

#[derive(Argument, Clone, Copy)]
#[argument(rename_all = "SCREAMING-KEBAB-CASE")]
enum Mode {
    VerySlow,
    Fast = 7,
}

#[derive(Argument)]
struct NewTask<'a> {
    /// A short title.
    #[argument(min_length = 1, max_length = 200)]
    title: &'a str,
    /// How urgent it is.
    ///
    /// Most are not.
    #[argument(default = Priority::Medium)]
    priority: Priority,
    #[argument(max_items = 3)]
    tags: heapless::Vec<&'a str, 8>,
    parent: Option<Parent>,
}

#[derive(Argument)]
#[argument(additional_properties, rename_all = "camelCase")]
struct Parent {
    task_id: u32,
    #[argument(rename = "note", default = false)]
    has_note: bool,
}

#[derive(Argument)]
struct Nothing {}

#[derive(Debug)]
struct Full;

impl Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("full")
    }
}

struct Tasks {
    count: u32,
}

#[toolset]
impl Tasks {
    const LEAST: i8 = -40;

    /// Create a task.
    ///
    /// Use it for things to do.
    #[tool(name = "task_create", title = "Create", destructive = false, open_world = false)]
    fn create(&mut self, input: NewTask<'_>, mode: Option<Mode>) -> Result<impl Display, Full> {
        if input.tags.len() > 3 {
            Err(Full)
        } else {
            Ok(format!("{} {:?} {}", input.title, input.priority, mode.is_some()))
        }
    }

    /// List the tasks.
    #[tool(read_only, idempotent = true)]
    fn list(
        &self,
        /// Only those that are open.
        #[argument(default = true)]
        mut only_open: bool,
        #[argument(default = "all", max_length = 20)] filter: &str,
        #[argument(min = Self::LEAST, max = 0)] offset: i8,
        #[argument(default = MOST / 2, max = MOST)] limit: u8,
        #[argument(min = 0.5, max = 2.0, default = 1.0)] scale: f64,
        #[argument(min = 1)] page: Option<u16>,
        #[argument(min_items = 2)] words: heapless::Vec<heapless::String<8>, 4>,
    ) -> String {
        only_open = !only_open;
        format!("{only_open}{filter}{offset}{limit}{scale}{page:?}{words:?}")
    }

    /// Forget everything.
    #[tool(destructive, additional_properties)]
    fn clear(&mut self, parent: Option<Parent>, nothing: Nothing) {
        let Nothing {} = nothing;
        self.count = parent.map_or(0, |parent| parent.task_id + u32::from(parent.has_note));
    }

    /// Return the unit in words.
    #[toolwire::tool]
    fn unit() -> () {}

    /// Do it or say why not.
    #[tool(name = "tasks.try", any_name)]
    fn try_it(self: &mut Self, context: &Context<'_>) -> core::result::Result<(), Full> {
        let _ = context;
        Err(Full)
    }

    /// Add, without a task.
    #[tool]
    #[must_use]
    pub fn add(left: i64, context: &Context<'_>, right: i64) -> i64 {
        let _ = context;
        left.wrapping_add(right)
    }

    /// Start again.
    #[tool]
    fn reset(&mut self) -> ! {
        std::process::exit(0)
    }

    /// Only where it can be.
    #[cfg(any())]
    #[tool]
    fn absent(&self) -> Missing {}

    /// Here, if not there.
    #[cfg(not(any()))]
    #[tool]
    fn either(&self) -> u8 {
        1
    }

    /// There, if not here.
    #[cfg(any())]
    #[tool]
    fn either(&self) -> u8 {
        2
    }

    /** A block comment,
     * in two lines. */
    #[tool]
    fn last(&self) -> &'static str {
        self.plain()
    }

    fn plain(&self) -> &'static str {
        "plain"
    }
}

fn main() {
    let names: Vec<_> = Tasks::TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["task_create", "list", "clear", "unit", "tasks.try", "add", "reset", "either", "last"]);
    assert_eq!(Tasks::TOOLS[0].description, "Create a task.\n\nUse it for things to do.");
    assert_eq!(Tasks::TOOLS[8].description, "A block comment, in two lines.");
    assert!(Tasks::TOOLS[2].input.additional_properties);
    let _ = (Mode::Fast, Mode::VerySlow, Priority::Low, Priority::High);

    let mut server = Server::<_, 1024>::new(ServerInfo::new("tasks", "1.0.0"), Tasks { count: 0 });
    let mut call = |name: &str, arguments: &str| {
        let mut answer = [0_u8; 1024];
        let mut rest = &mut answer[..];
        let params = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
        let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{params}}}\n");
        server.receive(message.as_bytes(), &mut rest).unwrap();
        let unused = rest.len();
        String::from_utf8(answer[..1024 - unused].to_vec()).unwrap()
    };
    assert!(call("either", "{}").contains(r#""text":"1""#));
    assert!(call("last", "{}").contains(r#""text":"plain""#));
    assert!(call("add", r#"{"left":1,"right":2}"#).contains(r#""text":"3""#));
    assert!(call("tasks.try", "{}").contains(r#""isError":true"#));
    assert!(call("unit", "{}").contains(r#""content":[]"#));
    let listed = call("list", r#"{"offset":-3,"words":["a","b"]}"#);
    assert!(listed.contains(r#""text":"falseall-3501None[\"a\", \"b\"]""#), "{listed}");
    let created = call("task_create", r#"{"input":{"title":"t","priority":"urgent","tags":[]},"mode":"VERY-SLOW"}"#);
    assert!(created.contains(r#""text":"t High true""#), "{created}");
    assert!(
        call("clear", r#"{"nothing":{},"parent":{"taskId":1,"note":true,"more":1},"more":2}"#)
            .contains(r#""content":[]"#)
    );
}
