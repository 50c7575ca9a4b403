//! Two tools.

#![no_std]
#![no_main]

toolwire_firmware::lamp_image!(plain:);
