//! The toolset `reservo`.

#![no_std]
#![no_main]

toolwire_firmware::image!(reservo::Reservo);
