//! Packages of apps of 2009: any bytes as an archive.

#![no_main]

#[allow(dead_code, reason = "each target uses its own part")]
#[path = "../../support/exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exercise::package(bytes));
