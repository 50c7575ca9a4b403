//! What commands print on standard output: tables for people, JSON for programs.

use std::env;
use std::io::{self, Write as _};

use comfy_table::{ContentArrangement, Table, TableComponent, presets};
use serde_json::Value;

/// Prints a value on lines of its own.
pub(crate) fn print_json(value: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{value:#}")?;
    out.flush()
}

/// Prints lines.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// An empty table. Without a width, its lines are as long as they are.
pub(crate) fn table<const N: usize>(header: [&str; N], width: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_style(TableComponent::HeaderLines, '─');
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(header);
    table
}

/// The lines of a table that has all its rows, without the blanks that pad its last column.
pub(crate) fn lines(mut table: Table) -> String {
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The columns of the terminal, or of the one that `COLUMNS` speaks of; `None` if there is none.
pub(crate) fn width() -> Option<u16> {
    let wanted = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    wanted.or_else(|| terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0))
}
