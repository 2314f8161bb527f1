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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use agon_config::Settings;
    use agon_debates::request::StartRequest;

    use super::*;
    use crate::identity::{ContextFiles, identity};

    fn identities(count: usize) -> Vec<Identity> {
        let files = ContextFiles::new(Path::new("/"));
        let of = |at: usize| {
            let request = StartRequest {
                topic: format!("Question {at}?"),
                ..StartRequest::default()
            };
            identity(&request, &Settings::default(), &files, 1)
        };
        (0..count).map(of).collect()
    }

    #[test]
    fn every_request_is_in_one_shard_of_about_the_same_size() {
        for of in [1, 2, 7] {
            let mut sizes = vec![0_u32; of as usize];
            for identity in identities(700) {
                let shards = (1..=of).map(|index| Shard { index, of });
                let found: Vec<_> = shards.filter(|shard| shard.contains(&identity)).collect();
                let [shard] = found.as_slice() else {
                    panic!("{found:?}")
                };
                sizes[shard.index as usize - 1] += 1;
            }
            assert!(sizes.iter().all(|size| *size > 400 / of), "{sizes:?}");
        }
    }

    #[test]
    fn a_larger_sample_contains_a_smaller_one_and_a_seed_chooses_another() {
        let sample = |seed: u64, count: usize| -> BTreeSet<Identity> {
            let mut all = identities(100);
            all.sort_by_key(|identity| sample_order(identity, seed));
            all.into_iter().take(count).collect()
        };
        assert!(sample(0, 10).is_subset(&sample(0, 20)));
        assert_ne!(sample(0, 10), sample(1, 10));
    }

    #[test]
    fn a_shard_is_a_number_up_to_their_count() {
        assert_eq!(Shard::parse("2/4"), Ok(Shard { index: 2, of: 4 }));
        for text in ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b"] {
            assert!(Shard::parse(text).is_err(), "{text}");
        }
    }
}
