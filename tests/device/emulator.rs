//! The emulator, and what is needed to start it.

use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::SystemTime;

/// What the emulator stands in for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    emulator: &'static str,
    name: &'static str,
    /// The name of the target that its images are built for.
    target: &'static str,
}

pub(crate) const CORTEX_M3: Machine =
    Machine { emulator: "qemu-system-arm", name: "lm3s6965evb", target: "thumbv7m-none-eabi" };
pub(crate) const CORTEX_M0: Machine =
    Machine { emulator: "qemu-system-arm", name: "microbit", target: "thumbv6m-none-eabi" };
pub(crate) const RISC_V: Machine =
    Machine { emulator: "qemu-system-riscv32", name: "sifive_e", target: "riscv32imac-unknown-none-elf" };

impl Machine {
    /// Whether an image can be run here. If not, it says why; with `TOOLWIRE_DEVICE_TESTS=1` in the environment it fails.
    #[expect(clippy::explicit_write, reason = "what `eprintln` prints is not seen when the test passes")]
    pub(crate) fn has(self, image: &str) -> bool {
        let Some(obstacle) = self.obstacle(image) else { return true };
        assert!(env::var("TOOLWIRE_DEVICE_TESTS").as_deref() != Ok("1"), "{obstacle}");
        let test = thread::current().name().unwrap_or_default().to_owned();
        writeln!(io::stderr(), "skipped: {test}: {obstacle}").unwrap();
        false
    }

    /// Starts an image whose UART is this, in the words of the emulator.
    pub(crate) fn start(self, image: &str, serial: &str) -> Child {
        Command::new(self.emulator)
            .args(["-machine", self.name, "-display", "none", "-monitor", "none"])
            .args(["-semihosting-config", "enable=on,target=native"])
            .args(["-serial", serial])
            .arg("-kernel")
            .arg(self.image(image))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn image(self, name: &str) -> PathBuf {
        let firmware = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/firmware");
        firmware.join("target").join(self.target).join("release").join(name)
    }

    /// Why an image cannot be run here.
    fn obstacle(self, image: &str) -> Option<String> {
        let built = self.image(image).metadata().and_then(|file| file.modified()).ok();
        if built.is_none_or(|built| built < newest_source()) {
            let state = if built.is_some() { "an old" } else { "no" };
            return Some(format!("{state} image `{image}` for {}: run tests/firmware/build.sh", self.target));
        }
        let emulator = Command::new(self.emulator).arg("--version").stdin(Stdio::null()).output();
        emulator.err().map(|error| format!("{} does not start: {error}", self.emulator))
    }
}

/// When the source of the images was last changed.
fn newest_source() -> SystemTime {
    fn newest(path: &Path) -> SystemTime {
        if path.extension().is_some_and(|extension| extension == "rs") {
            return path.metadata().unwrap().modified().unwrap();
        }
        let entries = if path.is_dir() { Some(path.read_dir().unwrap()) } else { None };
        entries
            .into_iter()
            .flatten()
            .map(|entry| newest(&entry.unwrap().path()))
            .max()
            .unwrap_or(SystemTime::UNIX_EPOCH)
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let folders = ["../core/src", "../core/macros/src", "../core/demos/src", "firmware/src"];
    folders.iter().map(|folder| newest(&tests.join(folder))).max().unwrap_or(SystemTime::UNIX_EPOCH)
}
