//! Chooses a debate if none is named.

use std::path::{Path, PathBuf};

use agon_caller::find::format_debate_names;
use agon_caller::{Caller, Code, Failure, Hint, Notes, find};
use agon_folder::ListedDebate;
use agon_report::text::plain_line;
use agon_rules::format::Phase;
use agon_verdict::status::RunState;

use crate::limits::grants;
use crate::status;

/// The debate that a command most likely means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikelyDebate {
    /// The most recently changed one.
    Latest,
    /// The most recently changed debate that this user opened.
    LatestOwn,
    /// The only debate that this user opened and that was stopped, failed or waits for a person.
    Resumable,
    /// The only running one.
    Running,
    /// The only running one; if none is running, the only resumable one.
    Unfinished,
    /// The only formal debate that this user opened.
    Formal,
}

impl LikelyDebate {
    /// Returns whether the command may spend tokens; another person's debate must then be named.
    fn is_own(self) -> bool {
        match self {
            Self::LatestOwn | Self::Resumable | Self::Unfinished | Self::Formal => true,
            Self::Latest | Self::Running => false,
        }
    }
}

/// Returns the folder of the debate `name`. Without a name, returns the current folder's debate, or
/// the likely one, with a note if there are others.
///
/// # Errors
///
/// If no debate has that name, or none is likely.
pub fn find_or_choose(
    caller: &Caller,
    name: Option<&str>,
    likely: LikelyDebate,
    notes: &mut dyn Notes,
) -> Result<PathBuf, Failure> {
    if let Some(name) = name {
        return find::find_debate_folder(caller, name);
    }
    let here = caller.resolve_path(Path::new("."));
    // Ignore the current folder for a relayed request, because a model may have chosen it.
    if find::is_debate_folder(&here) && !(likely.is_own() && caller.is_relayed) {
        return Ok(here);
    }
    let dir = find::debates_dir(caller)?;
    let mut debates = find::listing_with_notes(&dir, notes)?.debates;
    find::retain_accessible(caller, &dir, &mut debates);
    // Leave out the demo if there are other debates.
    if debates.iter().any(|debate| !debate.record.is_demo) {
        debates.retain(|debate| !debate.record.is_demo);
    }
    let others = match likely.is_own() {
        true => retain_own(caller, &mut debates),
        false => Vec::new(),
    };
    debates.sort_by(|a, b| (b.record.at_last, &b.slug).cmp(&(a.record.at_last, &a.slug)));
    let shown = find::describe_folder(caller, &dir);
    if likely.is_own() && debates.is_empty() && others.iter().any(|debate| debate.record.is_demo) {
        return Err(only_demo_failure(&shown));
    }
    let chosen = match debates.as_slice() {
        [] if !others.is_empty() => {
            if others.len() > 1 {
                choose(&others, likely, &shown)?;
            }
            return Err(no_own_debate_failure(&shown, others.len()));
        }
        [] => return Err(no_debate_failure(&shown)),
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

/// Keeps the debates that this user opened or that are running here, and returns the others.
fn retain_own(caller: &Caller, debates: &mut Vec<ListedDebate>) -> Vec<ListedDebate> {
    let is_own = |debate: &ListedDebate| {
        if debate.record.is_demo {
            return false;
        }
        status::run_state_of_listed(debate).is_live() || grants::is_own(caller, debate)
    };
    let (own, others) = std::mem::take(debates).into_iter().partition(is_own);
    *debates = own;
    others
}

/// The chosen debate, and why.
struct Chosen<'a> {
    debate: &'a ListedDebate,
    why: &'static str,
}

fn choose<'a>(
    debates: &'a [ListedDebate],
    likely: LikelyDebate,
    dir: &str,
) -> Result<Chosen<'a>, Failure> {
    match likely {
        LikelyDebate::Latest | LikelyDebate::LatestOwn => Ok(Chosen {
            debate: &debates[0],
            why: "the latest",
        }),
        LikelyDebate::Formal => {
            let formal: Vec<_> = debates.iter().filter(|debate| is_formal(debate)).collect();
            match formal.as_slice() {
                [] => Err(missing_failure(
                    "no formal debate",
                    dir,
                    "run `agon new` to open one",
                )),
                [debate] => Ok(Chosen {
                    debate,
                    why: "the only formal one",
                }),
                several => Err(ambiguous_failure(several, "are formal", dir)),
            }
        }
        LikelyDebate::Resumable => only_resumable(debates, dir),
        LikelyDebate::Running | LikelyDebate::Unfinished => {
            let is_live = |debate: &&ListedDebate| status::run_state_of_listed(debate).is_live();
            let running: Vec<_> = debates.iter().filter(is_live).collect();
            match running.as_slice() {
                [] if likely == LikelyDebate::Unfinished => {
                    only_resumable(debates, dir).map_err(|_| no_running_debate_failure(dir))
                }
                [] => Err(no_running_debate_failure(dir)),
                [debate] => Ok(Chosen {
                    debate,
                    why: "the only one running",
                }),
                several => Err(ambiguous_failure(several, "are running", dir)),
            }
        }
    }
}

fn no_running_debate_failure(dir: &str) -> Failure {
    missing_failure(
        "no running debate",
        dir,
        "run `agon list` to see all debates, or `agon resume` to continue a stopped one",
    )
}

fn is_formal(debate: &ListedDebate) -> bool {
    matches!(
        debate.record.phase,
        Phase::AwaitingArguments | Phase::AwaitingJudgment
    )
}

fn only_resumable<'a>(debates: &'a [ListedDebate], dir: &str) -> Result<Chosen<'a>, Failure> {
    let can_go_on = |debate: &&ListedDebate| match status::run_state_of_listed(debate) {
        RunState::Stopped | RunState::Failed | RunState::WaitingForPerson => true,
        RunState::Running | RunState::Done => false,
    };
    let resumable: Vec<_> = debates.iter().filter(can_go_on).collect();
    match resumable.as_slice() {
        [] => Err(missing_failure(
            "no stopped debate",
            dir,
            "run `agon continue NAME` to add rounds to a debate that has ended, or `agon list` to see all",
        )),
        [debate] => Ok(Chosen {
            debate,
            why: "the only one that can be resumed",
        }),
        several => Err(ambiguous_failure(several, "can be resumed", dir)),
    }
}

fn no_debate_failure(dir: &str) -> Failure {
    missing_failure(
        "no debates",
        &format!("{dir} yet"),
        Hint::new("start one with `agon debate \"TOPIC\"`, or a formal one with `agon new`")
            .then(Hint::new("choose another folder with ").flag("debates-dir")),
    )
}

fn only_demo_failure(dir: &str) -> Failure {
    missing_failure(
        "nothing but the recorded debate of `agon demo`",
        dir,
        "start your own with `agon debate \"TOPIC\"`",
    )
}

fn no_own_debate_failure(dir: &str, all: usize) -> Failure {
    let (what, hint) = match all {
        1 => ("you did not open the debate", "name it"),
        _ => ("you opened none of the debates", "name one"),
    };
    let hint = format!("{hint}; your own settings then limit what it may spend");
    missing_failure(what, dir, hint)
}

fn missing_failure(what: &str, dir: &str, hint: impl Into<Hint>) -> Failure {
    let message = format!("{what} in {dir}");
    Failure::new(Code::MissingParameter, message)
        .parameter("debate")
        .hint(hint)
}

fn ambiguous_failure(several: &[&ListedDebate], what: &str, dir: &str) -> Failure {
    let names = format_debate_names(several.iter().copied());
    let message = format!(
        "{} debates in {dir} {what}; name one of them",
        several.len()
    );
    Failure::new(Code::MissingParameter, message)
        .parameter("debate")
        .hint(format!("latest first: {names}"))
}
