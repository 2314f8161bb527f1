//! Writes the o200k vocabulary as tables that are read in place.
//!
//! A hash map of it takes 0.15 s and 45 MB to build, at each start that counts tokens.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads OUT_DIR and writes there"
)]

#[path = "src/slots.rs"]
mod slots;

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use slots::{RANK_BITS, SLOTS, STRIDE, place};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/slots.rs");
    let tokens = vocabulary()?;
    assert!(tokens.len() < 1 << RANK_BITS && tokens.len() < SLOTS);
    let mut positions = Vec::new();
    let mut lengths = Vec::new();
    let mut slots = vec![0_u32; SLOTS];
    let mut position = 0_u32;
    for (rank, token) in tokens.iter().enumerate() {
        if rank % STRIDE == 0 {
            positions.extend(position.to_le_bytes());
        }
        lengths.push(u8::try_from(token.len())?);
        position += u32::try_from(token.len())?;
        if token.is_empty() {
            continue;
        }
        let (mut slot, tag) = place(token);
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = (tag << RANK_BITS) | u32::try_from(rank + 1)?;
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    fs::write(folder.join("bytes"), tokens.concat())?;
    fs::write(folder.join("lengths"), lengths)?;
    fs::write(folder.join("positions"), positions)?;
    let slots: Vec<u8> = slots.into_iter().flat_map(u32::to_le_bytes).collect();
    fs::write(folder.join("slots"), slots)?;
    Ok(())
}

/// The highest rank of a token that is text; special tokens are above it.
const LAST_RANK: u32 = 199_997;

/// Returns the bytes of every token in order of rank; empty for a rank without a token.
fn vocabulary() -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let encoding = tiktoken_rs::o200k_base()?;
    Ok((0..=LAST_RANK)
        .map(|rank| encoding.decode_bytes(&[rank]).unwrap_or_default())
        .collect())
}
