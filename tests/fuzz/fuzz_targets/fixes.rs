//! Definitions: their fixes, applied until none is left.

#![no_main]

#[allow(dead_code, reason = "each target uses its own part")]
#[path = "../../support/exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exercise::fixes(bytes));
