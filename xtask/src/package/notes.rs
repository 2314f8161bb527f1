//! Release notes: the section of a version in CHANGELOG.md or, before a release, what is new.

use anyhow::{Context, Result};

use crate::changelog;

/// Returns the notes of a version.
///
/// # Errors
/// If the changelog has no section for what is unreleased.
pub(super) fn write(changelog: &str, version: &str) -> Result<String> {
    let section = section(changelog, &format!("## [{version}]"));
    let section = section.or_else(|| self::section(changelog, changelog::UNRELEASED));
    let section = section.context("CHANGELOG.md has no section for this release")?;
    Ok(format!("# Agon {version}\n\n{}\n", section.trim()))
}

/// Returns the text below a heading, up to the next heading of its level.
fn section<'a>(changelog: &'a str, heading: &str) -> Option<&'a str> {
    let start = changelog.lines().find(|line| line.starts_with(heading))?;
    let (_, rest) = changelog.split_once(&format!("{start}\n"))?;
    Some(
        rest.split_once("\n## ")
            .map_or(rest, |(section, _)| section),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- New.\n\n\
                             ## [0.2.0] - 2026-11-29\n\n### Fixed\n\n- Two.\n\n## [0.1.0]\n\n- One.\n";

    #[test]
    fn a_released_version_has_its_own_section() {
        let notes = write(CHANGELOG, "0.2.0").unwrap();
        assert_eq!(notes, "# Agon 0.2.0\n\n### Fixed\n\n- Two.\n");
        assert_eq!(
            write(CHANGELOG, "0.1.0").unwrap(),
            "# Agon 0.1.0\n\n- One.\n"
        );
    }

    #[test]
    fn the_next_version_gets_what_is_unreleased() {
        let notes = write(CHANGELOG, "0.3.0").unwrap();
        assert_eq!(notes, "# Agon 0.3.0\n\n### Added\n\n- New.\n");
        assert!(write("# Changelog\n", "0.3.0").is_err());
    }
}
