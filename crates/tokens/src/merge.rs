//! Byte pair encoding of one piece: the pair of lowest rank is merged until no pair is a token.

use crate::vocabulary::rank;

/// Returns the number of tokens of a piece. Quadratic in its length in the worst case.
pub(crate) fn count(piece: &[u8]) -> usize {
    if piece.len() < 2 || rank(piece).is_some() {
        return usize::from(!piece.is_empty());
    }
    // For each part: where it starts, and the rank of the token that it forms with the next part.
    let mut parts: Vec<(usize, u32)> = (0..piece.len())
        .map(|at| (at, piece.get(at..at + 2).map_or(NONE, rank_or_none)))
        .collect();
    loop {
        let lowest = parts.iter().map(|&(_, rank)| rank).enumerate();
        let Some((at, best)) = lowest.min_by_key(|&(_, rank)| rank) else {
            return 0;
        };
        if best == NONE {
            return parts.len();
        }
        parts.remove(at + 1);
        for changed in [at.checked_sub(1), Some(at)].into_iter().flatten() {
            parts[changed].1 = joined(&parts, changed, piece);
        }
    }
}

/// The rank of a pair that is not a token.
const NONE: u32 = u32::MAX;

/// Returns the rank of the token that a part forms with the next part; `NONE` without one.
fn joined(parts: &[(usize, u32)], at: usize, piece: &[u8]) -> u32 {
    if at + 1 == parts.len() {
        return NONE;
    }
    let end = parts.get(at + 2).map_or(piece.len(), |&(start, _)| start);
    rank_or_none(&piece[parts[at].0..end])
}

fn rank_or_none(token: &[u8]) -> u32 {
    rank(token).unwrap_or(NONE)
}
