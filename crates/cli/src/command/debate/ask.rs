//! Questions to a person who types only `agon debate`.

use std::io::{BufRead, Write};

use agon_caller::settings::Settings;
use agon_debates::request::topic;
use agon_seats::tools::is_tool_name;

use crate::args::DebateArgs;
use crate::asking::Asker;
use crate::command::command_line;
use crate::error::{Code, Failure};

/// The name of a person in a seat.
const HUMAN: &str = "human";

/// The known tools and defaults, for proposing answers.
pub(super) struct KnownTools {
    /// The configuration.
    pub(super) settings: Settings,
    /// The tools that can debate.
    pub(super) tools: Vec<String>,
    /// The names of all known tools.
    pub(super) names: Vec<String>,
    /// The default context.
    pub(super) context: String,
    /// The arguments that the user typed.
    pub(super) typed: Vec<String>,
}

/// Asks for the missing arguments, and prints the resulting command line.
///
/// # Errors
///
/// Returns an error if the input ends before there is a topic; nothing was started then.
pub(super) fn prompt_missing_args(
    mut args: DebateArgs,
    known: &KnownTools,
    input: impl BufRead,
    output: impl Write,
) -> Result<DebateArgs, Failure> {
    let KnownTools {
        settings, tools, ..
    } = known;
    let mut person = Asker::new(input, output, no_answer_failure);
    let (topic, named) = prompt_topic(&mut person, &known.names)?;
    let mut said = vec![topic.clone()];
    args.topic = vec![topic];
    let seats = &mut args.seats;
    if !named && (seats.proposer.is_none() || seats.challenger.is_none()) {
        if tools.is_empty() {
            person.print_line(
                "No AI tool is installed and logged in (agon tools shows what each needs); you can \
                argue yourself.",
            );
        }
        let found = (1..)
            .zip(tools)
            .map(|(number, tool)| format!("{number} {tool}"));
        let found: Vec<_> = found
            .chain([format!("{} {HUMAN} (you)", tools.len() + 1)])
            .collect();
        person.print_line(&format!("Who can argue: {}", found.join(" · ")));
    }
    let sides = [
        ("Proposer", settings.proposer.as_ref()),
        ("Challenger", settings.challenger.as_ref()),
    ];
    for (label, configured) in sides {
        let (seat, other) = match label {
            "Proposer" => (&mut seats.proposer, &seats.challenger),
            _ => (&mut seats.challenger, &seats.proposer),
        };
        // Skip a seat that the topic (`TOOL vs TOOL about …`) or a flag already sets.
        if named || seat.is_some() {
            continue;
        }
        let mut free = configured.into_iter().chain(tools);
        let usual = free.find(|tool| Some(*tool) != other.as_ref()).cloned();
        // If there is no other tool, propose the person.
        let usual = usual.unwrap_or_else(|| HUMAN.to_owned());
        let chosen = prompt_seat_tool(&mut person, label, &usual, known)?.unwrap_or(usual);
        said.extend([format!("--{}", label.to_lowercase()), chosen.clone()]);
        *seat = Some(chosen);
    }
    if seats.judge.is_empty() {
        let usual = settings
            .judge
            .as_deref()
            .unwrap_or("a third tool, or one of these");
        if let Some(chosen) = prompt_seat_tool(&mut person, "Judge", usual, known)? {
            said.extend(["--judge".to_owned(), chosen.clone()]);
            seats.judge = vec![chosen];
        }
    }
    if args.context.is_empty() {
        let usual = &known.context;
        let question = format!("Context for all seats: none, repo, diff or file=PATH [{usual}]: ");
        args.context = person
            .ask_valid_line(&question, "context")?
            .filter(|given| given != usual)
            .into_iter()
            .collect();
        let flag = |given: &String| ["--context".to_owned(), given.clone()];
        said.extend(args.context.iter().flat_map(flag));
    }
    if !args.quick && !args.deep {
        loop {
            match person
                .ask_line("Depth: quick, default or deep [default]: ")?
                .as_deref()
            {
                None | Some("default") => break,
                Some("quick") => {
                    args.quick = true;
                    said.push("--quick".to_owned());
                }
                Some("deep") => {
                    args.deep = true;
                    said.push("--deep".to_owned());
                }
                Some(_) => {
                    person.print_line("  choose quick (3 calls), default or deep (12 calls)");
                    continue;
                }
            }
            break;
        }
    }
    person.print_line(&format!(
        "\n  {}\n",
        command_line::command_line(&known.typed, &said)
    ));
    Ok(args)
}

/// Asks for the topic; also returns whether it names two tools.
fn prompt_topic<R: BufRead, W: Write>(
    person: &mut Asker<R, W>,
    names: &[String],
) -> Result<(String, bool), Failure> {
    loop {
        let topic = person.ask_required_line("What do you want to decide? ", "topic")?;
        match topic::read(&topic, names) {
            Ok(read) => return Ok((topic, read.tools.is_some())),
            Err(failure) => person.report_failure(&failure),
        }
    }
}

/// Asks who takes a seat, by number or name; `None` for the default.
fn prompt_seat_tool<R: BufRead, W: Write>(
    person: &mut Asker<R, W>,
    label: &str,
    usual: &str,
    KnownTools { tools, names, .. }: &KnownTools,
) -> Result<Option<String>, Failure> {
    loop {
        let Some(given) = person.ask_valid_line(&format!("{label} [{usual}]: "), "tool")? else {
            return Ok(None);
        };
        match given.parse::<usize>() {
            Ok(number) if number == tools.len() + 1 => return Ok(Some(HUMAN.to_owned())),
            Ok(number) => match number.checked_sub(1).and_then(|at| tools.get(at)) {
                Some(tool) => return Ok(Some(tool.clone())),
                None => person.print_line(&format!(
                    "  enter a number from 1 to {}, or a name",
                    tools.len() + 1
                )),
            },
            Err(_) if given == HUMAN || is_tool_name(names, &given) => return Ok(Some(given)),
            Err(_) => person.print_line(&format!(
                "  unknown tool `{given}`; choose from {}",
                names.join(", ")
            )),
        }
    }
}

/// Returns the failure for an input that ended before the answer.
fn no_answer_failure() -> Failure {
    Failure::new(
        Code::Cancelled,
        "no answer was given, so nothing was started",
    )
    .parameter("topic")
    .hint("to skip the questions: agon debate \"your question\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::FailureKind;

    fn asked(typed: &str, tools: &[&str]) -> (Result<DebateArgs, Failure>, String) {
        asked_with(DebateArgs::default(), typed, tools)
    }

    fn asked_with(
        args: DebateArgs,
        typed: &str,
        tools: &[&str],
    ) -> (Result<DebateArgs, Failure>, String) {
        let mut shown = Vec::new();
        let known = KnownTools {
            settings: Settings::default(),
            tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
            names: ["claude", "codex", "gemini"].map(str::to_owned).to_vec(),
            context: "none".to_owned(),
            typed: ["debate", "--rounds", "3"].map(str::to_owned).to_vec(),
        };
        let args = prompt_missing_args(args, &known, typed.as_bytes(), &mut shown);
        (args, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn everything_but_the_topic_may_be_left_at_enter() {
        let (args, shown) = asked("\nTabs or spaces?\n\n\n\n\n\n", &["claude", "codex"]);
        let args = args.unwrap();
        assert_eq!(args.topic, ["Tabs or spaces?"]);
        assert_eq!(args.seats.proposer.as_deref(), Some("claude"));
        assert_eq!(args.seats.challenger.as_deref(), Some("codex"));
        assert!(args.context.is_empty() && !args.quick && !args.deep);
        assert!(args.seats.judge.is_empty());
        assert!(
            shown.contains("Who can argue: 1 claude · 2 codex · 3 human (you)"),
            "{shown}"
        );
        let line =
            "agon debate --rounds 3 'Tabs or spaces?' --proposer claude --challenger codex\n";
        assert!(shown.contains(line), "{shown}");
    }

    #[test]
    fn numbers_names_and_depths_are_taken() {
        let (args, shown) = asked(
            "It's $5?\n2\n7\n3\n1\nrepo\nshallow\ndeep\n",
            &["claude", "codex"],
        );
        let args = args.unwrap();
        assert_eq!(args.seats.proposer.as_deref(), Some("codex"));
        assert_eq!(args.seats.challenger.as_deref(), Some("human"));
        assert_eq!(
            (args.context.as_slice(), args.deep),
            (&["repo".to_owned()][..], true)
        );
        assert!(
            shown.contains("enter a number from 1 to 3, or a name"),
            "{shown}"
        );
        assert!(shown.contains("choose quick (3 calls)"), "{shown}");
        let line = "'It'\\''s $5?' --proposer codex --challenger human --judge claude --context repo --deep\n";
        assert_eq!(args.seats.judge, ["claude"]);
        assert!(shown.contains(line), "{shown}");
    }

    #[test]
    fn one_tool_alone_argues_with_whoever_asks_and_the_end_of_input_starts_nothing() {
        let (args, _) = asked("Tabs?\n\n\n\n\n\n", &["claude"]);
        assert_eq!(args.unwrap().seats.challenger.as_deref(), Some("human"));
        let (args, _) = asked("Tabs?\n", &["claude"]);
        let failure = args.unwrap_err();
        assert_eq!(
            (failure.kind, failure.code),
            (FailureKind::Cancelled, Code::Cancelled)
        );
    }

    #[test]
    fn nobody_is_offered_a_side_who_has_the_other() {
        let mut args = DebateArgs::default();
        args.seats.challenger = Some("claude".to_owned());
        let (args, shown) = asked_with(args, "Tabs?\n\n\n\n\n", &["claude", "codex"]);
        assert!(shown.contains("Proposer [codex]: "), "{shown}");
        assert_eq!(args.unwrap().seats.proposer.as_deref(), Some("codex"));
    }

    #[test]
    fn tools_that_the_topic_names_are_not_asked_for_and_unknown_ones_are_asked_for_again() {
        let (args, shown) = asked("codex vs gemini about tabs\n\n\n\n", &["claude", "codex"]);
        assert!(!shown.contains("Proposer"), "{shown}");
        assert!(args.unwrap().seats.proposer.is_none());
        let (args, shown) = asked("Tabs?\nclaud\ngemini\n\n\n\n\n", &["claude", "codex"]);
        let refusal =
            "unknown tool `claud`; choose from claude, codex, gemini\nProposer [claude]: ";
        assert!(shown.contains(refusal), "{shown}");
        let seats = args.unwrap().seats;
        assert_eq!(seats.proposer.as_deref(), Some("gemini"));
        assert_eq!(seats.challenger.as_deref(), Some("claude"));
    }
}
