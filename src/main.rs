//! The `ankus` program: hands its arguments to [`ankus::shell`] and exits with what that returns.

use std::process::ExitCode;

/// A definition becomes many small pieces of memory that live and die together.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ankus::shell::main()
}
