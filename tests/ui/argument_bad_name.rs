//! An argument's name that model APIs refuse.

use toolwire::{Argument, toolset};

#[derive(Argument)]
struct Task<'a> {
    título: &'a str,
    #[argument(rename = "due date")]
    due: u8,
    #[argument(rename = "due-date.end")]
    end: u8,
}

struct Tasks;

#[toolset]
impl Tasks {
    /// Make a task.
    #[tool]
    fn make(task: Task<'_>, #[argument(rename = "")] again: bool) -> &'static str {
        let _ = (task.título, task.due, task.end, again);
        "made"
    }
}

fn main() {}
