//! The settings of a run, resolved once when it starts and stored with it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gate::WantedAuthority;

/// The settings that a run started with. They apply until it ends, even after it is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunPolicy {
    /// The profile that chose the team and set flags; null if none did.
    pub profile: Option<String>,
    /// The team's name.
    pub team: String,
    /// How many members of each role work at once.
    pub members: BTreeMap<String, u32>,
    /// The AI tools of roles that do not use the run's.
    pub hosts: BTreeMap<String, String>,
    /// The roles that review a change before its merge, in this order.
    pub checked_by: Vec<String>,
    /// Whether the plan is debated before its tasks start.
    pub debate_plans: bool,
    /// Which changes are debated before their merge.
    pub debate_changes: DebatedChanges,
    /// The least authority of a verdict that counts.
    pub authority: WantedAuthority,
    /// Whether a person must approve irreversible changes.
    pub ask_irreversible: bool,
    /// How often a change may go back to its author before its task fails.
    pub review_rounds: u32,
    /// How many tasks are worked on at once.
    pub parallel: u32,
}

/// Which changes are debated before their merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DebatedChanges {
    /// No changes.
    Never,
    /// Changes of tasks that the planner marked as risky.
    #[default]
    Risky,
    /// All changes.
    Always,
}

/// The step after the objections to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterObjections {
    /// The plan is debated.
    Debate,
    /// The planner answers the objections in a revised plan.
    Answer,
    /// The tasks start.
    Work,
}

/// The weight of a task, which decides the role that works on it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TaskWeight {
    /// One small, obvious change.
    Quick,
    /// One change in one module.
    #[default]
    Standard,
    /// One change across many modules.
    Heavy,
    /// A hard problem in few files.
    Deep,
    /// The user interface.
    Ui,
    /// A whole part of the user interface.
    UiHeavy,
    /// Documentation only.
    Docs,
}

impl TaskWeight {
    /// Every weight.
    pub const ALL: [Self; 7] = [
        Self::Quick,
        Self::Standard,
        Self::Heavy,
        Self::Deep,
        Self::Ui,
        Self::UiHeavy,
        Self::Docs,
    ];

    /// Returns its name in a plan.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Heavy => "heavy",
            Self::Deep => "deep",
            Self::Ui => "ui",
            Self::UiHeavy => "ui-heavy",
            Self::Docs => "docs",
        }
    }

    /// Returns the role that works on it.
    pub const fn role(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "worker",
            Self::Heavy => "heavy-worker",
            Self::Deep => "deep-worker",
            Self::Ui => "ui-worker",
            Self::UiHeavy => "ui-heavy-worker",
            Self::Docs => "scribe",
        }
    }

    /// Returns the roles that may work on it, the best one first.
    fn candidates(self) -> impl Iterator<Item = &'static str> {
        // The role for the most similar weight comes before the roles that may take any task.
        let neighbour = match self {
            Self::Heavy => "deep-worker",
            Self::Deep => "heavy-worker",
            Self::Ui => "ui-heavy-worker",
            Self::UiHeavy => "ui-worker",
            Self::Quick | Self::Standard | Self::Docs => "worker",
        };
        let any = [
            "worker",
            "heavy-worker",
            "deep-worker",
            "ui-worker",
            "ui-heavy-worker",
            "quick",
            "scribe",
        ];
        [self.role(), neighbour].into_iter().chain(any)
    }
}

impl Default for RunPolicy {
    /// Returns one worker and one reviewer, without debates.
    fn default() -> Self {
        let one = |role: &str| (role.to_owned(), 1);
        Self {
            profile: None,
            team: "solo".to_owned(),
            members: [one("worker"), one("reviewer")].into(),
            hosts: BTreeMap::new(),
            checked_by: vec!["reviewer".to_owned()],
            debate_plans: false,
            debate_changes: DebatedChanges::Never,
            authority: WantedAuthority::Full,
            ask_irreversible: true,
            review_rounds: 2,
            parallel: 1,
        }
    }
}

impl RunPolicy {
    /// Returns the policy of a run that was started by a version without stored settings: a
    /// planner, a critic, a devil, a debate of every plan, two workers and one reviewer.
    pub fn without_settings() -> Self {
        let members = ["planner", "critic", "devil", "reviewer"].map(|role| (role.to_owned(), 1));
        let mut members: BTreeMap<String, u32> = members.into();
        members.insert("worker".to_owned(), 2);
        Self {
            team: "default".to_owned(),
            members,
            debate_plans: true,
            parallel: 2,
            ..Self::default()
        }
    }

    /// Returns how many members of a role work at once; 0 if the team lacks the role.
    pub fn count(&self, role: &str) -> u32 {
        self.members.get(role).copied().unwrap_or_default()
    }

    /// Returns whether the team has a role.
    pub fn has(&self, role: &str) -> bool {
        self.count(role) > 0
    }

    /// Returns the role that works on a task: the role for its weight, otherwise the closest role
    /// that the team has. Returns `None` if no member makes changes.
    pub fn worker_for(&self, weight: TaskWeight) -> Option<&'static str> {
        weight.candidates().find(|role| self.has(role))
    }

    /// Returns whether a task's change is debated before its merge.
    pub fn debates_change(&self, is_risky: bool) -> bool {
        match self.debate_changes {
            DebatedChanges::Never => false,
            DebatedChanges::Risky => is_risky,
            DebatedChanges::Always => true,
        }
    }

    /// Returns what follows the objections to the plan.
    pub fn step_after_objections(&self, has_objections: bool) -> AfterObjections {
        match (self.debate_plans, has_objections) {
            (true, _) => AfterObjections::Debate,
            (false, true) => AfterObjections::Answer,
            (false, false) => AfterObjections::Work,
        }
    }

    /// Returns whether a person must approve a change before its merge.
    pub fn needs_person_approval(&self, is_irreversible: bool) -> bool {
        is_irreversible && self.ask_irreversible
    }

    /// Returns whether a task fails after its change was sent back `returned` times.
    pub fn fails_after_returns(&self, returned: u32) -> bool {
        returned > self.review_rounds
    }

    /// Chooses which ready tasks start now and returns their positions in `ready`, which lists
    /// their roles. At most `limit` tasks start, and per role at most as many as the team has
    /// members.
    pub fn choose_to_start(&self, ready: &[&str], limit: usize) -> Vec<usize> {
        let mut taken: BTreeMap<&str, u32> = BTreeMap::new();
        let mut begun = Vec::new();
        for (place, role) in ready.iter().enumerate() {
            let of_role = taken.entry(role).or_default();
            if begun.len() < limit && *of_role < self.count(role) {
                *of_role += 1;
                begun.push(place);
            }
        }
        begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(members: &[(&str, u32)]) -> RunPolicy {
        let members = members.iter();
        RunPolicy {
            members: members
                .map(|(role, count)| ((*role).to_owned(), *count))
                .collect(),
            ..RunPolicy::default()
        }
    }

    #[test]
    fn a_task_goes_to_the_role_of_its_weight_or_to_the_nearest_one() {
        let all: Vec<_> = TaskWeight::ALL.iter().map(|it| (it.role(), 1)).collect();
        for weight in TaskWeight::ALL {
            assert_eq!(team(&all).worker_for(weight), Some(weight.role()));
            assert_eq!(team(&[("worker", 1)]).worker_for(weight), Some("worker"));
            assert_eq!(team(&[("reviewer", 1)]).worker_for(weight), None);
        }
        let interface = team(&[("ui-worker", 2), ("ui-heavy-worker", 1)]);
        assert_eq!(
            interface.worker_for(TaskWeight::Standard),
            Some("ui-worker")
        );
        let one = team(&[("worker", 1), ("deep-worker", 1)]);
        assert_eq!(one.worker_for(TaskWeight::Heavy), Some("deep-worker"));
        let research = team(&[("scribe", 2)]);
        assert_eq!(research.worker_for(TaskWeight::Deep), Some("scribe"));
    }

    #[test]
    fn tasks_begin_up_to_the_limit_and_the_count_of_their_role() {
        let small = team(&[("worker", 2), ("quick", 1)]);
        let ready = ["worker", "worker", "worker", "quick", "quick"];
        assert_eq!(small.choose_to_start(&ready, 8), [0, 1, 3]);
        assert_eq!(small.choose_to_start(&ready, 2), [0, 1]);
        assert_eq!(small.choose_to_start(&[], 2), [] as [usize; 0]);
    }

    #[test]
    fn a_weight_is_written_as_in_a_plan() {
        for weight in TaskWeight::ALL {
            let text = serde_json::to_string(&weight).unwrap();
            assert_eq!(text, format!("\"{}\"", weight.as_str()));
        }
    }
}
