//! Chooses a part of the requests: a shard, or a random sample.

use crate::identity::Identity;

/// One of several equal parts of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1 to `of`.
    pub index: u32,
    /// The number of parts.
    pub of: u32,
}

impl Shard {
    /// Parses `I/N`, such as `2/4`.
    ///
    /// # Errors
    ///
    /// If it has another form, or I is not from 1 to N.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "write I/N with I from 1 to N, such as 2/4".to_owned();
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
        let shard = Self {
            index: number(index)?,
            of: number(of)?,
        };
        match (1..=shard.of).contains(&shard.index) {
            true => Ok(shard),
            false => Err(wrong()),
        }
    }

    /// Returns whether a request is in this part. Other rows do not matter, so rows can be added.
    pub fn contains(self, identity: &Identity) -> bool {
        u64::from(self.index - 1) == number_of(identity, "shard") % u64::from(self.of)
    }
}

/// Returns the place of a request in the random order of `seed`. A sample consists of the first
/// requests in this order, so a larger sample contains a smaller one.
pub(crate) fn sample_order(identity: &Identity, seed: u64) -> u64 {
    number_of(identity, &format!("sample {seed}"))
}

fn number_of(identity: &Identity, purpose: &str) -> u64 {
    let hash = blake3::hash(format!("{purpose} {}", identity.as_str()).as_bytes());
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(hash.as_bytes()) {
        *to = *from;
    }
    u64::from_le_bytes(bytes)
}
