//! Checks the `edit_only` limit of roles.

use agon_hosts::content::Role;
use agon_team::glob::PathGlob;

/// Returns whether `role` may edit the file at `path`, relative to the project.
///
/// An invalid path is refused: nothing but this limit keeps the role from other files.
pub(super) fn may_edit(role: &Role, path: &str) -> bool {
    if role.edit_only.is_empty() {
        return true;
    }
    let Ok(file) = PathGlob::file(path) else {
        return false;
    };
    let globs = role.edit_only.iter();
    let mut globs = globs.filter_map(|glob| glob.parse::<PathGlob>().ok());
    globs.any(|glob| glob.overlaps(&file))
}

#[cfg(test)]
mod tests {
    use agon_hosts::content;

    use super::*;

    fn role(name: &str, edit_only: &[&str]) -> Role {
        let roles = content::team().unwrap().roles;
        let role = roles.into_iter().find(|it| it.name == name).unwrap();
        Role {
            edit_only: edit_only.iter().map(|glob| (*glob).to_owned()).collect(),
            ..role
        }
    }

    #[test]
    fn a_limited_role_edits_its_own_files_alone_and_nothing_that_cannot_be_judged() {
        let scribe = role("scribe", &["*.md", "docs/**"]);
        for (path, expected) in [
            ("README.md", true),
            ("docs/main.rs", true),
            ("src/main.rs", false),
            ("src/README.md", false),
            ("/README.md", false),
            ("../README.md", false),
            ("", false),
        ] {
            assert_eq!(may_edit(&scribe, path), expected, "{path}");
        }
        let unreadable = role("scribe", &["/etc/*.md"]);
        assert!("/etc/*.md".parse::<PathGlob>().is_err());
        assert!(!may_edit(&unreadable, "README.md"));
        assert!(may_edit(&role("worker", &[]), "src/main.rs"));
    }
}
