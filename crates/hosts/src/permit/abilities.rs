//! What each host can hold, as one table.

use super::PermissionScope;
use crate::content::agent::Power;
use crate::field::FieldOutcome::{self, NotEnforced, Translated};

/// What a host can hold of the acts of one power.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abilities {
    /// That all of them are denied, or asked about.
    pub(super) whole: FieldOutcome,
    /// That those on certain paths are denied or asked about.
    pub(super) paths: FieldOutcome,
    /// That those on certain paths are let through, and all others not.
    pub(super) exceptions: FieldOutcome,
}

const NO_EXCEPTIONS: FieldOutcome = NotEnforced("what it denies or asks about has no exceptions");
const NO_PATHS: FieldOutcome = NotEnforced("such an act has no path");
const ROOT_UNKNOWN: FieldOutcome =
    NotEnforced("its rules for all folders cannot tell where a repository begins");
const SEARCH: FieldOutcome =
    NotEnforced("a search of its own shows what is in a file all the same");
const NOT_OFFERED: FieldOutcome = Translated("its model is offered no such tool");
const NO_FILE: FieldOutcome =
    NotEnforced("it takes permissions at its start alone, and has no file of them");
const SANDBOX: FieldOutcome = NotEnforced(
    "its sandbox is one choice for a session, which a policy must not take from its user",
);
const fn all(outcome: FieldOutcome) -> Abilities {
    Abilities {
        whole: outcome,
        paths: NO_PATHS,
        exceptions: NO_PATHS,
    }
}

const fn on_paths(whole: FieldOutcome, paths: FieldOutcome, exceptions: FieldOutcome) -> Abilities {
    Abilities {
        whole,
        paths,
        exceptions,
    }
}

/// A host, one of its sessions, and what it holds of reading, editing, running, the network and handing
/// work on.
type AbilityRow = (&'static str, Run, [Abilities; 5]);

/// Which session a row is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// One of the user's, in whatever folder.
    User,
    /// One of the user's, in a project.
    Project,
    /// That of a member that Agon starts.
    Member,
}

impl Run {
    pub(super) const fn of(scope: &PermissionScope<'_>) -> Self {
        match scope {
            PermissionScope::User => Self::User,
            PermissionScope::Project(_) => Self::Project,
            PermissionScope::Member(_) => Self::Member,
        }
    }
}

/// Whether a session is offered no tool for acts of `power`, whatever its permissions say.
pub(super) fn offers_none(host: &str, scope: &PermissionScope<'_>, power: Power) -> bool {
    let whole = abilities(host, Run::of(scope), power).whole;
    whole == NOT_OFFERED || whole == NO_NETWORK
}

const LISTS: FieldOutcome = Translated("permissions.deny and permissions.ask");
const MAP: FieldOutcome = Translated("permission");
const RULES: FieldOutcome = Translated("a file of policies");
const PROFILE: FieldOutcome = Translated("a profile of permissions");
const NARROWED: FieldOutcome = Translated("permissions.allow, narrowed");
const NO_NETWORK: FieldOutcome = Translated("its sandbox reaches no other machine");
const HAS_TO_READ: FieldOutcome =
    NotEnforced("it runs programs of the system's, which it has to read");
const SHELL: FieldOutcome = NotEnforced("a shell is how it reads and edits");
const READS_UNASKED: FieldOutcome = NotEnforced("it reads without asking");
const NO_PROJECT: FieldOutcome = NotEnforced("it reads no policies of a project");
const UNKNOWN: FieldOutcome = NotEnforced("it is not known");
const SWITCHES: FieldOutcome = Translated("--deny-tool");

const TABLE: &[AbilityRow] = &[
    (
        "claude",
        Run::User,
        [
            on_paths(LISTS, LISTS, NO_EXCEPTIONS),
            on_paths(LISTS, LISTS, NO_EXCEPTIONS),
            all(LISTS),
            all(LISTS),
            all(LISTS),
        ],
    ),
    (
        "claude",
        Run::Project,
        [
            on_paths(LISTS, LISTS, NO_EXCEPTIONS),
            on_paths(LISTS, LISTS, NO_EXCEPTIONS),
            all(LISTS),
            all(LISTS),
            all(LISTS),
        ],
    ),
    (
        "claude",
        Run::Member,
        [
            on_paths(LISTS, LISTS, NO_EXCEPTIONS),
            on_paths(LISTS, LISTS, NARROWED),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
        ],
    ),
    (
        "codex",
        Run::User,
        [
            on_paths(SANDBOX, SANDBOX, SANDBOX),
            on_paths(SANDBOX, SANDBOX, SANDBOX),
            all(SANDBOX),
            all(SANDBOX),
            all(SANDBOX),
        ],
    ),
    (
        "codex",
        Run::Project,
        [
            on_paths(SANDBOX, SANDBOX, SANDBOX),
            on_paths(SANDBOX, SANDBOX, SANDBOX),
            all(SANDBOX),
            all(SANDBOX),
            all(SANDBOX),
        ],
    ),
    (
        "codex",
        Run::Member,
        [
            on_paths(HAS_TO_READ, PROFILE, HAS_TO_READ),
            on_paths(PROFILE, PROFILE, PROFILE),
            all(SHELL),
            all(NO_NETWORK),
            all(NOT_OFFERED),
        ],
    ),
    (
        "gemini",
        Run::User,
        [
            on_paths(RULES, ROOT_UNKNOWN, ROOT_UNKNOWN),
            on_paths(RULES, ROOT_UNKNOWN, ROOT_UNKNOWN),
            all(RULES),
            all(RULES),
            all(RULES),
        ],
    ),
    (
        "gemini",
        Run::Project,
        [
            on_paths(NO_PROJECT, NO_PROJECT, NO_PROJECT),
            on_paths(NO_PROJECT, NO_PROJECT, NO_PROJECT),
            all(NO_PROJECT),
            all(NO_PROJECT),
            all(NO_PROJECT),
        ],
    ),
    (
        "gemini",
        Run::Member,
        [
            on_paths(RULES, SEARCH, SEARCH),
            on_paths(RULES, RULES, RULES),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
        ],
    ),
    (
        "opencode",
        Run::User,
        [
            on_paths(MAP, SEARCH, SEARCH),
            on_paths(MAP, MAP, MAP),
            all(MAP),
            all(MAP),
            all(MAP),
        ],
    ),
    (
        "opencode",
        Run::Project,
        [
            on_paths(MAP, SEARCH, SEARCH),
            on_paths(MAP, MAP, MAP),
            all(MAP),
            all(MAP),
            all(MAP),
        ],
    ),
    (
        "opencode",
        Run::Member,
        [
            on_paths(MAP, SEARCH, SEARCH),
            on_paths(MAP, MAP, MAP),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
        ],
    ),
    (
        "copilot",
        Run::User,
        [
            on_paths(NO_FILE, NO_FILE, NO_FILE),
            on_paths(NO_FILE, NO_FILE, NO_FILE),
            all(NO_FILE),
            all(NO_FILE),
            all(NO_FILE),
        ],
    ),
    (
        "copilot",
        Run::Project,
        [
            on_paths(NO_FILE, NO_FILE, NO_FILE),
            on_paths(NO_FILE, NO_FILE, NO_FILE),
            all(NO_FILE),
            all(NO_FILE),
            all(NO_FILE),
        ],
    ),
    (
        "copilot",
        Run::Member,
        [
            on_paths(READS_UNASKED, SEARCH, SEARCH),
            on_paths(SWITCHES, SWITCHES, NO_EXCEPTIONS),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
            all(NOT_OFFERED),
        ],
    ),
];

/// What `host` can hold of the acts of `power` in such a session.
pub(super) fn abilities(host: &str, run: Run, power: Power) -> Abilities {
    let mut rows = TABLE.iter();
    let row = rows.find(|row| row.0 == host && row.1 == run);
    let at = Power::ALL.iter().position(|known| *known == power);
    let found = row.and_then(|row| row.2.get(at?));
    found.copied().unwrap_or(all(UNKNOWN))
}
