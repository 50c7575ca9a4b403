//! What the fuzzers have found, and what they start from: every file of `fuzz/corpus`, through its target.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz")
}

/// The names in a folder, without their extensions.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_target_has_a_corpus() {
    let corpora = names(&fuzz().join("corpus"));
    assert_eq!(names(&fuzz().join("fuzz_targets")), corpora);
    assert!(!corpora.is_empty());
}

#[test]
fn every_file_passes() {
    let mut failed = Vec::new();
    for name in names(&fuzz().join("corpus")) {
        let Some(target) = toolwire_tests::target(&name) else {
            // Its body lives with the binary, and so does its replay: `tests/bridge/corpus.rs`.
            assert_eq!(name, "bridge", "a target that nobody replays");
            continue;
        };
        let mut files: Vec<_> = fs::read_dir(fuzz().join("corpus").join(&name)).unwrap().collect();
        files.sort_by_key(|file| file.as_ref().unwrap().path());
        assert!(!files.is_empty(), "{name} has no files");
        for file in files {
            let path = file.unwrap().path();
            let data = fs::read(&path).unwrap();
            if std::panic::catch_unwind(|| target(&data)).is_err() {
                failed.push(path.display().to_string());
            }
        }
    }
    assert!(failed.is_empty(), "cargo fuzz run <target> <file> tells more:\n{}", failed.join("\n"));
}
