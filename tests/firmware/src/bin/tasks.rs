//! The toolset `tasks`.

#![no_std]
#![no_main]

toolwire_firmware::image!(tasks::Tasks);
