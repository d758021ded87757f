#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| war_fuzz::kernels::check(bytes));
