//! Which debate is taken where none is named.

use std::path::{Path, PathBuf};

use agon_caller::find::format_debate_names;
use agon_caller::hint::flag;
use agon_caller::{Caller, Code, Failure, Hint, Notes, find};
use agon_folder::ListedDebate;
use agon_report::text::plain_line;
use agon_rules::format::Phase;
use agon_verdict::status::RunState;

use crate::limits::opened;
use crate::standing;

/// The debate that a command most likely means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likely {
    /// The one in which something happened last.
    Latest,
    /// Of those that this user opened, the one in which something happened last.
    LatestOwn,
    /// Of those that this user opened, the only one that was stopped or failed, or waits for a
    /// person.
    Resumable,
    /// The only one that runs.
    Running,
    /// The only one that runs; where none does, the only resumable one.
    Unfinished,
    /// The only formal one that this user opened.
    Formal,
}

impl Likely {
    /// Whether a debate that is chosen may spend something: another person's has to be named.
    fn is_own(self) -> bool {
        match self {
            Self::LatestOwn | Self::Resumable | Self::Unfinished | Self::Formal => true,
            Self::Latest | Self::Running => false,
        }
    }
}

/// The folder of the debate `name`; without a name, of the debate in the current folder, else of
/// the likely one, which is said where there are others.
///
/// # Errors
///
/// If there is none of that name, or none that is likely.
pub fn find_or_choose(
    caller: &Caller,
    name: Option<&str>,
    likely: Likely,
    notes: &mut dyn Notes,
) -> Result<PathBuf, Failure> {
    if let Some(name) = name {
        return find::find_debate_folder(caller, name);
    }
    let here = caller.resolve_path(Path::new("."));
    // A model may have named the folder of a request that comes over a protocol.
    if find::is_debate_folder(&here) && !(likely.is_own() && caller.is_relayed) {
        return Ok(here);
    }
    let dir = find::debates_dir(caller)?;
    let mut debates = find::listing(&dir)?.debates;
    debates.retain(|debate| find::is_within_reach(caller, &dir, &debate.path));
    // A recorded debate is meant only where there is no other, and cannot go on.
    if debates.iter().any(|debate| !debate.is_demo) {
        debates.retain(|debate| !debate.is_demo);
    }
    let others = match likely.is_own() {
        true => retain_own(caller, &mut debates),
        false => Vec::new(),
    };
    debates.sort_by(|a, b| (b.at_last, &b.slug).cmp(&(a.at_last, &a.slug)));
    let shown = find::describe_folder(caller, &dir);
    if likely.is_own() && debates.is_empty() && others.iter().any(|debate| debate.is_demo) {
        return Err(only_demo(&shown));
    }
    let chosen = match debates.as_slice() {
        [] if !others.is_empty() => {
            if others.len() > 1 {
                choose(&others, likely, &shown)?;
            }
            return Err(none_of_own(&shown, others.len()));
        }
        [] => return Err(no_debate(&shown)),
        [only] => return Ok(only.path.clone()),
        several => choose(several, likely, &shown)?,
    };
    let count = debates.len();
    let why = chosen.why;
    notes.note(&format!(
        "{}: {why} of {count} in {shown}",
        plain_line(&chosen.debate.slug)
    ));
    Ok(chosen.debate.path.clone())
}

/// Leaves the debates that this user opened, and those that run here; gives the others.
fn retain_own(caller: &Caller, debates: &mut Vec<ListedDebate>) -> Vec<ListedDebate> {
    let is_own = |debate: &ListedDebate| {
        if debate.is_demo {
            return false;
        }
        standing::run_state_of_listed(debate).is_live() || opened::is_own(caller, debate)
    };
    let (own, others) = std::mem::take(debates).into_iter().partition(is_own);
    *debates = own;
    others
}

/// A debate that was taken, and why.
struct Chosen<'a> {
    debate: &'a ListedDebate,
    why: &'static str,
}

fn choose<'a>(
    debates: &'a [ListedDebate],
    likely: Likely,
    dir: &str,
) -> Result<Chosen<'a>, Failure> {
    match likely {
        Likely::Latest | Likely::LatestOwn => Ok(Chosen {
            debate: &debates[0],
            why: "the latest",
        }),
        Likely::Formal => {
            let formal: Vec<_> = debates.iter().filter(|debate| is_formal(debate)).collect();
            match formal.as_slice() {
                [] => Err(missing("no formal debate", dir, "agon new opens one")),
                [debate] => Ok(Chosen {
                    debate,
                    why: "the only formal one",
                }),
                several => Err(ambiguous(several, "are formal", dir)),
            }
        }
        Likely::Resumable => only_resumable(debates, dir),
        Likely::Running | Likely::Unfinished => {
            let is_live = |debate: &&ListedDebate| standing::run_state_of_listed(debate).is_live();
            let running: Vec<_> = debates.iter().filter(is_live).collect();
            match running.as_slice() {
                [] if likely == Likely::Unfinished => {
                    only_resumable(debates, dir).map_err(|_| none_running(dir))
                }
                [] => Err(none_running(dir)),
                [debate] => Ok(Chosen {
                    debate,
                    why: "the only one running",
                }),
                several => Err(ambiguous(several, "are running", dir)),
            }
        }
    }
}

fn none_running(dir: &str) -> Failure {
    missing(
        "no debate is running",
        dir,
        "agon list shows them, agon resume goes on with one that was stopped",
    )
}

fn is_formal(debate: &ListedDebate) -> bool {
    matches!(
        debate.phase,
        Phase::AwaitingArguments | Phase::AwaitingJudgment
    )
}

fn only_resumable<'a>(debates: &'a [ListedDebate], dir: &str) -> Result<Chosen<'a>, Failure> {
    let can_go_on = |debate: &&ListedDebate| match standing::run_state_of_listed(debate) {
        RunState::Stopped | RunState::Failed | RunState::WaitingForPerson => true,
        RunState::Running | RunState::Done => false,
    };
    let resumable: Vec<_> = debates.iter().filter(can_go_on).collect();
    match resumable.as_slice() {
        [] => Err(missing(
            "no debate was stopped",
            dir,
            "agon continue NAME adds rounds to one that has ended; agon list shows them",
        )),
        [debate] => Ok(Chosen {
            debate,
            why: "the only one to go on with",
        }),
        several => Err(ambiguous(several, "can go on", dir)),
    }
}

fn no_debate(dir: &str) -> Failure {
    missing(
        "no debates",
        &format!("{dir} yet"),
        Hint::new("agon debate \"TOPIC\" starts one, agon new opens a formal one")
            .then(flag("debates-dir").text(" looks elsewhere")),
    )
}

fn only_demo(dir: &str) -> Failure {
    missing(
        "nothing but the recorded debate of `agon demo`",
        dir,
        "agon debate \"TOPIC\" starts one of your own",
    )
}

fn none_of_own(dir: &str, all: usize) -> Failure {
    let (what, hint) = match all {
        1 => ("you did not open the debate", "name it"),
        _ => ("you opened none of the debates", "name one"),
    };
    let hint = format!("{hint}; it may then spend what your own settings allow");
    missing(what, dir, hint)
}

fn missing(what: &str, dir: &str, hint: impl Into<Hint>) -> Failure {
    let message = format!("{what} in {dir}");
    Failure::new(Code::MissingParameter, message)
        .parameter("debate")
        .hint(hint)
}

fn ambiguous(several: &[&ListedDebate], what: &str, dir: &str) -> Failure {
    let names = format_debate_names(several.iter().copied());
    let message = format!("{} debates in {dir} {what}; name one", several.len());
    Failure::new(Code::MissingParameter, message)
        .parameter("debate")
        .hint(format!("the latest first: {names}"))
}
