//! A chart of numbers over time, for a terminal.

use std::collections::VecDeque;
use std::time::Duration;

use textplots::{Chart, LabelBuilder as _, LabelFormat, Plot as _, Shape};

/// How many readings are kept: more than a terminal has columns.
const READINGS: usize = 4096;

/// Dots in a character of text.
const DOTS: (u32, u32) = (2, 4);

/// What the labels beside a chart take, in characters.
const LABELS: u32 = 12;

/// The readings of a chart: seconds, and values.
#[derive(Debug, Default)]
pub(crate) struct Readings(VecDeque<(f32, f32)>);

impl Readings {
    /// Adds a reading. One that cannot be drawn is left out.
    pub(crate) fn add(&mut self, at: Duration, value: f64) {
        let value = value as f32;
        if value.is_finite() {
            if self.0.len() == READINGS {
                self.0.pop_front();
            }
            self.0.push_back((at.as_secs_f32(), value));
        }
    }

    /// The chart on so many columns and lines; nothing as long as there are no readings.
    pub(crate) fn draw(&self, columns: u32, lines: u32) -> String {
        let points: Vec<_> = self.0.iter().copied().collect();
        let (Some((first, _)), Some((last, _))) = (points.first(), points.last()) else { return String::new() };
        let values = points.iter().map(|(_, value)| *value);
        let [lowest, highest] =
            [values.clone().fold(f32::INFINITY, f32::min), values.fold(f32::NEG_INFINITY, f32::max)];
        // A line that does not move lies in the middle.
        let [bottom, top] = if lowest < highest { [lowest, highest] } else { [lowest - 1.0, highest + 1.0] };
        let (width, height) = (columns.saturating_sub(LABELS).clamp(20, 200) * DOTS.0, lines.clamp(4, 60) * DOTS.1);
        let mut chart = Chart::new_with_y_range(width, height, *first, last.max(first + 1.0), bottom, top);
        let shape = Shape::Lines(&points);
        let chart = chart
            .lineplot(&shape)
            .x_label_format(LabelFormat::Custom(Box::new(|seconds| format!("{seconds:.1} s"))))
            .y_label_format(LabelFormat::Custom(Box::new(|value| value.to_string())));
        chart.axis();
        chart.figures();
        chart.to_string()
    }
}

/// The first number of a text that is a word of its own, or begins one: 21.5 of `t0: 21.5C`.
pub(crate) fn first_number(text: &str) -> Option<f64> {
    let belongs = |character: char| character.is_ascii_digit() || matches!(character, '+' | '-' | '.' | 'e' | 'E');
    let mut before = ' ';
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = rest.find(|character| !belongs(character)).unwrap_or(rest.len());
        if length > 0 && !before.is_alphanumeric() && !matches!(before, '.' | '_') {
            // `21.5e` is 21.5 and a letter.
            let longest =
                (1..=length).rev().filter_map(|end| rest.get(..end)).find_map(|word| word.parse::<f64>().ok());
            let next = rest.get(length..).and_then(|rest| rest.chars().next());
            if let Some(number) = longest.filter(|number| number.is_finite() && next != Some('_')) {
                return Some(number);
            }
        }
        let taken = length.max(character.len_utf8());
        before = rest.get(..taken).and_then(|taken| taken.chars().last()).unwrap_or(' ');
        rest = rest.get(taken..).unwrap_or_default();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_of_a_text_is_read() {
        let table = [
            ("21.5 °C", Some(21.5)),
            ("t0: -21.5C", Some(-21.5)),
            ("The LED was switched 3 times. It is on at 40 %.", Some(3.0)),
            ("{\"celsius\":21.5}", Some(21.5)),
            ("1e3", Some(1000.0)),
            ("2e", Some(2.0)),
            ("level=+7%", Some(7.0)),
            ("é7 é 8", Some(8.0)),
            ("v1.2 t0 a_5", None),
            ("- . e E +", None),
            ("inf nan 1e999", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(first_number(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_chart_has_its_bounds_beside_it() {
        let mut readings = Readings::default();
        assert_eq!(readings.draw(80, 10), "");
        for (at, value) in [(0, 20.0), (5, 22.5), (9, 21.0), (10, f64::INFINITY), (11, 1e300)] {
            readings.add(Duration::from_secs(at), value);
        }
        let chart = readings.draw(80, 10);
        let lines: Vec<_> = chart.lines().collect();
        let (first, last) = (lines[0], lines[lines.len() - 1]);
        assert!(first.ends_with(" 22.5"), "{chart}");
        assert!(lines[lines.len() - 2].ends_with(" 20"), "{chart}");
        assert!(last.starts_with("0.0 s") && last.ends_with("9.0 s"), "{chart}");
        assert!(chart.chars().any(|character| ('\u{2801}'..='\u{28ff}').contains(&character)), "{chart}");
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{chart}");
    }

    #[test]
    fn a_chart_can_be_drawn_of_anything() {
        for (columns, lines) in [(0, 0), (80, 24), (10_000, 10_000)] {
            for values in [vec![1.0], vec![1.0, 1.0], vec![-3e38, 3e38], vec![f64::NAN], vec![1e-40, 0.0]] {
                let mut readings = Readings::default();
                for (at, value) in values.into_iter().enumerate() {
                    readings.add(Duration::from_secs(at as u64 * 10_000_000), value);
                }
                drop(readings.draw(columns, lines));
            }
        }
    }

    #[test]
    fn old_readings_make_room() {
        let mut readings = Readings::default();
        (0..10_000).for_each(|at| readings.add(Duration::from_secs(at), 1.0));
        assert_eq!((readings.0.len(), readings.0[0].0), (READINGS, (10_000 - READINGS) as f32));
    }
}
