//! Where a debate of a list stands, in a few words.

use agon_record::authority::Authority;
use agon_rules::format::Phase;
use agon_verdict::status::RunState;

/// Where a debate stands in a listing: its phase, and whether a process is at it.
pub fn describe_state_in_list(
    phase: Phase,
    authority: Option<Authority>,
    standing: RunState,
) -> String {
    let phase = match phase {
        Phase::Closed => match authority {
            Some(Authority::Full) | None => "closed",
            Some(Authority::Unstable) => "closed, unstable",
            Some(Authority::Partial) => "closed, partial",
            Some(Authority::Uncontested) => "closed, uncontested",
        },
        _ => {
            let phase = phase.to_string();
            let phase = phase.trim_start_matches("awaiting_");
            return match standing {
                RunState::WaitingForPerson => "waits for a person".to_owned(),
                RunState::Done => format!("at rest, {phase}"),
                RunState::Running | RunState::Stopped | RunState::Failed => {
                    format!("{standing}, {phase}")
                }
            };
        }
    };
    phase.to_owned()
}

/// Where a debate stands by its record alone.
pub fn describe_recorded_state(
    phase: Phase,
    authority: Option<Authority>,
    is_halted: bool,
) -> String {
    let lesser = match authority {
        Some(Authority::Full) | None => String::new(),
        Some(lesser @ (Authority::Unstable | Authority::Partial | Authority::Uncontested)) => {
            format!(", {}", lesser.name())
        }
    };
    if phase == Phase::Closed {
        return format!("closed{lesser}");
    }
    let halted = if is_halted { "halted, " } else { "" };
    format!("{halted}{phase}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debate_of_a_list_stands_by_its_phase_and_whoever_is_at_it() {
        let judge = Phase::AwaitingVerdict;
        let listed = [
            (Phase::Closed, None, RunState::Done),
            (Phase::Closed, Some(Authority::Partial), RunState::Done),
            (judge, None, RunState::Running),
            (judge, None, RunState::WaitingForPerson),
            (judge, None, RunState::Done),
        ];
        let listed =
            listed.map(|(phase, authority, at)| describe_state_in_list(phase, authority, at));
        assert_eq!(
            listed,
            [
                "closed",
                "closed, partial",
                "running, verdict",
                "waits for a person",
                "at rest, verdict"
            ]
        );
        let recorded = [
            (Phase::Closed, Some(Authority::Full), false),
            (Phase::Closed, Some(Authority::Unstable), false),
            (judge, None, true),
        ];
        let recorded = recorded
            .map(|(phase, authority, halted)| describe_recorded_state(phase, authority, halted));
        assert_eq!(
            recorded,
            ["closed", "closed, unstable", "halted, awaiting_verdict"]
        );
    }
}
