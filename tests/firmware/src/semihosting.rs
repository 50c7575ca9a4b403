//! Words to the emulator.

use core::arch::asm;

const SYS_EXIT: usize = 0x18;
const RUN_TIME_ERROR: usize = 0x20023;
const APPLICATION_EXIT: usize = 0x20026;

/// Ends the emulator, whose exit code is 0 on success and 1 otherwise.
pub fn exit(success: bool) -> ! {
    let reason = if success { APPLICATION_EXIT } else { RUN_TIME_ERROR };
    loop {
        // SAFETY: the call takes no pointer and changes no memory.
        unsafe { call(SYS_EXIT, reason) }
    }
}

#[cfg(target_arch = "arm")]
unsafe fn call(operation: usize, argument: usize) {
    // SAFETY: as the caller promises.
    unsafe { asm!("bkpt 0xab", inout("r0") operation => _, in("r1") argument, options(nostack)) }
}

#[cfg(target_arch = "riscv32")]
unsafe fn call(operation: usize, argument: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        asm!(
            // The three instructions must be of four bytes each and in one page.
            ".balign 16",
            ".option push",
            ".option norvc",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 7",
            ".option pop",
            inout("a0") operation => _,
            in("a1") argument,
            options(nostack),
        );
    }
}
