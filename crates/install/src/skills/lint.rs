//! Checks skills, one by one and all together.

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

/// Problems in skills: `agon.skills_lint/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillsLintDoc {
    #[schemars(extend("const" = SKILLS_LINT_SCHEMA))]
    schema: &'static str,
    /// Number of checked skills.
    pub checked: usize,
    /// The problems.
    pub findings: Vec<Finding>,
    /// Size of the list of all skills in each host that limits it.
    pub listings: Vec<ListingDoc>,
}

/// Size of the skill list in a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListingDoc {
    /// The host.
    pub host: &'static str,
    /// o200k tokens of the list.
    pub tokens: u64,
    /// Maximum tokens of the list; beyond it, the host silently drops descriptions.
    pub limit: u64,
    /// Context window of its model, in tokens.
    pub window: u64,
    /// Share of the window for the list, in percent.
    pub percent: u64,
}

impl SkillsLintDoc {
    /// Returns whether there is a problem.
    pub fn has_faults(&self) -> bool {
        let is_over = |listing: &ListingDoc| listing.tokens > listing.limit;
        !self.findings.is_empty() || self.listings.iter().any(is_over)
    }
}

/// Checks the skills below `folder`, or ours: each like `agon hosts lint`, and the size of their list.
///
/// # Errors
///
/// If the folder cannot be read or has no skill.
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

/// The skills, the number of checked skills, and the problems in skipped skills.
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
        let message = format!("no skill in {}", caller.display_path(&whole));
        return Err(Failure::new(Code::NoSkills, message)
            .parameter("dir")
            .hint("pass a folder whose subfolders each contain a SKILL.md"));
    }
    let findings = read.findings.into_iter().map(|finding| Finding {
        path: caller.display_path(Path::new(&finding.path)),
        ..finding
    });
    Ok((read.skills, checked, findings.collect()))
}
