//! The `ankus` program: hands its arguments to [`ankus::cli`] and exits with what that returns.

use std::process::ExitCode;

/// A definition becomes many small pieces of memory that live and die together.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ankus::cli::main(start::is_closed())
}

/// Whether standard output was closed when the process began (`>&-`). Rust puts `/dev/null` there before `main`, into
/// which everything can be written and nothing is; so it has to be asked for before that.
#[cfg(target_os = "linux")]
mod start {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    /// Called by the loader, ahead of the runtime of Rust. It looks at a file and uses nothing that `main` makes ready.
    #[used]
    #[allow(unsafe_code, reason = "a place in a section of the program; the function itself is safe")]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = {
        extern "C" fn look() {
            // Where no such folder is mounted, nothing is known.
            let is_known = std::fs::symlink_metadata("/proc/self/fd").is_ok();
            let is_closed = is_known && std::fs::symlink_metadata("/proc/self/fd/1").is_err();
            CLOSED.store(is_closed, Ordering::Relaxed);
        }
        look
    };

    pub(super) fn is_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }
}

#[cfg(not(target_os = "linux"))]
mod start {
    pub(super) fn is_closed() -> bool {
        false
    }
}
