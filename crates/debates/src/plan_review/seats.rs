//! Chooses who debates a plan: ready tools of other vendors than the AI tool that made it.

use agon_caller::{Caller, Code, Failure, settings::Settings};
use agon_seats::seating::{Candidate, Ready};
use agon_seats::tools::Tools;

use crate::request::{JudgesRequest, SeatRequest, SeatsRequest};

/// The name that leaves the choice of a model to the tool.
const DEFAULT_MODEL: &str = "omit";

/// Returns the seats of a debate on a plan that `host` made. Configured seats are kept if they are
/// of another vendor.
///
/// # Errors
///
/// If no such tool is ready and allowed, or the configuration makes a profile invalid.
pub(super) async fn choose(
    caller: &Caller,
    settings: &Settings,
    host: &str,
) -> Result<SeatsRequest, Failure> {
    let named = configured(settings);
    let own: Vec<_> = named
        .iter()
        .flatten()
        .filter_map(|it| it.parse().ok())
        .collect();
    let tools = Tools::detect(caller, settings, &own).await?;
    // The debate names its tools, which counts as consent, so choose only from allowed ones.
    let candidates = tools.seat_candidates(false);
    assign(&candidates, named, host).ok_or_else(|| {
        let missing = candidates.iter().filter_map(|one| match &one.ready {
            Ready::NotAllowed(vendor) if one.tool.as_str() != host => {
                Some((one.tool.clone(), vendor.clone()))
            }
            _ => None,
        });
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() {
            return tools.consent_failure(&missing);
        }
        let message = format!("no AI tool of another vendor than that of {host} is ready");
        Failure::new(Code::TooFewTools, message).hint("run `agon tools` to see what each needs")
    })
}

/// Returns the configured proposer, challenger and judge.
fn configured(settings: &Settings) -> [Option<&str>; 3] {
    [&settings.proposer, &settings.challenger, &settings.judge].map(|it| it.as_deref())
}

/// Assigns the seats. With one tool, it takes all of them; the judge is a third tool if there is
/// one, and never the host's.
fn assign(candidates: &[Candidate], named: [Option<&str>; 3], host: &str) -> Option<SeatsRequest> {
    let vendor = candidates.iter().find(|it| it.tool.as_str() == host);
    let vendor = vendor.map_or("", |it| it.vendor.as_str());
    let is_named = |it: &Candidate| named.contains(&Some(it.tool.as_str()));
    let is_other = |it: &&Candidate| {
        it.ready == Ready::Yes
            && !it.is_human()
            && (it.is_tool || is_named(it))
            && it.tool.as_str() != host
            && (it.vendor.is_empty() || it.vendor != vendor)
    };
    let mut others: Vec<&Candidate> = candidates.iter().filter(is_other).collect();
    // A tool whose vendor is unknown may run a model of the host's vendor.
    others.sort_by_key(|it| it.vendor.is_empty());
    let [proposer, challenger, judge] = named.map(|name| {
        let mut others = others.iter().copied();
        others.find(|it| Some(it.tool.as_str()) == name)
    });
    let unlike = |taken: &[&Candidate]| {
        let free = others.iter().copied();
        let free: Vec<_> = free
            .filter(|it| taken.iter().all(|one| one.tool != it.tool))
            .collect();
        let new = |it: &&&Candidate| taken.iter().all(|one| one.vendor != it.vendor);
        free.iter().find(new).or(free.first()).copied()
    };
    let first = proposer.or_else(|| {
        let taken: Vec<_> = challenger.into_iter().collect();
        unlike(&taken).or(challenger)
    })?;
    let second = challenger.or_else(|| unlike(&[first])).unwrap_or(first);
    let judge = judge.or_else(|| unlike(&[first, second])).unwrap_or(second);
    // A model that is configured for a seat belongs to the tool that is configured for it.
    let model = |it: &Candidate, at: usize| {
        let is_own = named[at] == Some(it.tool.as_str());
        (!is_own).then(|| DEFAULT_MODEL.to_owned())
    };
    let side = |it: &Candidate, at: usize| SeatRequest {
        tool: Some(it.tool.to_string()),
        model: model(it, at),
        ..SeatRequest::default()
    };
    Some(SeatsRequest {
        sides: [side(first, 0), side(second, 1)],
        judges: JudgesRequest {
            tools: vec![judge.tool.to_string()],
            models: model(judge, 2).into_iter().collect(),
            ..JudgesRequest::default()
        },
        same_tool: first.tool == second.tool,
        ..SeatsRequest::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, vendor: &str) -> Candidate {
        crate::seat::candidate(name, vendor)
    }

    fn seated(candidates: &[Candidate], named: [Option<&str>; 3]) -> Option<(String, bool)> {
        let seats = assign(candidates, named, "claude")?;
        let sides = seats.sides.iter().filter_map(|side| side.tool.clone());
        let all: Vec<_> = sides.chain(seats.judges.tools.clone()).collect();
        Some((all.join(" "), seats.same_tool))
    }

    const NONE: [Option<&str>; 3] = [None; 3];

    #[test]
    fn the_tool_that_made_the_plan_and_its_vendor_do_not_review_it() {
        let all = [
            tool("claude", "anthropic"),
            tool("sibling", "anthropic"),
            tool("opencode", ""),
            tool("codex", "openai"),
            tool("gemini", "google"),
        ];
        let seats = |text: &str, twice| Some((text.to_owned(), twice));
        assert_eq!(seated(&all, NONE), seats("codex gemini opencode", false));
        assert_eq!(
            seated(&all[..4], NONE),
            seats("codex opencode opencode", false)
        );
        assert_eq!(
            seated(&all[..3], NONE),
            seats("opencode opencode opencode", true)
        );
        assert_eq!(seated(&all[..2], NONE), None);
    }

    #[test]
    fn a_tool_that_is_not_ready_or_not_a_tool_has_no_seat() {
        let all = [
            tool("claude", "anthropic"),
            Candidate {
                ready: Ready::LoggedOut("codex login".to_owned()),
                ..tool("codex", "openai")
            },
            Candidate {
                is_tool: false,
                ..tool("ollama:m", "")
            },
        ];
        assert_eq!(seated(&all, NONE), None);
        let named = [None, Some("ollama:m"), None];
        let (seats, _) = seated(&all, named).unwrap();
        assert_eq!(seats, "ollama:m ollama:m ollama:m");
    }

    #[test]
    fn configured_seats_are_kept_unless_they_are_the_hosts() {
        let all = [
            tool("claude", "anthropic"),
            tool("codex", "openai"),
            tool("gemini", "google"),
            tool("copilot", "github"),
        ];
        let named = [Some("claude"), Some("codex"), Some("copilot")];
        let (seats, _) = seated(&all, named).unwrap();
        assert_eq!(seats, "gemini codex copilot");
        // The model that is configured for claude must not be given to gemini.
        let seats = assign(&all, named, "claude").unwrap();
        let models = seats.sides.iter().map(|side| side.model.as_deref());
        assert_eq!(models.collect::<Vec<_>>(), [Some("omit"), None]);
        assert!(seats.judges.models.is_empty());
    }
}
