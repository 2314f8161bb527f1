//! Finds the crate of a symbol by its mangled name.

use std::collections::BTreeMap;

/// The crate of symbols that are not from Rust.
const OTHERS: &str = "(other languages)";

/// Sums the sizes of symbols by crate. Functions shared by several symbols count for each.
pub(super) fn by_crate<'s>(symbols: impl Iterator<Item = (&'s str, u64)>) -> Vec<(String, u64)> {
    let mut sizes = BTreeMap::<&str, u64>::new();
    for (name, size) in symbols.filter(|(_, size)| *size > 0) {
        *sizes.entry(crate_of(name).unwrap_or(OTHERS)).or_default() += size;
    }
    let sizes = sizes.into_iter();
    sizes.map(|(name, size)| (name.to_owned(), size)).collect()
}

/// Returns the crate of a mangled name; `None` if it is not from Rust. The code of a generic
/// function belongs to the crate that defines the function or, in an implementation, the type.
fn crate_of(symbol: &str) -> Option<&str> {
    // Other systems put a `_` before each symbol.
    let symbol = symbol.strip_prefix("__").map_or(symbol, |_| &symbol[1..]);
    match (symbol.strip_prefix("_ZN"), symbol.strip_prefix("_R")) {
        (Some(path), _) => legacy_crate(path),
        (None, Some(path)) => v0_crate(path),
        (None, None) => None,
    }
}

/// Returns the crate of a path in the legacy scheme: names after their lengths, the last of which
/// is a hash. An implementation is one name, `_$LT$agon..Type$u20$as$u20$core..Trait$GT$`.
fn legacy_crate(path: &str) -> Option<&str> {
    let first = name_after_length(path)?;
    let hash = path.strip_suffix('E')?;
    let is_rust = hash.len() > 17 && hash[..hash.len() - 16].ends_with("17h");
    if !is_rust {
        return None;
    }
    let Some(inner) = first
        .strip_prefix("_$LT$")
        .or_else(|| first.strip_prefix("$LT$"))
    else {
        return Some(first);
    };
    // The first name before `..` that follows a mark or begins the implementation.
    let ends = inner.match_indices("..").map(|(end, _)| end);
    ends.filter_map(|end| {
        let name = inner[..end].rsplit(['$', '.']).next()?;
        let name = name.trim_start_matches("mut ");
        (!name.is_empty()).then_some(name)
    })
    .next()
    .or(Some("core"))
}

/// Returns the crate of a path in the v0 scheme: the first name after a `C`, which stands for a
/// crate, and perhaps its disambiguator, `s` with a number in base 62.
fn v0_crate(path: &str) -> Option<&str> {
    path.match_indices('C').find_map(|(at, _)| {
        let rest = &path[at + 1..];
        let rest = match rest.strip_prefix('s').and_then(|rest| rest.split_once('_')) {
            Some((number, rest)) if number.bytes().all(|it| it.is_ascii_alphanumeric()) => rest,
            _ => rest,
        };
        name_after_length(rest)
    })
}

/// Returns the name whose length in decimal digits precedes it.
fn name_after_length(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = text[..digits].parse().ok()?;
    // In the v0 scheme, a `_` separates the length from a name that begins with a digit or `_`.
    text.get(digits..digits.checked_add(length)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_of_each_kind_of_symbol_is_found() {
        for (symbol, expected) in [
            (
                "_ZN11agon_redact7setting8NameScan9find_hits17he56c4e38119b74a7E",
                Some("agon_redact"),
            ),
            (
                "_ZN79_$LT$agon_store..disk..Real$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
                Some("agon_store"),
            ),
            (
                "_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
                Some("core"),
            ),
            (
                "_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE",
                Some("core"),
            ),
            ("__ZN3std2rt10lang_start17h0123456789abcdefE", Some("std")),
            ("_RNvCs1234_7mycrate4main", Some("mycrate")),
            ("_RNvNtCsbmNqQUJIY6D_4core3fmt5write", Some("core")),
            ("_RNvMNtC4agon3runNtB2_3Run3new", Some("agon")),
            ("_ZN5boost6system5errorE", None),
            ("sqlite3_step", None),
            ("_ZN999xE", None),
            ("", None),
        ] {
            assert_eq!(crate_of(symbol), expected, "{symbol}");
        }
    }

    #[test]
    fn sizes_are_added_by_crate() {
        let symbols = [
            ("_RNvC1a1f", 3),
            ("_RNvC1a1g", 4),
            ("memcpy", 5),
            ("_RNvC1b1f", 0),
        ];
        let sizes = by_crate(symbols.into_iter());
        assert_eq!(sizes, [(OTHERS.to_owned(), 5), ("a".to_owned(), 7)]);
    }
}
