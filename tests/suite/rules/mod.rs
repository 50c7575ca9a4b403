//! The rules of the protocol reference. A test is named after the id of its rule and what that says, or after the
//! number of its table.

mod asynchronous;
mod batches;
mod caching;
mod cancellation;
mod codes;
mod completion;
mod content;
mod discover;
mod duplex;
mod eras;
mod examples;
mod extras;
mod features;
mod fixture;
mod framing;
mod handshake;
mod ids;
mod logging;
mod messages;
mod metadata;
mod mrtr;
mod pagination;
mod params;
mod ping;
mod progress;
mod prompts;
mod resources;
mod schemas;
mod structured;
mod subscriptions;
mod tools_call;
mod tools_list;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The families of rules, and the number of the last one in each. All of these must be tested or in [`NOT_HERE`];
/// features that are not there as a whole (ELIC, S2C, SUB, …) have no family here.
const FAMILIES: &[(&str, u8)] = &[
    ("FRAME", 13),
    ("MSG", 8),
    ("ID", 7),
    ("PARAM", 4),
    ("CODE", 4),
    ("BATCH", 7),
    ("ERA", 12),
    ("META", 11),
    ("GATE", 3),
    ("INIT", 9),
    ("INITD", 3),
    ("PING", 4),
    ("DISC", 6),
    ("TOOLS", 11),
    ("CALL", 13),
    ("RES", 11),
    ("PROG", 6),
    ("CANCEL", 8),
    ("PROMPT", 7),
    ("COMP", 5),
    ("LOG", 6),
    ("SUB", 4),
    ("LISTEN", 15),
    ("MRTR", 13),
    ("S2C", 7),
    ("PAGE", 5),
    ("CACHE", 5),
    ("TASKD", 7),
    ("EXT", 4),
    ("SCHEMA", 4),
];

/// The rules that cannot be tested here, and why.
const NOT_HERE: &[(&str, &str)] = &[
    ("FRAME-4", "of the process, not of the server in memory"),
    ("FRAME-6", "of the process, not of the server in memory"),
    ("CODE-4", "negotiation refuses no version"),
    ("ERA-6", "of a build without legacy revisions"),
    ("ERA-7", "of a build without the modern revision"),
    ("ERA-10", "there is no authorization"),
    ("INITD-2", "the server sends nothing unasked"),
    ("PING-3", "a permission: the server sends no pings"),
    ("TOOLS-9", "the set of tools does not change"),
    ("RES-11", "the set of resources does not change"),
    ("PROG-6", "no tasks"),
    ("CANCEL-7", "no tasks"),
    ("PROMPT-7", "the set of prompts does not change"),
    ("LOG-5", "what a tool says is its author's"),
    ("LOG-6", "advice to authors, which the documentation gives"),
    ("S2C-7", "no sampling"),
    ("MRTR-7", "of the tool that gives out state"),
    ("MRTR-12", "state is given out with a question only"),
    ("CACHE-3", "of the client; nothing changes"),
    ("CACHE-4", "there is no access control"),
    ("TASKD-2", "no tasks"),
    ("TASKD-3", "no tasks"),
    ("TASKD-4", "no tasks"),
    ("TASKD-5", "no tasks"),
    ("TASKD-6", "no tasks"),
    ("TASKD-7", "no tasks"),
    ("EXT-1", "no extensions"),
    ("EXT-4", "no extensions"),
    ("SCHEMA-3", "no foreign schema is evaluated"),
];

/// The ids that tests in this folder are named after: `fn id_3_…` behind `#[test]` tests ID-3.
fn tested() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/rules");
    let files = fs::read_dir(&folder).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let id = |source: &str| {
        let (family, rest) = source.strip_prefix("\nfn ")?.split_once('_')?;
        let (number, _) = rest.split_once('_')?;
        (family != "table").then_some(format!("{}-{}", family.to_uppercase(), number.parse::<u8>().ok()?))
    };
    files.flat_map(|file| file.split("\n#[test]").filter_map(id).collect::<Vec<_>>()).collect()
}

#[test]
fn each_rule_is_tested_or_said_not_to_be() {
    let tested = tested();
    let not_here: BTreeSet<_> = NOT_HERE.iter().map(|(id, _)| (*id).to_owned()).collect();
    assert_eq!(not_here.len(), NOT_HERE.len(), "a rule is listed twice");
    let all: BTreeSet<_> = FAMILIES
        .iter()
        .flat_map(|(family, last)| (1..=*last).map(move |number| format!("{family}-{number}")))
        .collect();
    let both: Vec<_> = tested.intersection(&not_here).collect();
    assert!(both.is_empty(), "listed as not tested, but tested: {both:?}");
    let unknown: Vec<_> = not_here.difference(&all).collect();
    assert!(unknown.is_empty(), "no such rules: {unknown:?}");
    let missing: Vec<_> = all.iter().filter(|id| !tested.contains(*id) && !not_here.contains(*id)).collect();
    assert!(missing.is_empty(), "neither tested nor listed: {missing:?}");
    // Of the other families only some rules hold for a server without their feature.
    let others: Vec<_> = tested.difference(&all).collect();
    assert_eq!(others, ["ELIC-3", "TASKX-5"]);
}
