//! The parts of a state that only one format has.

use std::collections::BTreeMap;

use super::{FormerRuling, State};
use crate::event::{Cause, Imported, Judgment, Reply, ScoreEntry};
use crate::format::FormatRules;
use crate::id::{NodeId, Stage};
use crate::spec::{Kind, Seating, Spec};

/// The state that only a duel has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DuelState {
    /// Judges that were lost, with the cause.
    pub lost_judges: Vec<(Seating, Option<Cause>)>,
    /// Whether to stop because the first answers agree, once decided.
    pub agreement: Option<bool>,
    /// Whether the user told the judge to rule early.
    pub judge_now: bool,
    /// Rulings that later rounds made void, oldest first.
    pub former: Vec<FormerRuling>,
}

/// The state that only a formal debate has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormalState {
    /// The last judged exchange.
    pub judged: Option<u16>,
    /// The scores of each argument, oldest first.
    pub scores: BTreeMap<NodeId, Vec<ScoreEntry>>,
    /// Files of another tool that became part of the debate, by their path in the folder.
    pub imported: BTreeMap<String, Reply>,
}

static NO_SCORES: BTreeMap<NodeId, Vec<ScoreEntry>> = BTreeMap::new();
static NO_FILES: BTreeMap<String, Reply> = BTreeMap::new();

/// Returns the initial state that only this format has.
pub(super) fn initial_kind(spec: &Spec) -> Kind<DuelState, FormalState> {
    Kind::select(spec.format(), DuelState::default(), FormalState::default())
}

impl State {
    /// Returns the rules of the debate's format.
    pub fn format_rules(&self) -> &'static FormatRules {
        self.spec.format().rules()
    }

    /// Returns the stage in which judges last spoke; `None` before the first judged exchange.
    pub fn last_judging_stage(&self) -> Option<Stage> {
        match &self.kind {
            Kind::Ruled(..) => Some(Stage::Verdict),
            Kind::Scored(_, formal) => formal.judged.map(Stage::Round),
        }
    }

    /// Judges that were lost, with the cause; only a duel replaces them.
    pub fn lost_judges(&self) -> &[(Seating, Option<Cause>)] {
        self.kind.as_duel().map_or(&[], |duel| &duel.lost_judges)
    }

    /// Returns whether to stop because the first answers agree; `None` before that is decided.
    pub fn stop_on_agreement(&self) -> Option<bool> {
        self.kind.as_duel()?.agreement
    }

    /// Returns whether the user told the judge to rule early.
    pub fn is_judge_ordered(&self) -> bool {
        self.kind.as_duel().is_some_and(|duel| duel.judge_now)
    }

    /// Rulings that later rounds made void, oldest first.
    pub fn former_rulings(&self) -> &[FormerRuling] {
        self.kind.as_duel().map_or(&[], |duel| &duel.former)
    }

    /// Returns the last judged exchange.
    pub fn last_judged_exchange(&self) -> Option<u16> {
        self.kind.as_formal()?.judged
    }

    /// Returns the scores of each argument, oldest first; empty outside a formal debate.
    pub fn score_histories(&self) -> &BTreeMap<NodeId, Vec<ScoreEntry>> {
        self.kind
            .as_formal()
            .map_or(&NO_SCORES, |formal| &formal.scores)
    }

    /// Files of another tool that became part of the debate, by their path in the folder.
    pub fn imported_files(&self) -> &BTreeMap<String, Reply> {
        self.kind
            .as_formal()
            .map_or(&NO_FILES, |formal| &formal.imported)
    }
}

impl DuelState {
    /// Reopens the duel; `former` is its previous ruling.
    pub(super) fn reopen(&mut self, former: Option<FormerRuling>) {
        self.former.extend(former);
        self.judge_now = false;
        self.agreement = self.agreement.map(|_| false);
    }
}

impl FormalState {
    pub(super) fn apply_judgment(&mut self, judgment: &Judgment) {
        let at_ms = judgment.at_ms;
        for scored in &judgment.scores {
            self.scores.entry(scored.id).or_default().push(ScoreEntry {
                score: scored.score,
                reasoning: scored.reasoning.clone(),
                at_ms,
                triggered_by: None,
                spread: scored.spread,
            });
        }
        for rescored in &judgment.rescores {
            let history = self.scores.entry(rescored.id).or_default();
            history.push(ScoreEntry {
                score: rescored.new,
                reasoning: rescored.reasoning.clone(),
                at_ms,
                triggered_by: rescored.triggered_by,
                spread: rescored.spread,
            });
        }
        self.judged = self.judged.max(Some(judgment.exchange));
    }

    pub(super) fn apply_imported(&mut self, imported: &Imported) {
        self.imported.extend(imported.files.clone());
        self.scores.extend(imported.scores.clone());
        self.judged = self.judged.max(imported.judged);
    }
}
