//! Opens a debate, unless an identical one was started before.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_caller::{Code, Failure, system};
use agon_engine::host::FolderHost;
use agon_record::spec::Spec;
use agon_store::{LockGuard, RealDisk};

use crate::failure::store_failure;
use crate::run::reuse::{EarlierDebate, EarlierStarts};

/// How long to wait for one other start. With many starts at once, each gets this time. Longer than a
/// start may wait for the counts of the day's and the month's tokens.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// How a start treats an identical earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EarlierStart {
    /// It does not look for one.
    Ignored,
    /// It names it and opens another debate.
    Noted,
    /// It returns it.
    Returned,
}

/// The result of a start.
#[derive(Debug)]
pub(crate) enum StartResult {
    /// A new debate.
    New(Box<FolderHost>),
    /// An identical earlier debate.
    Earlier(Box<EarlierDebate>),
}

/// Opens a debate where `starts` looks, with `kept` stored under their hashes, or returns an
/// identical earlier one.
///
/// Calls `before_naming` with the earlier debate to note, if any, before others can find the new
/// one. Its failure undoes the start.
///
/// Starts at the same time take turns only while they look for debates that were just added, call
/// `before_naming` and rename a folder. Files are written and synced before that, because a sync
/// takes longest.
///
/// # Errors
///
/// If the folder of debates cannot be written, another start hangs, or `before_naming` fails.
pub(crate) fn open_unless_started(
    mut starts: EarlierStarts<'_>,
    spec: Spec,
    kept: &[&[u8]],
    treatment: EarlierStart,
    before_naming: impl FnOnce(Option<&EarlierDebate>) -> Result<(), Failure>,
) -> Result<StartResult, Failure> {
    let disk = Arc::new(RealDisk);
    let parent = starts.debates();
    let new = FolderHost::write_new(disk, parent, spec.clone(), kept, system::now_ms);
    let new = new.map_err(|error| store_failure(&error))?;
    let (starting, earlier) = match treatment {
        EarlierStart::Ignored => (None, None),
        EarlierStart::Noted | EarlierStart::Returned => {
            let starting = wait_for_start_lock(parent)?;
            (Some(starting), starts.find(&spec)?)
        }
    };
    if treatment == EarlierStart::Returned
        && let Some(earlier) = earlier
    {
        return Ok(StartResult::Earlier(Box::new(earlier.clone())));
    }
    before_naming(earlier)?;
    let named = new.take_name();
    drop(starting);
    let host = named.and_then(|named| FolderHost::open_new(named, system::now_ms));
    let host = host.map_err(|error| store_failure(&error))?;
    Ok(StartResult::New(Box::new(host)))
}

/// Takes the lock under which a start looks for an earlier one and names its debate.
///
/// # Errors
///
/// If the folder of debates cannot be written, or another start does not finish.
fn wait_for_start_lock(debates: &Path) -> Result<Box<dyn LockGuard>, Failure> {
    let locked = agon_store::wait_for_start_lock(debates, START_TIMEOUT);
    locked
        .map_err(|error| store_failure(&error))?
        .ok_or_else(|| {
            let message = "another start of a debate here has not finished";
            Failure::new(Code::Locked, message)
                .retry_after(5)
                .hint("try again, or run `agon list` to see the started debates")
        })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Barrier;
    use std::thread;

    use agon_store::Disk as _;

    use super::*;

    fn asked(topic: usize, number: u128) -> Spec {
        Spec {
            topic: format!("Question {topic}?"),
            ulid: number.into(),
            ..agon_samples::batches::spec()
        }
    }

    fn names(parent: &Path) -> Vec<String> {
        let names = RealDisk.list_names(parent).unwrap().into_iter();
        let names = names.map(|name| name.into_string().unwrap());
        names.filter(|name| name != ".agon").collect()
    }

    /// Starts sixty debates at once, three on each of twenty questions.
    fn sixty_starts(parent: &Path, treatment: EarlierStart) -> Vec<(usize, StartResult)> {
        let all = Barrier::new(60);
        thread::scope(|scope| {
            let start = |at: usize| {
                let all = &all;
                scope.spawn(move || {
                    all.wait();
                    let (topic, number) = (at % 20, u128::try_from(at).unwrap() + 1);
                    let spec = asked(topic, number);
                    let starts = EarlierStarts::new(parent);
                    let opened = open_unless_started(starts, spec, &[], treatment, |_| Ok(()));
                    (topic, opened.unwrap())
                })
            };
            let started: Vec<_> = (0..60).map(start).collect();
            started.into_iter().map(|it| it.join().unwrap()).collect()
        })
    }

    #[test]
    fn sixty_starts_at_once_open_each_question_once() {
        let dir = tempfile::tempdir().unwrap();
        let opened = sixty_starts(dir.path(), EarlierStart::Returned);
        let mut new = BTreeMap::<usize, BTreeSet<String>>::new();
        let mut earlier = new.clone();
        for (topic, opening) in &opened {
            let (to, slug) = match opening {
                StartResult::New(host) => (&mut new, host.folder().state().spec.slug.clone()),
                StartResult::Earlier(earlier_one) => (&mut earlier, earlier_one.slug().to_owned()),
            };
            to.entry(*topic).or_default().insert(slug);
        }
        let is_new = |(_, opening): &&(usize, StartResult)| matches!(opening, StartResult::New(_));
        assert_eq!(opened.iter().filter(is_new).count(), 20);
        assert_eq!(
            new, earlier,
            "the others were given the one that was opened"
        );
        assert_eq!(names(dir.path()).len(), 20, "no hidden folder is left");
    }

    #[test]
    fn sixty_starts_at_once_that_look_for_no_other_all_open_a_debate() {
        let dir = tempfile::tempdir().unwrap();
        let opened = sixty_starts(dir.path(), EarlierStart::Ignored);
        let is_new = |(_, opening): &(usize, StartResult)| matches!(opening, StartResult::New(_));
        assert!(opened.iter().all(is_new));
        assert_eq!(names(dir.path()).len(), 60);
    }

    #[test]
    fn a_start_that_is_refused_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        for treatment in [
            EarlierStart::Ignored,
            EarlierStart::Noted,
            EarlierStart::Returned,
        ] {
            let refuse = |_: Option<&EarlierDebate>| Err(Failure::new(Code::Locked, "no"));
            let starts = EarlierStarts::new(dir.path());
            open_unless_started(starts, asked(1, 1), &[], treatment, refuse).unwrap_err();
            assert_eq!(names(dir.path()), [""; 0]);
        }
    }
}
