//! The `ankus` program: hands its arguments to [`ankus::shell`] and exits with what that returns.

use std::process::ExitCode;

fn main() -> ExitCode {
    ankus::shell::main()
}
