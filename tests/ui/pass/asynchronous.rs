//! Functions that wait, among others that do not.

use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{self, Poll, Waker};

use toolwire::frame::Frames;
use toolwire::{Argument, Catalog, Context, Server, ServerInfo, toolset};

#[derive(Argument, Clone, Copy, Debug)]
enum Level {
    Low,
    High,
}

/// Pending once.
async fn turn() {
    let mut is_over = false;
    poll_fn(|task| {
        task.waker().wake_by_ref();
        if core::mem::replace(&mut is_over, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

struct Lamp {
    level: u8,
}

#[toolset]
impl Lamp {
    /// Fade to a level.
    #[tool]
    async fn fade(
        &mut self,
        context: &Context<'_>,
        level: Level,
        #[argument(max = 9)] steps: u8,
        #[argument(max_length = 20)] label: Option<&str>,
    ) -> Result<String, &'static str> {
        for _ in 0..steps {
            turn().await;
            if context.is_cancelled() {
                return Err("cancelled");
            }
        }
        self.level = steps;
        Ok(format!("{level:?} {label:?}"))
    }

    /// What it is.
    #[tool]
    fn level(&self) -> u8 {
        self.level
    }

    /// Nothing but time.
    #[tool]
    async fn wait() {
        turn().await;
    }

    #[resource(uri = "lamp://{id}/level")]
    async fn level_of(&self, id: u8) -> u8 {
        turn().await;
        self.level + id
    }

    #[resource(uri = "lamp://level")]
    fn level_now(&self) -> u8 {
        self.level
    }

    /// Find out what is wrong.
    #[prompt]
    async fn diagnose(&self, symptom: &str) -> String {
        turn().await;
        format!("Help with {symptom}.")
    }
}

/// What a lamp answers.
fn answers(mut input: &[u8]) -> String {
    let mut output = Vec::new();
    let mut server = Server::<_, 1024>::new(ServerInfo::new("lamp", "1.0.0"), Lamp { level: 0 });
    {
        let (mut second, mut answer) = (Frames::new(), [0; 512]);
        let mut serving = pin!(server.run_async(&mut input, &mut output, &mut second, &mut answer));
        let mut task = task::Context::from_waker(Waker::noop());
        while serving.as_mut().poll(&mut task).is_pending() {}
    }
    String::from_utf8(output).unwrap()
}

fn main() {
    let names: Vec<_> = Lamp::TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["fade", "level", "wait"]);

    let mut input = String::new();
    for (id, (method, params)) in [
        ("tools/call", r#"{"name":"fade","arguments":{"level":"high","steps":3,"label":"x"}}"#),
        ("tools/call", r#"{"name":"level"}"#),
        ("tools/call", r#"{"name":"wait"}"#),
        ("resources/read", r#"{"uri":"lamp://7/level"}"#),
        ("resources/read", r#"{"uri":"lamp://level"}"#),
        ("prompts/get", r#"{"name":"diagnose","arguments":{"symptom":"smoke"}}"#),
    ]
    .iter()
    .enumerate()
    {
        input.push_str(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}\n"));
    }
    let output = answers(input.as_bytes());
    let answers: Vec<_> = output.lines().collect();
    for (answer, text) in answers.iter().zip([
        r#""text":"High Some(\"x\")""#,
        r#""text":"3""#,
        r#""content":[]"#,
        r#""text":"10""#,
        r#""text":"3""#,
        r#""text":"Help with smoke.""#,
    ]) {
        assert!(answer.contains(text), "{answer}");
    }
    assert_eq!(answers.len(), 6);
}
