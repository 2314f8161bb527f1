//! Whether skills are as hosts read them, one by one and all together.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure};
use agon_hosts::content::{Skill, listing_tokens};
use agon_hosts::host::HOSTS;
use agon_hosts::library::{own_skill_files, own_skills, read_skill_folder};
use agon_hosts::lint::Finding;
use schemars::JsonSchema;
use serde::Serialize;

/// The name and version of the document.
pub const SKILLS_LINT_SCHEMA: &str = "agon.skills_lint/1";

/// What is wrong with skills: `agon.skills_lint/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillsLintDoc {
    #[schemars(extend("const" = SKILLS_LINT_SCHEMA))]
    schema: &'static str,
    /// How many skills were looked at.
    pub checked: usize,
    /// What is wrong with them.
    pub findings: Vec<Finding>,
    /// What names and descriptions of all of them take where a host bounds the list.
    pub listings: Vec<ListingDoc>,
}

/// What the list of all skills takes of a host's window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListingDoc {
    /// The host.
    pub host: &'static str,
    /// The o200k tokens of the list.
    pub tokens: u64,
    /// The most that the host lists; descriptions beyond it are dropped without a word.
    pub limit: u64,
    /// The tokens of its model's window.
    pub window: u64,
    /// The part of the window that the list may take, in hundredths.
    pub percent: u64,
}

impl SkillsLintDoc {
    /// Whether something is wrong.
    pub fn has_faults(&self) -> bool {
        let is_over = |listing: &ListingDoc| listing.tokens > listing.limit;
        !self.findings.is_empty() || self.listings.iter().any(is_over)
    }
}

/// Looks at the skills below `folder`, or at ours: each as `agon hosts lint` does, and what all of
/// them take together.
///
/// # Errors
///
/// If the folder cannot be read or has no skill in it.
pub fn lint(caller: &Caller, folder: Option<&Path>) -> Result<SkillsLintDoc, Failure> {
    let (skills, checked, findings) = match folder {
        None => own()?,
        Some(folder) => of_folder(caller, folder)?,
    };
    let tokens = listing_tokens(&skills);
    let listings = HOSTS.iter().filter_map(|host| {
        let room = host.listing_room?;
        Some(ListingDoc {
            host: host.name,
            tokens,
            limit: room.limit(),
            window: room.window,
            percent: room.percent,
        })
    });
    Ok(SkillsLintDoc {
        schema: SKILLS_LINT_SCHEMA,
        checked,
        findings,
        listings: listings.collect(),
    })
}

/// Skills, how many were looked at, and what is wrong with those that are left out.
type LintedSkills = (Vec<Skill>, usize, Vec<Finding>);

fn own() -> Result<LintedSkills, Failure> {
    let linted = agon_hosts::lint::lint(&own_skill_files(), None);
    let skills = own_skills().map_err(|error| Failure::from_error(Code::BrokenContent, &error))?;
    Ok((skills, linted.checked, linted.findings))
}

fn of_folder(caller: &Caller, folder: &Path) -> Result<LintedSkills, Failure> {
    let whole: PathBuf = caller.resolve_path(folder);
    let read = read_skill_folder(&whole, &[])
        .map_err(|error| Failure::from_error(Code::Unreadable, &error).parameter("dir"))?;
    let mut broken: Vec<&str> = read
        .findings
        .iter()
        .map(|finding| finding.path.as_str())
        .collect();
    broken.dedup();
    let checked = read.skills.len() + broken.len();
    if checked == 0 {
        let message = format!("there is no skill in {}", caller.display_path(&whole));
        return Err(Failure::new(Code::NoSkills, message)
            .parameter("dir")
            .hint("name a folder whose folders have a SKILL.md each"));
    }
    let findings = read.findings.into_iter().map(|finding| Finding {
        path: caller.display_path(Path::new(&finding.path)),
        ..finding
    });
    Ok((read.skills, checked, findings.collect()))
}
