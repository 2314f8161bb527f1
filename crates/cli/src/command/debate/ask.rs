//! What a person on a terminal is asked who says nothing but `agon debate`.

use std::io::{BufRead, Write};

use agon_config::Settings;

use crate::args::DebateArgs;
use crate::asking::Person;
use crate::error::{Exit, Failure};

/// Who a person is called in a seat.
const HUMAN: &str = "human";

/// Asks for what `args` leave open; `tools` are those that can speak, `settings` what is configured.
///
/// The person is told the command line that it comes to.
///
/// # Errors
///
/// If the input ends before there is a topic; nothing was started then.
pub(super) fn ask(
    mut args: DebateArgs,
    (settings, tools): (&Settings, &[String]),
    input: impl BufRead,
    output: impl Write,
) -> Result<DebateArgs, Failure> {
    let mut person = Person::new(input, output, gone);
    args.topic = vec![person.until_given("What is to be decided: ", "topic")?];
    let seats = &mut args.seats;
    if seats.proposer.is_none() || seats.challenger.is_none() {
        let found = (1..)
            .zip(tools)
            .map(|(number, tool)| format!("{number} {tool}"));
        let found: Vec<_> = found
            .chain([format!("{} {HUMAN}, which is you", tools.len() + 1)])
            .collect();
        person.says(&format!("Who can argue: {}", found.join(" · ")));
    }
    let mut sides = [
        (&mut seats.proposer, settings.proposer.clone(), "Proposer"),
        (
            &mut seats.challenger,
            settings.challenger.clone(),
            "Challenger",
        ),
    ];
    let mut before: Option<String> = None;
    for (seat, configured, label) in &mut sides {
        if seat.is_none() {
            let free = tools.iter().find(|tool| Some(*tool) != before.as_ref());
            let usual = configured.clone().or_else(|| free.cloned());
            // With one tool alone, whoever asks is the other side.
            let usual = usual.unwrap_or_else(|| HUMAN.to_owned());
            **seat = Some(side(&mut person, (label, &usual), tools)?);
        }
        before.clone_from(seat);
    }
    if args.context.is_none() {
        let usual = settings.context.as_deref().unwrap_or("none");
        let question = format!("What they read, none, repo, diff or file=PATH [{usual}]: ");
        args.context = person
            .given(&question, "context")?
            .filter(|given| given != usual);
    }
    if !args.quick && !args.deep {
        loop {
            match person
                .line("How deep, quick, default or deep [default]: ")?
                .as_deref()
            {
                None | Some("default") => break,
                Some("quick") => args.quick = true,
                Some("deep") => args.deep = true,
                Some(_) => {
                    person.says("  there are quick (3 calls), default and deep (12 calls)");
                    continue;
                }
            }
            break;
        }
    }
    person.says(&format!("\n  {}\n", command(&args)));
    Ok(args)
}

/// Who takes a seat: a number, a name, or nothing for the usual one.
fn side<R: BufRead, W: Write>(
    person: &mut Person<R, W>,
    (label, usual): (&str, &str),
    tools: &[String],
) -> Result<String, Failure> {
    loop {
        let Some(given) = person.given(&format!("{label} [{usual}]: "), "tool")? else {
            return Ok(usual.to_owned());
        };
        match given.parse::<usize>() {
            Ok(number) if number == tools.len() + 1 => return Ok(HUMAN.to_owned()),
            Ok(number) => match number.checked_sub(1).and_then(|at| tools.get(at)) {
                Some(tool) => return Ok(tool.clone()),
                None => person.says(&format!(
                    "  a number from 1 to {}, or a name",
                    tools.len() + 1
                )),
            },
            Err(_) => return Ok(given),
        }
    }
}

/// The command line that asks for the same.
fn command(args: &DebateArgs) -> String {
    let mut words = vec!["agon debate".to_owned(), quoted(&args.topic.join(" "))];
    let given = [
        ("--proposer", &args.seats.proposer),
        ("--challenger", &args.seats.challenger),
        ("--context", &args.context),
    ];
    for (flag, value) in given {
        if let Some(value) = value {
            words.push(format!("{flag} {}", quoted_if_need_be(value)));
        }
    }
    let depth = [(args.quick, "--quick"), (args.deep, "--deep")];
    words.extend(
        depth
            .into_iter()
            .filter(|(wanted, _)| *wanted)
            .map(|(_, flag)| flag.to_owned()),
    );
    words.join(" ")
}

fn quoted_if_need_be(word: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "._:@/=-".contains(c);
    if word.chars().all(safe) {
        word.to_owned()
    } else {
        quoted(word)
    }
}

/// `text` as one word of a shell.
fn quoted(text: &str) -> String {
    match text.contains(['"', '$', '`', '\\', '!']) {
        false => format!("\"{text}\""),
        true => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// The input ended before there was an answer.
fn gone() -> Failure {
    Failure::new(
        Exit::Cancelled,
        "cancelled",
        "no answer came, and nothing was started",
    )
    .parameter("topic")
    .hint("agon debate \"your question\" asks for nothing")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(typed: &str, tools: &[&str]) -> (Result<DebateArgs, Failure>, String) {
        let mut shown = Vec::new();
        let tools: Vec<_> = tools.iter().map(|tool| (*tool).to_owned()).collect();
        let with = (&Settings::default(), &tools[..]);
        let args = ask(DebateArgs::default(), with, typed.as_bytes(), &mut shown);
        (args, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn everything_but_the_topic_may_be_left_at_enter() {
        let (args, shown) = asked("\nTabs or spaces?\n\n\n\n\n", &["claude", "codex"]);
        let args = args.unwrap();
        assert_eq!(args.topic, ["Tabs or spaces?"]);
        assert_eq!(args.seats.proposer.as_deref(), Some("claude"));
        assert_eq!(args.seats.challenger.as_deref(), Some("codex"));
        assert!(args.context.is_none() && !args.quick && !args.deep);
        assert!(
            shown.contains("Who can argue: 1 claude · 2 codex · 3 human, which is you"),
            "{shown}"
        );
        let line = "agon debate \"Tabs or spaces?\" --proposer claude --challenger codex\n";
        assert!(shown.contains(line), "{shown}");
    }

    #[test]
    fn numbers_names_and_depths_are_taken() {
        let (args, shown) = asked(
            "It's $5?\n2\n7\n3\nrepo\nshallow\ndeep\n",
            &["claude", "codex"],
        );
        let args = args.unwrap();
        assert_eq!(args.seats.proposer.as_deref(), Some("codex"));
        assert_eq!(args.seats.challenger.as_deref(), Some("human"));
        assert_eq!((args.context.as_deref(), args.deep), (Some("repo"), true));
        assert!(shown.contains("a number from 1 to 3, or a name"), "{shown}");
        assert!(shown.contains("there are quick (3 calls)"), "{shown}");
        let line = "agon debate 'It'\\''s $5?' --proposer codex --challenger human --context repo --deep\n";
        assert!(shown.contains(line), "{shown}");
    }

    #[test]
    fn one_tool_alone_argues_with_whoever_asks_and_the_end_of_input_starts_nothing() {
        let (args, _) = asked("Tabs?\n\n\n\n\n", &["claude"]);
        assert_eq!(args.unwrap().seats.challenger.as_deref(), Some("human"));
        let (args, _) = asked("Tabs?\n", &["claude"]);
        let failure = args.unwrap_err();
        assert_eq!((failure.exit, failure.code), (Exit::Cancelled, "cancelled"));
    }
}
