//! Finds the other names that a file has through a commit's symbolic links.

use std::collections::BTreeSet;

use agon_caller::Failure;
use agon_git::GitSession;

use crate::git::git_failure;

/// Maximum number of names of one file that are checked, because links can form cycles.
const NAMES_MAX: usize = 64;

/// The symbolic links of a commit, each with its target path. Links that lead out of the tree are
/// left out.
#[derive(Debug, Default)]
pub(crate) struct Links(Vec<(String, String)>);

impl Links {
    /// Reads the symbolic links of these commits.
    ///
    /// # Errors
    ///
    /// Fails if git fails.
    pub(crate) async fn read(session: &GitSession, commits: &[&str]) -> Result<Self, Failure> {
        let mut all = Vec::new();
        for commit in commits {
            all.extend(Self::read_commit(session, commit).await?.0);
        }
        Ok(Self(all))
    }

    async fn read_commit(session: &GitSession, commit: &str) -> Result<Self, Failure> {
        let args = ["ls-tree", "-r", "-z", "--full-tree", commit];
        let listed = session.text(&args).await.map_err(git_failure)?;
        let links: Vec<(&str, &str)> = listed.split('\0').filter_map(parse_link_line).collect();
        if links.is_empty() {
            return Ok(Self(Vec::new()));
        }
        let wanted: String = links.iter().map(|(id, _)| format!("{id}\n")).collect();
        let bodies = session.run(&["cat-file", "--batch"], wanted.as_bytes());
        let bodies = bodies.await.map_err(git_failure)?;
        let mut rest = bodies.as_slice();
        let led = links.into_iter().map_while(|(_, path)| {
            let target = split_object(&mut rest)?;
            Some((path, String::from_utf8_lossy(target).into_owned()))
        });
        Ok(Self::new(led))
    }

    fn new<'a>(links: impl Iterator<Item = (&'a str, String)>) -> Self {
        let led =
            links.filter_map(|(path, target)| Some((path.to_owned(), resolve(path, &target)?)));
        Self(led.collect())
    }

    /// Returns all names of a file or folder, including its own, and the names of links that lead
    /// through it. Returns `None` if there are too many.
    pub(super) fn names(&self, path: &str) -> Option<BTreeSet<String>> {
        let mut names = BTreeSet::from([path.to_owned()]);
        let mut open = vec![path.to_owned()];
        while let Some(name) = open.pop() {
            for (link, target) in &self.0 {
                let other = match below(target, &name) {
                    Some(rest) => format!("{link}{rest}"),
                    None if below(&name, target).is_some() => link.clone(),
                    None => continue,
                };
                if !names.contains(&other) {
                    if names.len() == NAMES_MAX {
                        return None;
                    }
                    names.insert(other.clone());
                    open.push(other);
                }
            }
        }
        Some(names)
    }
}

/// Returns what follows `folder` in a path inside it; empty for the folder itself.
fn below<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Parses a line of `ls-tree`: the object id and path of a symbolic link, or `None` for anything
/// else.
fn parse_link_line(line: &str) -> Option<(&str, &str)> {
    let (facts, path) = line.split_once('\t')?;
    let id = facts.strip_prefix("120000 blob ")?;
    Some((id, path))
}

/// Splits off the next object of `cat-file --batch` output.
fn split_object<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, after) = rest.split_at(end);
    let size = std::str::from_utf8(head).ok()?.rsplit(' ').next()?;
    let (body, after) = after.get(1..)?.split_at_checked(size.parse().ok()?)?;
    *rest = after.get(1..)?;
    Some(body)
}

/// Resolves a link's target from the root of the tree. Returns `None` if that is the root or
/// outside.
fn resolve(link: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = link.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(links: &[(&'static str, &str)], path: &str) -> Vec<String> {
        let links = links
            .iter()
            .map(|(link, target)| (*link, (*target).to_owned()));
        let names = Links::new(links).names(path);
        names.into_iter().flatten().collect()
    }

    #[test]
    fn a_file_has_the_names_of_the_links_that_lead_to_it_or_to_its_folder() {
        let links = [
            ("CLAUDE.md", "docs/agents.txt"),
            ("sub/AGENTS.md", "../CLAUDE.md"),
            (".claude", "./tools/claude/"),
        ];
        assert_eq!(
            names(&links, "docs/agents.txt"),
            ["CLAUDE.md", "docs/agents.txt", "sub/AGENTS.md"]
        );
        assert_eq!(
            names(&links, "tools/claude/settings.json"),
            [".claude/settings.json", "tools/claude/settings.json"]
        );
        assert_eq!(
            names(&links, "docs/agents.txt.bak"),
            ["docs/agents.txt.bak"]
        );
        assert_eq!(names(&links, "tools/claude2/x"), ["tools/claude2/x"]);
    }

    #[test]
    fn links_that_lead_out_or_in_cycles_end() {
        let links = [
            ("a", "/etc"),
            ("b", "../.."),
            ("c", "."),
            ("d/e", "../d"),
            ("f", "f"),
        ];
        assert_eq!(names(&links, "etc/x"), ["etc/x"]);
        assert_eq!(names(&links, "d/x"), [""; 0], "too many to look at");
    }

    #[test]
    fn a_link_that_is_turned_elsewhere_changes_what_leads_through_it() {
        let links = [
            ("CLAUDE.md", "docs/current/agents.md"),
            ("docs/current", "v1"),
        ];
        assert_eq!(names(&links, "docs/current"), ["CLAUDE.md", "docs/current"]);
        assert_eq!(
            names(&links, "docs/v1/agents.md"),
            ["CLAUDE.md", "docs/current/agents.md", "docs/v1/agents.md"]
        );
    }

    #[test]
    fn what_git_prints_is_read_by_its_sizes() {
        let mut rest = &b"aa blob 3\nx\ny\nbb blob 0\n\ncc missing\n"[..];
        assert_eq!(split_object(&mut rest), Some(&b"x\ny"[..]));
        assert_eq!(split_object(&mut rest), Some(&b""[..]));
        assert_eq!(split_object(&mut rest), None);
    }
}
