#![no_main]

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    war_fuzz::mutate::mutate(&mut data[..max_size], size, seed, |bytes, size| {
        libfuzzer_sys::fuzzer_mutate(bytes, size, bytes.len())
    })
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| war_fuzz::repair::check(bytes));
