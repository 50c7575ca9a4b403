//! `toolwire watch`: what a resource says, again and again.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use console::Term;
use serde_json::{Value, json};

use crate::chart::{Readings, first_number};
use crate::client::{Client, Listener, Options, Refused, log_message, seconds};
use crate::failure::{EXIT_CODES, Failure, Outcome};
use crate::interrupt;
use crate::output;
use crate::read::{Contents, contents, print, read, target_and_uri};
use crate::target::Words;
use crate::terminal::harmless;

const EXAMPLES: &str = "\
Examples:
  toolwire watch demo:board device://log
  toolwire watch demo:board sensor://t0/latest --every 0.5 --plot
  toolwire watch /dev/ttyACM0 axis://position --json --for 60 > positions.jsonl";

/// How long to wait for news at a time, where nothing else sets an end.
const HOUR: Duration = Duration::from_secs(3600);

/// The lines of a chart.
const LINES: u32 = 12;

/// Print what a resource says now, and whenever the server tells that it has changed
///
/// It ends with Ctrl-C, or as --count and --for say.
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire watch [OPTIONS] <TARGET> <URI>\n       \
                      toolwire watch [OPTIONS] <URI> -- <COMMAND> [ARG]...",
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
)]
pub(crate) struct Watch {
    #[command(flatten)]
    words: Words,
    /// Read it also every so many seconds, whether or not the server tells of changes
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    every: Option<Duration>,
    /// End after so many readings
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// End after so many seconds
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    limit: Option<Duration>,
    /// Draw a chart of the first number of each reading: as it grows on a terminal, otherwise at the end
    #[arg(long, conflicts_with = "json")]
    plot: bool,
    /// Print each result as the server gave it, a JSON object on a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Watch {
    pub(crate) fn run(&self) -> Outcome {
        let (target, uri) = target_and_uri(&self.words)?;
        let mut client = Client::connect(&target, self.options)?;
        let subscribed = self.subscribe(&mut client, uri)?;
        let mut screen = Screen::new(self);
        let ended = match self.follow(&mut client, uri, &mut screen) {
            Err(Failure::Interrupted) if interrupt::take() => Ok(()),
            ended => ended,
        };
        screen.finish()?;
        ended?;
        if subscribed {
            // A device remembers it for longer than this command runs.
            let done = client.request("resources/unsubscribe", json!({ "uri": uri }), &mut ());
            log::debug!("unsubscribed: {done:?}");
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Asks the server to tell of changes. It need not, if the resource is read again and again anyway.
    fn subscribe(&self, client: &mut Client, uri: &str) -> Result<bool, Failure> {
        let can =
            client.offers("resources").and_then(|resources| resources.get("subscribe")) == Some(&Value::Bool(true));
        let refused = if can {
            match client.request("resources/subscribe", json!({ "uri": uri }), &mut ()) {
                Ok(_) => return Ok(true),
                Err(error) if error.is::<Refused>() => format!("{error:#}"),
                Err(error) => return Err(error.into()),
            }
        } else {
            "the server does not tell of changes".to_owned()
        };
        if self.every.is_none() {
            return Err(Failure::usage(format!("{refused}; with --every SECONDS it is read again and again")));
        }
        log::info!("{refused}");
        Ok(false)
    }

    /// Shows what the resource says, until there is an end.
    fn follow(&self, client: &mut Client, uri: &str, screen: &mut Screen) -> Result<(), Failure> {
        let start = Instant::now();
        let end = self.limit.map(|limit| start + limit);
        let mut next = Some(start);
        let mut news = News { is_there: false };
        let mut count = 0;
        loop {
            let now = Instant::now();
            if news.is_there || next.is_some_and(|next| now >= next) {
                news.is_there = false;
                next = self.every.map(|every| now + every);
                let result = read(client, uri, &mut news)?;
                screen.show(start.elapsed(), &result)?;
                count += 1;
                if self.count.is_some_and(|wanted| count >= wanted) {
                    return Ok(());
                }
                continue;
            }
            if end.is_some_and(|end| now >= end) {
                return Ok(());
            }
            let deadline = [next, end].into_iter().flatten().fold(now + HOUR, Instant::min);
            client.listen(deadline, &mut news)?;
        }
    }
}

/// Whether the server has told of a change. It tells of no resource but the one that was subscribed to, or of a part of it.
#[derive(Debug)]
struct News {
    is_there: bool,
}

impl Listener for News {
    fn notified(&mut self, method: &str, params: &Value) {
        log_message(method, params);
        self.is_there |= method == "notifications/resources/updated";
    }
}

/// Where readings are shown.
struct Screen {
    json: bool,
    readings: Option<Readings>,
    /// The terminal for charts that grow.
    terminal: Option<Term>,
    /// The lines of the chart that is on the terminal.
    drawn: usize,
}

impl Screen {
    fn new(watch: &Watch) -> Self {
        let terminal = Some(Term::stdout()).filter(|terminal| watch.plot && terminal.is_term());
        Self { json: watch.json, readings: watch.plot.then(Readings::default), terminal, drawn: 0 }
    }

    fn show(&mut self, at: Duration, result: &Value) -> Result<(), Failure> {
        if self.json {
            return Ok(output::print(&format!("{result}\n"))?);
        }
        let contents = contents(result)?;
        let Some(readings) = &mut self.readings else {
            print(&ended(contents), io::stdout().is_terminal(), io::stdout().lock())?;
            return Ok(());
        };
        let number = contents.iter().find_map(|one| match one {
            Contents::Text(text) => first_number(text),
            Contents::Bytes(..) => None,
        });
        match number {
            Some(number) => readings.add(at, number),
            None => log::warn!("there is no number in this reading: {}", harmless(&result.to_string())),
        }
        if let Some(terminal) = &self.terminal {
            let (_, columns) = terminal.size();
            let chart = readings.draw(columns.into(), LINES);
            terminal.clear_last_lines(self.drawn)?;
            terminal.write_str(&chart)?;
            self.drawn = chart.lines().count();
        }
        Ok(())
    }

    /// Draws the chart that could not grow.
    fn finish(&self) -> Result<(), Failure> {
        match (&self.readings, &self.terminal) {
            (Some(readings), None) => Ok(output::print(&readings.draw(output::width().unwrap_or(80).into(), LINES))?),
            _ => Ok(()),
        }
    }
}

/// Texts that end their last line, so that the next reading begins one.
fn ended(mut contents: Vec<Contents>) -> Vec<Contents> {
    for one in &mut contents {
        match one {
            Contents::Text(text) if !text.ends_with('\n') => text.push('\n'),
            _ => {}
        }
    }
    contents
}
