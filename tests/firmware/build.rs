//! Chooses the machine by the target, and tells the linker where its memory is.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let target = env::var("TARGET").expect("cargo sets it");
    let machine = match target.as_str() {
        "thumbv7m-none-eabi" => "lm3s6965evb",
        "thumbv6m-none-eabi" => "microbit",
        "riscv32imac-unknown-none-elf" => "sifive_e",
        _ => panic!("no machine for {target}: see build.sh"),
    };
    println!("cargo::rustc-cfg=machine=\"{machine}\"");

    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let memory = Path::new("memory").join(machine).with_extension("x");
    println!("cargo::rerun-if-changed={}", memory.display());
    fs::copy(memory, out.join("memory.x")).expect("the machine has a memory map");
    // Where cortex-m-rt takes the names of interrupt handlers from. There are none.
    fs::write(out.join("device.x"), "").expect("it can be written");
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    // Functions of the same code become one: 100 bytes.
    println!("cargo::rustc-link-arg-bins=--icf=all");
}
