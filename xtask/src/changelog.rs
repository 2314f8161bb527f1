//! `cargo xtask changelog`: moves the entries of `changelog/`, one file each, into `CHANGELOG.md`.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::files::{self, SourceFile};
use crate::workspace;

const FOLDER: &str = "changelog/";
/// Describes the format of an entry; it is not an entry itself.
const README: &str = "changelog/README.md";
/// The first word of an entry's file, and its heading.
const HEADINGS: [(&str, &str); 6] = [
    ("security", "### Security"),
    ("added", "### Added"),
    ("changed", "### Changed"),
    ("deprecated", "### Deprecated"),
    ("removed", "### Removed"),
    ("fixed", "### Fixed"),
];
/// The heading above everything that no release has.
pub(crate) const UNRELEASED: &str = "## [Unreleased]";

/// The content of one file.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    heading: &'static str,
    text: String,
}

/// Moves every entry into the changelog.
pub(crate) fn run() -> Result<bool> {
    let root = workspace::root()?;
    let files = files::read()?;
    let text = add_entries(&files)?;
    fs::write(root.join("CHANGELOG.md"), text).context("cannot write CHANGELOG.md")?;
    let files: Vec<_> = files.iter().filter(|file| is_entry(file)).collect();
    for file in &files {
        fs::remove_file(root.join(&file.path))
            .with_context(|| format!("cannot remove {}", file.path))?;
    }
    println!("changelog: {} entries gathered", files.len());
    Ok(true)
}

/// Returns the changelog with all entries, and leaves their files alone.
///
/// # Errors
/// If a file cannot be read or is not an entry.
pub(crate) fn gathered() -> Result<String> {
    add_entries(&files::read()?)
}

fn add_entries(files: &[SourceFile]) -> Result<String> {
    let changelog = files.iter().find(|file| file.path == "CHANGELOG.md");
    let mut text = changelog.context("cannot read CHANGELOG.md")?.text.clone();
    for file in files.iter().filter(|file| is_entry(file)) {
        text = add_entry(&text, &parse_entry(file)?)?;
    }
    Ok(text)
}

/// Returns the faults in the entry files.
pub(crate) fn violations(files: &[SourceFile]) -> Vec<String> {
    let entries = files.iter().filter(|file| is_entry(file));
    entries
        .filter_map(|file| parse_entry(file).err())
        .map(|error| error.to_string())
        .collect()
}

fn is_entry(file: &SourceFile) -> bool {
    file.path.starts_with(FOLDER) && file.path != README
}

fn parse_entry(file: &SourceFile) -> Result<Entry> {
    let name = file.path.strip_prefix(FOLDER).unwrap_or(&file.path);
    let kind = name.strip_suffix(".md").and_then(|it| it.split_once('-'));
    let heading = HEADINGS
        .iter()
        .find(|(word, _)| kind.is_some_and(|(kind, _)| kind == *word));
    let Some((_, heading)) = heading else {
        let words = HEADINGS.map(|(word, _)| word).join(", ");
        bail!(
            "{}: call it HEADING-WORDS.md; headings are {words}",
            file.path
        );
    };
    let text = file.text.trim();
    if text.is_empty() || text.starts_with(['-', '*', '#']) || text.contains("\n\n") {
        bail!("{}: an entry is one paragraph without a bullet", file.path);
    }
    Ok(Entry {
        heading,
        text: text.lines().map(str::trim).collect::<Vec<_>>().join(" "),
    })
}

/// Returns the changelog with the entry added at the end of its section, which is created if
/// missing.
fn add_entry(changelog: &str, entry: &Entry) -> Result<String> {
    let mut lines: Vec<&str> = changelog.lines().collect();
    let Some(start) = lines.iter().position(|line| *line == UNRELEASED) else {
        bail!("CHANGELOG.md has no line `{UNRELEASED}`");
    };
    let end_of = |lines: &[&str], from: usize, mark: &str| {
        let next = lines.iter().skip(from).position(|it| it.starts_with(mark));
        let mut end = next.map_or(lines.len(), |next| from + next);
        while lines[end - 1].is_empty() {
            end -= 1;
        }
        end
    };
    let section = end_of(&lines, start + 1, "## ");
    let heading = lines[start..section]
        .iter()
        .position(|line| *line == entry.heading);
    let bullet = format!("- {}", entry.text);
    match heading {
        Some(at) => {
            let end = end_of(&lines[..section], start + at + 1, "### ");
            lines.insert(end, &bullet);
        }
        None => drop(lines.splice(section..section, ["", entry.heading, "", &bullet])),
    }
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::file;

    const CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n- Two.\n\n\
                             ### Fixed\n\n- Three.\n\n## [0.1.0]\n\n### Added\n\n- Old.\n";

    #[test]
    fn an_entry_goes_to_the_end_of_its_heading_among_what_is_unreleased() {
        let entry = parse_entry(&file("changelog/added-four.md", "Four\nin two lines.\n")).unwrap();
        let expected = CHANGELOG.replace("- Two.\n", "- Two.\n- Four in two lines.\n");
        assert_eq!(add_entry(CHANGELOG, &entry).unwrap(), expected);
    }

    #[test]
    fn a_heading_that_is_missing_is_added() {
        let entry = parse_entry(&file("changelog/removed-it.md", "It.")).unwrap();
        let expected = CHANGELOG.replace("- Three.\n", "- Three.\n\n### Removed\n\n- It.\n");
        assert_eq!(add_entry(CHANGELOG, &entry).unwrap(), expected);
        let only = add_entry("## [Unreleased]\n", &entry).unwrap();
        assert_eq!(only, "## [Unreleased]\n\n### Removed\n\n- It.\n");
    }

    #[test]
    fn a_changelog_that_has_nothing_unreleased_is_refused() {
        let entry = parse_entry(&file("changelog/fixed-it.md", "It.")).unwrap();
        let refused = add_entry("# Changelog\n", &entry).unwrap_err().to_string();
        assert_eq!(refused, "CHANGELOG.md has no line `## [Unreleased]`");
    }

    #[test]
    fn a_file_that_is_no_entry_is_a_violation() {
        let name = "call it HEADING-WORDS.md; headings are security, added, changed, deprecated, \
                    removed, fixed";
        let text = "an entry is one paragraph without a bullet";
        let found = violations(&[
            file("changelog/README.md", "# Entries"),
            file("changelog/added-good.md", "Good."),
            file("changelog/better-it.md", "It."),
            file("changelog/added.md", "It."),
            file("changelog/added-it.txt", "It."),
            file("changelog/added-empty.md", "\n"),
            file("changelog/added-bullet.md", "- It."),
            file("changelog/added-two.md", "One.\n\nTwo."),
            file("elsewhere/it.md", ""),
        ]);
        let expected = [
            format!("changelog/better-it.md: {name}"),
            format!("changelog/added.md: {name}"),
            format!("changelog/added-it.txt: {name}"),
            format!("changelog/added-empty.md: {text}"),
            format!("changelog/added-bullet.md: {text}"),
            format!("changelog/added-two.md: {text}"),
        ];
        assert_eq!(found, expected);
    }
}
