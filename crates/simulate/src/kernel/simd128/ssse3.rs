//! Vectors of x86-64 processors with SSSE3, which nearly all processors made since 2006 have.

use super::lanes::ByteVector;
use std::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128,
    _mm_movemask_epi8, _mm_or_si128, _mm_packus_epi16, _mm_set1_epi16, _mm_shuffle_epi8,
    _mm_srli_epi16, _mm_storeu_si128, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
};

/// SSSE3 vector, made only on processors with SSSE3 and POPCNT.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ssse3(__m128i);

/// Returns the highest bit of each byte as a mask.
#[inline(always)]
#[expect(clippy::cast_sign_loss, reason = "bits are counted, not a sum")]
fn mask(bytes: __m128i) -> u64 {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_movemask_epi8(bytes) as u64 & 0xffff }
}

impl ByteVector for Ssse3 {
    fn is_supported() -> bool {
        is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt")
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the 16 bytes.
        Self(unsafe { _mm_loadu_si128(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the 16 bytes.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
    }

    #[inline(always)]
    fn equal_mask(self, other: Self) -> u64 {
        // SAFETY: every x86-64 processor has SSE2.
        mask(unsafe { _mm_cmpeq_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn greater_mask(self, other: Self) -> u64 {
        // SAFETY: every x86-64 processor has SSE2.
        mask(unsafe { _mm_cmpgt_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn pick(self, places: Self) -> Self {
        // SAFETY: vectors were loaded by a processor that has SSSE3.
        Self(unsafe { _mm_shuffle_epi8(self.0, places.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn interleave(self, other: Self) -> (Self, Self) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            (
                Self(_mm_unpacklo_epi8(self.0, other.0)),
                Self(_mm_unpackhi_epi8(self.0, other.0)),
            )
        }
    }

    #[inline(always)]
    fn deinterleave(self, other: Self) -> (Self, Self) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            let low = _mm_set1_epi16(0xff);
            let even = _mm_packus_epi16(_mm_and_si128(self.0, low), _mm_and_si128(other.0, low));
            let odd = _mm_packus_epi16(_mm_srli_epi16::<8>(self.0), _mm_srli_epi16::<8>(other.0));
            (Self(even), Self(odd))
        }
    }
}
