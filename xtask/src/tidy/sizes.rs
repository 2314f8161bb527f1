//! Limits the size of crates: lines of their sources without tests, comments and blank lines.

use std::collections::BTreeMap;

use crate::source::SourceText;

/// Maximum number of lines in a crate. A change rebuilds at least its whole crate.
const MAX_LINES: usize = 20_000;

pub(super) fn violations(sources: &[SourceText]) -> Vec<String> {
    let mut crates: BTreeMap<&str, usize> = BTreeMap::new();
    for source in sources {
        let name = source.path.split('/').nth(1).unwrap_or_default();
        *crates.entry(name).or_default() += source.count_code_lines();
    }
    let total: usize = crates.values().sum();
    println!("sizes: {total} lines in {} crates", crates.len());
    crates
        .into_iter()
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(name, lines)| {
            format!("{name} has {lines} lines; {MAX_LINES} are allowed: split the crate")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_over_the_limit_is_a_violation() {
        let file = |name: &str, lines: usize| {
            let text = "// why\n\nfn a() {}\n".repeat(lines);
            SourceText::new(format!("crates/{name}/src/{lines}.rs"), &text)
        };
        let sources = [file("a", MAX_LINES), file("b", MAX_LINES), file("b", 1)];
        assert_eq!(
            violations(&sources),
            ["b has 20001 lines; 20000 are allowed: split the crate"]
        );
    }
}
