//! Ports: which one is meant, how it is opened, and what to do when it cannot be.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serialport::{ErrorKind, SerialPort, SerialPortInfo, SerialPortType, UsbPortInfo};

/// How long a read or write may take before its thread looks whether it is still wanted.
const PERIOD: Duration = Duration::from_millis(100);

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(3);

/// A port as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Port {
    /// The path of a serial port.
    Path(String),
    /// The serial port of the USB device with this serial number.
    Serial(String),
    /// The serial port of the USB device of this vendor and product.
    Usb(u16, u16),
    /// Host and port of a TCP connection.
    Tcp(String),
}

/// What can be a port, for `--help` and for errors.
pub(crate) const PORTS: &str = "/dev/ttyACM0, COM3, serial:NUMBER or usb:VENDOR:PRODUCT (of a USB device, as `toolwire \
                                ports` shows it), tcp:HOST:PORT";

impl Port {
    /// From a word of the command line, if it looks like a port. A URI does not.
    pub(crate) fn new(word: &str) -> Option<Self> {
        if word.contains("://") {
            return None;
        }
        let (kind, rest) = word.split_once(':').unwrap_or(("", word));
        match (kind, rest) {
            (_, "") => None,
            ("serial", number) => Some(Self::Serial(number.to_owned())),
            ("usb", ids) => {
                let (vendor, product) = ids.split_once(':')?;
                let hexadecimal = |text: &str| u16::from_str_radix(text.trim_start_matches("0x"), 16).ok();
                Some(Self::Usb(hexadecimal(vendor)?, hexadecimal(product)?))
            }
            ("tcp", address) => {
                let (host, port) = address.rsplit_once(':')?;
                (!host.is_empty() && port.parse::<u16>().is_ok()).then(|| Self::Tcp(address.to_owned()))
            }
            _ => is_path(word).then(|| Self::Path(word.to_owned())),
        }
    }

    /// The path of the serial port at this moment.
    fn path(&self) -> Result<String, Fault> {
        if let Self::Path(path) = self {
            return Ok(path.clone());
        }
        let found = available().into_iter().find(|port| self.is(port));
        found.map(|port| port.port_name).ok_or_else(|| Fault::missing(self))
    }

    /// Whether it is the port of the USB device that is meant.
    fn is(&self, port: &SerialPortInfo) -> bool {
        let SerialPortType::UsbPort(usb) = &port.port_type else { return false };
        match self {
            Self::Serial(number) => usb.serial_number.as_deref() == Some(number),
            Self::Usb(vendor, product) => (usb.vid, usb.pid) == (*vendor, *product),
            Self::Path(_) | Self::Tcp(_) => false,
        }
    }

    /// Opens it. This may take seconds.
    pub(crate) fn open(&self, settings: &Settings) -> Result<Opened, Fault> {
        match self {
            Self::Tcp(address) => connect(address),
            _ => open(&self.path()?, settings),
        }
    }
}

/// Whether a word is the path of a port. A bare word is not, so that a mistyped one is not taken for a port.
fn is_path(word: &str) -> bool {
    let number = word.get(..3).filter(|start| start.eq_ignore_ascii_case("COM")).and_then(|_| word.get(3..));
    let windows = number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    windows || word.contains(['/', '\\'])
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.write_str(path),
            Self::Serial(number) => write!(f, "serial:{number}"),
            Self::Usb(vendor, product) => write!(f, "usb:{vendor:04x}:{product:04x}"),
            Self::Tcp(address) => write!(f, "tcp:{address}"),
        }
    }
}

/// How a serial port is set up: 8 data bits, no parity, 1 stop bit, no flow control, and this.
///
/// Boards wire the outputs DTR and RTS to their reset. They are raised, both, because every other choice resets more
/// boards or silences them: Linux and macOS raise them on opening in any case, so that nothing changes; devices with USB
/// of their own (RP2040, Leonardo) say nothing without DTR, which Windows does not raise; and the circuit of ESP boards
/// resets or enters the boot loader only while the two differ, so that they are raised in the order DTR, RTS and lowered
/// in the other one. On Unix they also stay as they are when the port is closed, so that the next opening makes no edge.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Settings {
    /// Bits per second of a serial port; USB devices mostly ignore it
    #[arg(long, value_name = "RATE", default_value_t = 115_200, value_parser = clap::value_parser!(u32).range(1..))]
    baud: u32,
    /// The output DTR of a serial port: on, off, or keep it as the system sets it
    #[arg(long, value_name = "STATE", default_value = "on")]
    dtr: Line,
    /// The output RTS of a serial port, likewise
    #[arg(long, value_name = "STATE", default_value = "on")]
    rts: Line,
}

impl Settings {
    /// What is done to the outputs, in this order.
    fn steps(&self) -> impl Iterator<Item = (Output, bool)> {
        let dtr = match self.dtr {
            Line::On => Some(true),
            Line::Off => Some(false),
            Line::Keep => None,
        };
        let lower = (self.rts == Line::Off).then_some((Output::Rts, false));
        let raise = (self.rts == Line::On).then_some((Output::Rts, true));
        [lower, dtr.map(|level| (Output::Dtr, level)), raise].into_iter().flatten()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Dtr,
    Rts,
}

/// What to do with an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Line {
    On,
    Off,
    Keep,
}

/// An open port: both directions, for two threads.
pub(crate) struct Opened {
    pub(crate) reader: Box<dyn Read + Send>,
    pub(crate) writer: Box<dyn Write + Send>,
}

/// Why a port could not be opened, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault(String);

impl Fault {
    fn missing(port: &dyn fmt::Display) -> Self {
        let ports = available();
        let there = match ports.as_slice() {
            [] => "this machine has no serial ports now".to_owned(),
            some => format!("there are {}", some.iter().map(describe).collect::<Vec<_>>().join(", ")),
        };
        Self(format!("no port {port} is connected; {there}"))
    }

    fn of(path: &str, error: &serialport::Error) -> Self {
        Self(match error.kind() {
            ErrorKind::Io(io::ErrorKind::NotFound) => return Self::missing(&path),
            ErrorKind::NoDevice if !Path::new(path).exists() && cfg!(unix) => return Self::missing(&path),
            ErrorKind::Io(io::ErrorKind::PermissionDenied) if cfg!(unix) => format!(
                "no permission to open {path}: add yourself to the group that owns it, `sudo usermod -aG dialout $USER` (on \
                 Arch `uucp` instead of `dialout`), and log in again"
            ),
            // Windows says so when the port is in use.
            ErrorKind::NoDevice | ErrorKind::Io(io::ErrorKind::PermissionDenied) => format!(
                "{path} is in use by another program: close it, for example a serial monitor or another client with this server"
            ),
            _ => format!("cannot open {path}: {error}"),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

fn connect(address: &str) -> Result<Opened, Fault> {
    let fault = |error: io::Error| Fault(format!("cannot connect to {address}: {error}"));
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in address.to_socket_addrs().map_err(fault)? {
        match TcpStream::connect_timeout(&address, CONNECT) {
            Ok(stream) => return halves(stream).map_err(fault),
            Err(error) => last = error,
        }
    }
    Err(fault(last))
}

fn halves(stream: TcpStream) -> io::Result<Opened> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PERIOD))?;
    stream.set_write_timeout(Some(PERIOD))?;
    Ok(Opened { reader: Box::new(stream.try_clone()?), writer: Box::new(stream) })
}

fn open(path: &str, settings: &Settings) -> Result<Opened, Fault> {
    let fault = |error: serialport::Error| Fault::of(path, &error);
    let _kept = keep_outputs(path);
    let builder = serialport::new(path, settings.baud).timeout(PERIOD).preserve_dtr_on_open();
    let mut port = builder.open().map_err(fault)?;
    // Not every port has these outputs.
    let _ = set_outputs(&mut *port, settings);
    let reader = port.try_clone().map_err(fault)?;
    Ok(Opened { reader: Box::new(reader), writer: Box::new(port) })
}

fn set_outputs(port: &mut dyn SerialPort, settings: &Settings) -> serialport::Result<()> {
    for (output, level) in settings.steps() {
        match output {
            Output::Dtr => port.write_data_terminal_ready(level)?,
            Output::Rts => port.write_request_to_send(level)?,
        }
    }
    Ok(())
}

/// Tells the system to leave the outputs alone when the port is closed. As long as the result lives, they are.
#[cfg(unix)]
fn keep_outputs(path: &str) -> io::Result<std::fs::File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;
    use rustix::termios::{ControlModes, OptionalActions, tcgetattr, tcsetattr};

    let flags = i32::try_from((OFlags::NOCTTY | OFlags::NONBLOCK).bits()).map_err(io::Error::other)?;
    let file = std::fs::OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
    let mut attributes = tcgetattr(&file)?;
    if attributes.control_modes.contains(ControlModes::HUPCL) {
        attributes.control_modes.remove(ControlModes::HUPCL);
        tcsetattr(&file, OptionalActions::Now, &attributes)?;
    }
    Ok(file)
}

#[cfg(not(unix))]
const fn keep_outputs(_path: &str) {}

/// The serial ports that there are.
pub(crate) fn available() -> Vec<SerialPortInfo> {
    // Without this folder, as in some containers, the library panics.
    if cfg!(target_os = "linux") && !Path::new("/sys/class/tty").is_dir() {
        return Vec::new();
    }
    let mut ports = serialport::available_ports().unwrap_or_else(|error| {
        log::info!("cannot list the serial ports: {error}");
        Vec::new()
    });
    ports.sort_by(|a, b| a.port_name.cmp(&b.port_name));
    ports
}

fn describe(port: &SerialPortInfo) -> String {
    match &port.port_type {
        SerialPortType::UsbPort(UsbPortInfo { vid, pid, product, .. }) => {
            let product = product.as_deref().map_or_else(String::new, |product| format!(", {product}"));
            format!("{} (usb:{vid:04x}:{pid:04x}{product})", port.port_name)
        }
        _ => port.port_name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usb_devices_are_found_by_serial_number_or_by_vendor_and_product() {
        let usb = UsbPortInfo {
            vid: 0x2e8a,
            pid: 0x000a,
            serial_number: Some("E66".to_owned()),
            manufacturer: None,
            product: Some("Pico".to_owned()),
        };
        let port_name = "/dev/ttyACM0".to_owned();
        let port = SerialPortInfo { port_name: port_name.clone(), port_type: SerialPortType::UsbPort(usb) };
        let other = SerialPortInfo { port_name, port_type: SerialPortType::Unknown };
        for (word, is_it) in [
            ("serial:E66", true),
            ("serial:e66", false),
            ("usb:2e8a:a", true),
            ("usb:2e8a:b", false),
            ("tcp:host:1", false),
        ] {
            let wanted = Port::new(word).unwrap();
            assert_eq!((wanted.is(&port), wanted.is(&other)), (is_it, false), "{word}");
        }
        assert_eq!(describe(&port), "/dev/ttyACM0 (usb:2e8a:000a, Pico)");
    }

    /// RTS without DTR is what resets an ESP board, so it is never made on the way.
    #[test]
    fn outputs_are_raised_and_lowered_in_the_order_that_resets_least() {
        let steps = |dtr, rts| Settings { baud: 1, dtr, rts }.steps().collect::<Vec<_>>();
        assert_eq!(steps(Line::On, Line::On), [(Output::Dtr, true), (Output::Rts, true)]);
        assert_eq!(steps(Line::Off, Line::Off), [(Output::Rts, false), (Output::Dtr, false)]);
        assert_eq!(steps(Line::On, Line::Off), [(Output::Rts, false), (Output::Dtr, true)]);
        assert_eq!(steps(Line::Keep, Line::On), [(Output::Rts, true)]);
        assert!(steps(Line::Keep, Line::Keep).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn faults_name_the_port_and_the_remedy() {
        let table = [
            (
                ErrorKind::Io(io::ErrorKind::PermissionDenied),
                "no permission to open /dev/null: add yourself to the group",
            ),
            (ErrorKind::Io(io::ErrorKind::PermissionDenied), "sudo usermod -aG dialout $USER"),
            (ErrorKind::NoDevice, "/dev/null is in use by another program: close it"),
            (ErrorKind::Io(io::ErrorKind::NotFound), "no port /dev/null is connected; th"),
            (ErrorKind::Unknown, "cannot open /dev/null: why"),
        ];
        for (kind, expected) in table {
            let text = Fault::of("/dev/null", &serialport::Error::new(kind, "why")).to_string();
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn ports_are_told_from_other_words() {
        let path = |path: &str| Some(Port::Path(path.to_owned()));
        let table = [
            ("/dev/ttyACM0", path("/dev/ttyACM0")),
            ("COM3", path("COM3")),
            ("com12", path("com12")),
            ("\\\\.\\COM12", path("\\\\.\\COM12")),
            ("./port", path("./port")),
            ("serial:E66", Some(Port::Serial("E66".to_owned()))),
            ("usb:2e8a:000A", Some(Port::Usb(0x2e8a, 0xa))),
            ("usb:0x2e8a:0x000a", Some(Port::Usb(0x2e8a, 0xa))),
            ("tcp:localhost:4444", Some(Port::Tcp("localhost:4444".to_owned()))),
            ("tcp:[::1]:4444", Some(Port::Tcp("[::1]:4444".to_owned()))),
            ("tcp:localhost", None),
            ("tcp::1", None),
            ("tcp:host:99999", None),
            ("usb:2e8a", None),
            ("usb:xyz:1", None),
            ("serial:", None),
            ("COM", None),
            ("COMA", None),
            ("add", None),
            ("demo:calc", None),
            ("device://log", None),
            ("serial://a", None),
            ("", None),
        ];
        for (word, expected) in table {
            assert_eq!(Port::new(word), expected, "{word}");
        }
    }
}
