//! Records of the `log` crate, by feature.

#[cfg(feature = "log")]
pub(crate) use log::info;

/// Without the feature a record costs nothing.
#[cfg(not(feature = "log"))]
macro_rules! info {
    ($($argument:tt)*) => {
        if false {
            let _ = format_args!($($argument)*);
        }
    };
}

#[cfg(not(feature = "log"))]
pub(crate) use info;
