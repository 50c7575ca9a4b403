//! The progress of a call, as a bar on the terminal of standard error; nothing where there is none.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use crate::terminal::one_line;

/// What the length of the bar is divided into, as progress may be a fraction.
const STEPS: u64 = 1000;

/// A bar that shows once there is progress, and is gone when it is dropped.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Takes the parameters of a notification of progress.
    pub(crate) fn show(&mut self, params: &Value) {
        let number = |name| params.get(name).and_then(Value::as_f64);
        let Some(done) = number("progress") else { return };
        let text = one_line(params.get("message").and_then(Value::as_str).unwrap_or_default());
        let total = number("total").filter(|total| *total > 0.0);
        log::debug!("progress {done} of {total:?} {text}");
        let new = || ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let bar = self.bar.get_or_insert_with(new);
        match total {
            None => {
                bar.set_style(style("{spinner} {msg}"));
                bar.set_message(format!("{done} {text}"));
                bar.tick();
            }
            Some(total) => {
                bar.set_style(style("{bar:40} {msg} {eta:>4}"));
                bar.set_length(STEPS);
                bar.set_message(format!("{done}/{total} {text}").trim_end().to_owned());
                // Saturates.
                bar.set_position((done / total * STEPS as f64) as u64);
            }
        }
    }

    /// Runs something that writes to standard error, without the bar in its way.
    pub(crate) fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// A style whose template is known to be one.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
