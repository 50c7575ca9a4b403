//! `toolwire ports`: the serial ports of this machine.

use std::process::ExitCode;

use clap::Args;
use comfy_table::Table;
use serde_json::{Value, json};
use serialport::{SerialPortInfo, SerialPortType};

use crate::bridge::available;
use crate::failure::Outcome;
use crate::output;
use crate::terminal::one_line;

/// Show the serial ports of this machine
///
/// A port of a USB device can be named by its path, by `serial:NUMBER` or by `usb:VENDOR:PRODUCT`; the last two find the
/// device again when it is connected elsewhere.
#[derive(Debug, Args)]
pub(crate) struct Ports {
    /// Print the ports as a JSON array
    #[arg(long)]
    json: bool,
}

impl Ports {
    pub(crate) fn run(&self) -> Outcome {
        let ports = available();
        if self.json {
            output::print_json(&Value::Array(ports.iter().map(as_json).collect()))?;
        } else if ports.is_empty() {
            log::warn!("this machine has no serial ports now");
        } else {
            output::print(&output::lines(table(&ports)))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn as_json(port: &SerialPortInfo) -> Value {
    match &port.port_type {
        SerialPortType::UsbPort(usb) => json!({
            "port": port.port_name,
            "kind": "usb",
            "vendor": format!("{:04x}", usb.vid),
            "product": format!("{:04x}", usb.pid),
            "serial": usb.serial_number,
            "name": usb.product,
            "manufacturer": usb.manufacturer,
        }),
        SerialPortType::BluetoothPort => json!({ "port": port.port_name, "kind": "bluetooth" }),
        SerialPortType::PciPort => json!({ "port": port.port_name, "kind": "pci" }),
        SerialPortType::Unknown => json!({ "port": port.port_name, "kind": "unknown" }),
    }
}

fn table(ports: &[SerialPortInfo]) -> Table {
    let mut table = output::table(["PORT", "USB", "SERIAL", "NAME"], None);
    for port in ports {
        let cells = match &port.port_type {
            SerialPortType::UsbPort(usb) => [
                one_line(&port.port_name),
                format!("{:04x}:{:04x}", usb.vid, usb.pid),
                one_line(usb.serial_number.as_deref().unwrap_or_default()),
                one_line(usb.product.as_deref().unwrap_or_default()),
            ],
            _ => [one_line(&port.port_name), String::new(), String::new(), String::new()],
        };
        table.add_row(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use serialport::UsbPortInfo;

    use super::*;

    #[test]
    fn ports_are_shown_as_a_table_and_as_json() {
        let usb = UsbPortInfo {
            vid: 0x2e8a,
            pid: 0xa,
            serial_number: Some("E66\u{1b}".to_owned()),
            manufacturer: None,
            product: Some("Pico".to_owned()),
        };
        let ports = [
            SerialPortInfo { port_name: "/dev/ttyACM0".to_owned(), port_type: SerialPortType::UsbPort(usb) },
            SerialPortInfo { port_name: "/dev/ttyS0".to_owned(), port_type: SerialPortType::PciPort },
        ];
        let text = output::lines(table(&ports));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            [lines[0], lines[2], lines[3]],
            ["PORT          USB        SERIAL     NAME", "/dev/ttyACM0  2e8a:000a  E66\\u{1b}  Pico", "/dev/ttyS0"],
            "{text}"
        );
        let expected = json!([
            {
                "port": "/dev/ttyACM0", "kind": "usb", "vendor": "2e8a", "product": "000a", "serial": "E66\u{1b}",
                "name": "Pico", "manufacturer": null,
            },
            { "port": "/dev/ttyS0", "kind": "pci" },
        ]);
        assert_eq!(Value::Array(ports.iter().map(as_json).collect()), expected);
    }
}
