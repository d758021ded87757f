//! Vectors of 64-bit ARM processors: all of them have NEON.

use super::lanes::ByteVector;
use std::arch::aarch64::{
    uint8x16_t, vaddq_u8, vaddv_u8, vandq_u8, vceqq_u8, vcgtq_u8, vget_high_u8, vget_low_u8,
    vld1q_u8, vorrq_u8, vqtbl1q_u8, vst1q_u8, vuzp1q_u8, vuzp2q_u8, vzip1q_u8, vzip2q_u8,
};

/// NEON vector of 16 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neon(uint8x16_t);

/// Mask bit of each byte of a vector: bits 0 to 7 in each half of 8 bytes, so that the sum of the
/// bits of each half is a byte of the mask.
static BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Returns a mask of bytes that are all ones or all zeros.
#[inline(always)]
fn mask(bytes: uint8x16_t) -> u64 {
    // SAFETY: every 64-bit ARM processor has NEON, and the table has 16 bytes.
    unsafe {
        let bits = vandq_u8(bytes, vld1q_u8(BITS.as_ptr()));
        let (low, high) = (vaddv_u8(vget_low_u8(bits)), vaddv_u8(vget_high_u8(bits)));
        u64::from(low) | u64::from(high) << 8
    }
}

impl ByteVector for Neon {
    fn is_supported() -> bool {
        true
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the 16 bytes.
        Self(unsafe { vld1q_u8(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the 16 bytes.
        unsafe { vst1q_u8(to, self.0) }
    }

    #[inline(always)]
    fn equal_mask(self, other: Self) -> u64 {
        // SAFETY: every 64-bit ARM processor has NEON.
        mask(unsafe { vceqq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn greater_mask(self, other: Self) -> u64 {
        // SAFETY: every 64-bit ARM processor has NEON.
        mask(unsafe { vcgtq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        // SAFETY: every 64-bit ARM processor has NEON. Places beyond 15 give 0.
        Self(unsafe { vqtbl1q_u8(self.0, places.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: every 64-bit ARM processor has NEON.
        Self(unsafe { vaddq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: every 64-bit ARM processor has NEON.
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn interleave(self, other: Self) -> (Self, Self) {
        // SAFETY: every 64-bit ARM processor has NEON.
        unsafe {
            (
                Self(vzip1q_u8(self.0, other.0)),
                Self(vzip2q_u8(self.0, other.0)),
            )
        }
    }

    #[inline(always)]
    fn deinterleave(self, other: Self) -> (Self, Self) {
        // SAFETY: every 64-bit ARM processor has NEON.
        unsafe {
            (
                Self(vuzp1q_u8(self.0, other.0)),
                Self(vuzp2q_u8(self.0, other.0)),
            )
        }
    }
}
