//! Finds an identical earlier start, so that the same debate is not paid for twice.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_caller::system::describe_age;
use agon_caller::{Caller, Failure, Hint, Notes, find, system};
use agon_folder::Glance;
use agon_index::debates_opened_since;
use agon_record::spec::Spec;
use agon_store::RealDisk;
use agon_verdict::status::{RunState, is_same_start};

use crate::failure::store_failure;
use crate::request::options::RunOptions;
use crate::run::detach;
use crate::status::outcome::{Ended, Outcome};
use crate::status::wait::wait_until_idle;
use crate::status::{DebateSight, ending, inspect_debate};

// Chosen, not measured: a program that lost the answer asks again within minutes, while a start on
// the next day wants a new debate. `--again` overrides it. Calling programs are promised an hour.
/// How long a second start returns the first debate.
const REUSED_FOR_MS: u64 = 3_600_000;
// The default time limit is half an hour, and a person may take days. Equals the time after which
// folders of another machine are removed (`proc/src/owner.rs`).
/// Longer than a debate may run.
const MAX_WAIT: Duration = Duration::from_secs(7 * 86_400);

/// An identical earlier debate that is running or has an answer.
#[derive(Clone, Debug)]
pub(crate) struct EarlierDebate {
    path: PathBuf,
    seen: DebateSight,
    /// Minutes since it was opened.
    pub minutes: u64,
}

impl EarlierDebate {
    /// Returns its folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its name.
    pub(crate) fn slug(&self) -> &str {
        &self.seen.glance.state.spec.slug
    }
}

/// Earlier starts in a folder of debates.
#[derive(Debug)]
pub(crate) struct EarlierStarts<'a> {
    debates: &'a Path,
    /// The debates that were already looked at.
    known: BTreeSet<OsString>,
    /// The identical start that was found so far.
    found: Option<EarlierDebate>,
}

impl<'a> EarlierStarts<'a> {
    /// Prepares to look for starts in `debates`.
    pub(crate) fn new(debates: &'a Path) -> Self {
        Self {
            debates,
            known: BTreeSet::new(),
            found: None,
        }
    }

    /// Returns the folder of debates.
    pub(crate) fn debates(&self) -> &'a Path {
        self.debates
    }

    /// Returns the latest debate that starts like `spec`, was opened within an hour, and is running
    /// or has an answer. A later call, which must be given the same `spec`, reads only the debates
    /// that were added since then.
    ///
    /// # Errors
    ///
    /// If the folder of debates cannot be read.
    pub(crate) fn find(&mut self, spec: &Spec) -> Result<Option<&EarlierDebate>, Failure> {
        let now = system::now_ms();
        let since = now.saturating_sub(REUSED_FOR_MS);
        let same_topic = debates_opened_since(self.debates, since, &spec.topic, &mut self.known);
        for path in same_topic.map_err(|error| store_failure(&error))? {
            let Ok(glance) = Glance::read(&RealDisk, &path) else {
                continue;
            };
            let newer = self
                .found
                .as_ref()
                .is_none_or(|found| found.seen.glance.at_first <= glance.at_first);
            if !newer || !is_same_start(&glance.state.spec, spec) {
                continue;
            }
            let seen = inspect_debate(&path)?;
            if seen.run_state.is_live() || seen.run_state == RunState::Done {
                let minutes = now.saturating_sub(glance.at_first) / 60_000;
                self.found = Some(EarlierDebate {
                    path,
                    seen,
                    minutes,
                });
            }
        }
        Ok(self.found.as_ref())
    }
}

/// Returns a note on the latest debate in `debates` on the same question as `spec`, if any.
///
/// # Errors
///
/// If the folder of debates cannot be read.
pub(crate) fn same_question_note(
    caller: &Caller,
    debates: &Path,
    spec: &Spec,
    notes: &mut dyn Notes,
) -> Result<Option<String>, Failure> {
    let plain = |topic: &str| {
        topic
            .trim()
            .trim_end_matches(['?', '.', '!'])
            .to_lowercase()
    };
    let asked = plain(&spec.topic);
    let listed = find::listing_with_notes(debates, notes)?.debates;
    let same = listed
        .iter()
        .filter(|debate| !debate.record.is_demo && plain(&debate.record.topic) == asked);
    let Some(last) = same.max_by_key(|debate| debate.record.at_first) else {
        return Ok(None);
    };
    let age = describe_age(last.record.at_first, system::now_ms());
    let name = find::typeable_debate_name(caller, &last.path);
    Ok(Some(format!(
        "note: {} question was debated {age}: agon show {name}, agon continue {name}",
        if last.record.topic.trim() == spec.topic.trim() {
            "this"
        } else {
            "the same"
        },
    )))
}

/// Returns the outcome of an identical earlier debate: at once if the caller detaches, otherwise
/// when it has ended.
///
/// # Errors
///
/// If it ends without a verdict.
pub(crate) fn earlier_outcome(
    caller: &Caller,
    options: &RunOptions,
    earlier: EarlierDebate,
    notes: &mut dyn Notes,
) -> Result<Outcome, Failure> {
    let folder = caller.display_path(&earlier.path);
    if options.detach {
        let state = earlier.seen.glance.state;
        return detach::outcome_of_started_debate(caller, options, state, folder, true);
    }
    let advice = format!(
        "note: showing the identical debate {}, started {} min ago",
        earlier.slug(),
        earlier.minutes
    );
    let advice = Hint::new(advice).then(Hint::new("start a new one with ").flag("again"));
    caller.advise(&advice, notes);
    let seen = wait_until_idle(&earlier.path, Instant::now() + MAX_WAIT, |_| {})?;
    let ended = ending::ended_with_verdict(seen.glance.state, folder)?;
    Ok(Outcome::ended(Ended {
        is_reused: true,
        ..ended
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use agon_folder::Folder;

    use super::*;

    #[test]
    fn the_latest_start_that_runs_is_found_with_and_without_an_index() {
        let dir = tempfile::tempdir().unwrap();
        let now = system::now_ms();
        let open = |topic: &str, number: u128, at_ms| {
            let spec = asked(topic, number);
            Folder::create(Arc::new(RealDisk), dir.path(), topic, spec, at_ms).unwrap()
        };
        let running = [open("one", 1, now), open("one", 2, now - 1_000)];
        let old = open("one", 3, now - 2 * REUSED_FOR_MS);
        drop(open("one", 4, now + 1_000));
        let other = open("two", 5, now);
        let found = |topic: &str| {
            let mut earlier = EarlierStarts::new(dir.path());
            let found = earlier.find(&asked(topic, 9)).unwrap();
            found.map(|found| found.path.clone())
        };
        for _ in 0..2 {
            assert_eq!(found("one").as_deref(), Some(running[0].path()));
            assert_eq!(found("two").as_deref(), Some(other.path()));
            assert_eq!(found("three"), None);
            let mut index = agon_index::Index::open_for_list(dir.path()).unwrap();
            index.list(&|_| false, &mut || {}).unwrap();
        }
        drop(old);
    }

    fn asked(topic: &str, number: u128) -> Spec {
        Spec {
            topic: topic.to_owned(),
            ulid: number.into(),
            ..agon_samples::batches::spec()
        }
    }

    #[test]
    fn a_second_look_also_finds_a_debate_that_was_opened_in_between() {
        let dir = tempfile::tempdir().unwrap();
        let open = |number| {
            let spec = asked("one", number);
            Folder::create(
                Arc::new(RealDisk),
                dir.path(),
                "one",
                spec,
                system::now_ms(),
            )
            .unwrap()
        };
        let mut earlier = EarlierStarts::new(dir.path());
        let mut found = || {
            let found = earlier.find(&asked("one", 9)).unwrap();
            found.map(|found| found.path.clone())
        };
        assert_eq!(found(), None);
        let first = open(1);
        assert_eq!(found().as_deref(), Some(first.path()));
        assert_eq!(found().as_deref(), Some(first.path()));
        let second = open(2);
        assert_eq!(found().as_deref(), Some(second.path()));
    }
}
