//! A gate that runs a debate, in a separate process as a user would start it.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_caller::environments::{background_program, background_variables};
use agon_caller::guard::with_guard;
use agon_caller::{CallFront, Caller, Code, Failure, FailureKind};
use agon_proc::{Ending, Limits, Program, Unwatched, run_program};
use agon_record::authority::Authority;
use agon_team::gate::{DebateGate, SwapWanted, WantedAuthority};
use agon_team::id::GateName;
use agon_team::store::TeamLocation;
use agon_verdict::result::ResultDoc;
use agon_verdict::verdict::Trial;
use serde_json::Value;

use super::GateOutcome;
use crate::text::{clean, clean_line};

/// How often to report that the debate is still running.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);
/// The time that a debate gets to stop its tools and write its folder.
const GRACE: Duration = Duration::from_secs(10);
/// Maximum size of a result; real results are smaller, in bytes.
const MAX_RESULT_BYTES: usize = 4 << 20;
/// The first word of the answer with which the gate passes.
const WANTED: &str = "yes";

/// Runs the gate's debate on the work tree at `root`.
pub(super) async fn run(
    caller: &Caller,
    location: &TeamLocation,
    root: &Path,
    (name, gate): (&GateName, &DebateGate),
    front: &mut dyn CallFront,
) -> Result<GateOutcome, Failure> {
    // Not in the work tree: a debate folder there would change the tree.
    let debates = location.database().with_file_name("debates");
    let args = vec![
        "debate".into(),
        "--json".into(),
        "--again".into(),
        "--debates-dir".into(),
        debates.into(),
        "--".into(),
        yes_no_question(&gate.topic).into(),
    ];
    let held = run_debate(caller, root, args, (name.as_str(), gate.timeout_s), front).await?;
    let (passed, outcome) = match &held.result {
        Ok(result) => judge(gate, result),
        Err(why) => (false, why.clone()),
    };
    Ok(GateOutcome {
        passed,
        outcome,
        output: held.output,
    })
}

/// Turns a topic into a question that is answered with yes or no.
pub(crate) fn yes_no_question(topic: &str) -> String {
    format!("{} Begin the answer with Yes or No.", topic.trim())
}

/// A debate that ran in a separate process.
pub(crate) struct DebateRun {
    /// Its result, or the reason why there is none, in one line.
    pub(crate) result: Result<ResultDoc, String>,
    /// Its output, without secrets.
    pub(crate) output: String,
}

/// Runs Agon with these arguments in `root` and waits for the debate to end, for at most
/// `timeout_s` seconds.
///
/// # Errors
///
/// If it cannot be started, or was cancelled.
pub(crate) async fn run_debate(
    caller: &Caller,
    root: &Path,
    args: Vec<OsString>,
    (name, timeout_s): (&str, u64),
    front: &mut dyn CallFront,
) -> Result<DebateRun, Failure> {
    let program = Program {
        path: background_program(caller)?.to_owned(),
        args,
        // Without the token: the debate's tools do not act as the member that started it.
        env: background_variables(caller),
        cwd: root.to_owned(),
    };
    let limits = Limits {
        deadline: Duration::from_secs(timeout_s),
        output: MAX_RESULT_BYTES,
        grace: GRACE,
        drain: Duration::from_secs(1),
        leaves_strays: false,
    };
    let cancel = front.cancel_token();
    let begun = std::time::Instant::now();
    let watch = with_guard(caller, Arc::new(Unwatched));
    let run = run_program(&program, b"", &limits, &watch, &cancel);
    let mut run = std::pin::pin!(run);
    let done = loop {
        tokio::select! {
            biased;
            done = &mut run => break done,
            () = tokio::time::sleep(PROGRESS_INTERVAL) => {
                front.note(&format!("{name}: debating for {} s", begun.elapsed().as_secs()));
            }
        }
    };
    let done = done.map_err(|error| {
        Failure::from_error(Code::GateNotStarted, &error).kind(FailureKind::Bug)
    })?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let output = clean(&format!(
        "{said}\n{}",
        String::from_utf8_lossy(&done.stderr_tail)
    ));
    let result = match done.ending {
        Ending::Cancelled => {
            let message = format!("{name} was cancelled");
            return Err(Failure::new(Code::Cancelled, message));
        }
        Ending::TimedOut => Err(format!("no verdict after {timeout_s} s")),
        _ => serde_json::from_str(&said).map_err(|_| missing_result_reason(&said)),
    };
    Ok(DebateRun { result, output })
}

/// Explains why a debate has no result, based on its output.
fn missing_result_reason(said: &str) -> String {
    let error: Value = serde_json::from_str(said).unwrap_or_default();
    let error = &error["error"];
    // Other hints are long, and the line is cut.
    let hint = error["hint"].as_str();
    let hint = hint.filter(|_| error["code"] == "consent_needed");
    match (error["message"].as_str(), hint) {
        (Some(message), Some(hint)) => {
            clean_line(&format!("it ended without a verdict: {message} ({hint})"))
        }
        (Some(message), None) => clean_line(&format!("it ended without a verdict: {message}")),
        (None, _) => "it ended without a verdict".to_owned(),
    }
}

/// Returns whether a result passes the gate, and describes the verdict.
fn judge(gate: &DebateGate, result: &ResultDoc) -> (bool, String) {
    let (favours, said) = read_verdict(gate, result);
    (favours == Some(true), said)
}

/// Returns whether a verdict says yes or no, and describes it. `None` means that it says neither or
/// lacks the authority that the gate requires.
pub(crate) fn read_verdict(gate: &DebateGate, result: &ResultDoc) -> (Option<bool>, String) {
    let swap = result.stability.as_ref().map(|stability| stability.swap);
    let answer = result.answer.as_deref().unwrap_or_default();
    judge_answer(gate, answer, result.authority, swap)
}

/// The same as [`read_verdict`], with the parts of the result as arguments.
pub(crate) fn judge_answer(
    gate: &DebateGate,
    answer: &str,
    authority: Option<Authority>,
    swap: Option<Trial>,
) -> (Option<bool>, String) {
    let Some(authority) = authority else {
        return (None, "it ended without a verdict".to_owned());
    };
    let has_authority = match gate.authority {
        WantedAuthority::Full => authority == Authority::Full,
        WantedAuthority::Partial => matches!(authority, Authority::Full | Authority::Partial),
    };
    let has_stayed = match gate.swap {
        SwapWanted::Same => swap == Some(Trial::Same),
        SwapWanted::Any => swap != Some(Trial::Flipped),
    };
    let first = answer
        .split(|c: char| !c.is_alphabetic())
        .find(|word| !word.is_empty());
    let is_yes = first.is_some_and(|word| word.eq_ignore_ascii_case(WANTED));
    let is_no = first.is_some_and(|word| word.eq_ignore_ascii_case("no"));
    let swap = match swap {
        Some(Trial::Same) => "same answer with the sides swapped",
        Some(Trial::Flipped) => "another answer with the sides swapped",
        Some(Trial::NotRun) | None => "not tried with the sides swapped",
    };
    let answer = match (is_yes, is_no) {
        (true, _) => "yes",
        (false, true) => "no",
        (false, false) => "neither yes nor no",
    };
    let outcome = format!("verdict: {answer}, authority {}, {swap}", authority.name());
    let counts = has_authority && has_stayed && (is_yes || is_no);
    (counts.then_some(is_yes), outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(gate: &DebateGate, answer: &str, authority: Authority, swap: Trial) -> bool {
        judge_answer(gate, answer, Some(authority), Some(swap)).0 == Some(true)
    }

    #[test]
    fn only_a_yes_with_the_wanted_authority_and_swap_passes() {
        let strict = DebateGate {
            topic: "Is it safe to ship?".to_owned(),
            authority: WantedAuthority::Full,
            swap: SwapWanted::Same,
            timeout_s: 60,
        };
        let (full, same) = (Authority::Full, Trial::Same);
        assert!(passes(&strict, "Yes, it is.", full, same));
        assert!(passes(&strict, "**Yes**", full, same));
        for (answer, authority, swap) in [
            ("No: it is not.", full, same),
            ("Yesterday it was", full, same),
            ("", full, same),
            ("Yes", Authority::Unstable, same),
            ("Yes", Authority::Partial, same),
            ("Yes", Authority::Uncontested, same),
            ("Yes", full, Trial::Flipped),
            ("Yes", full, Trial::NotRun),
        ] {
            assert!(
                !passes(&strict, answer, authority, swap),
                "{answer} {authority:?} {swap:?}"
            );
        }
        let loose = DebateGate {
            authority: WantedAuthority::Partial,
            swap: SwapWanted::Any,
            ..strict
        };
        assert!(passes(&loose, "yes", Authority::Partial, Trial::NotRun));
        for (authority, swap) in [
            (Authority::Partial, Trial::Flipped),
            (Authority::Unstable, same),
            (Authority::Uncontested, same),
        ] {
            assert!(
                !passes(&loose, "yes", authority, swap),
                "{authority:?} {swap:?}"
            );
        }
        assert_eq!(judge_answer(&loose, "yes", None, None).0, None);
        let said = |answer, authority| judge_answer(&loose, answer, Some(authority), None).0;
        assert_eq!(said("No.", Authority::Full), Some(false));
        assert_eq!(said("No.", Authority::Unstable), None);
        assert_eq!(said("Perhaps.", Authority::Full), None);
    }
}
