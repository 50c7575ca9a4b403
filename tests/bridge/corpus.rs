//! What the fuzz target `bridge` starts from: every file of its corpus, through `fuzzing::play`.

use std::fs;
use std::path::Path;

use toolwire_cli::bridge::fuzzing;

#[test]
fn every_file_passes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/bridge");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in &files {
        let program = fs::read(file).unwrap();
        if std::panic::catch_unwind(|| fuzzing::play(&program)).is_err() {
            panic!("cargo fuzz run bridge <file> tells more: {}", file.display());
        }
    }
}
