//! `agon run`: plays exchanges of a formal debate; on a duel it is `resume`.

mod table;

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use agon_config::Settings;
use agon_engine::host::Host;
use agon_engine::onward::{Onward, extend_saying};
use agon_record::event::Event;
use agon_record::id::Seat;
use agon_record::spec::{Caps, Context, FormatName, Seating};
use agon_record::state::State;
use agon_record::user::{Item, Wish};
use agon_report::screen::calls_to_come;
use agon_rules::format::{self, Phase, phase};

use crate::args::{Global, LimitArgs, ResumeArgs, RunArgs};
use crate::command::debate::{REASKS, SPARE_CALLS, caps, refuse_depth};
use crate::command::{resume, steer, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::running::{self, Place};
use crate::settings;

/// Runs `agon run`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &RunArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    run_saying((edge, global), (args, None), out).await
}

/// As [`run`], with a note that is recorded when the debate goes on, and not otherwise.
///
/// # Errors
///
/// As [`run`].
pub(crate) async fn run_saying(
    (edge, global): (&Edge, &Global),
    (args, note): (&RunArgs, Option<Wish>),
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let args = &counted(edge, global, args)?;
    if args.strict {
        strict(args)?;
    }
    let flags = Settings {
        transport: args.seats.transport,
        ..settings::limits(&args.limits)
    };
    let settings = settings::resolve(edge, global, &flags)?.settings;
    let path = which::find(edge, global, args.debate.as_deref())?;
    if args.dry_run {
        return dry_run((edge, global), args, (&settings, &path), out).await;
    }
    let view = which::read(&path)?;
    if view.state.spec.format == FormatName::Duel {
        refuse_on_a_duel(args)?;
        let opened = resume::open(&path, out)?;
        let args = ResumeArgs {
            debate: None,
            ask_again: args.ask_again,
            detach: args.detach,
            handed: false,
            transport: args.seats.transport,
            limits: args.limits.clone(),
            ..ResumeArgs::default()
        };
        return resume::go_on((edge, global), &args, opened, out).await;
    }
    // Nothing is written before it is known how far to go, and with whom.
    let more = more(edge, global, args, &view.state)?;
    let (seats, tools) = table::lay(edge, args, &settings, &view.state, out).await?;
    tools.agents(seats.values())?;
    if args.detach {
        tools.refuse_unlisted(seats.values())?;
    }
    if matches!(view.state.spec.context, Context::Repo(_)) {
        tools.refuse_blind(seats.values())?;
    }
    refuse_raised(edge, args, onward(&settings, (&view.state, more), &seats))?;
    let mut opened = resume::open(&path, out)?;
    let onward = onward(&settings, (opened.host.state(), more), &seats).0;
    let said: Vec<Item> = note.into_iter().map(steer::named).collect();
    let discarded = extend_saying(&mut opened.host, onward, &said, args.ask_again)
        .map_err(running::reopen_failure)?;
    resume::tell_discarded(&discarded, out);
    let place = Place {
        edge,
        global,
        debates_dir: &opened.debates_dir,
        within: within(&args.limits),
        detach: args.detach,
    };
    running::go(place, opened.host, &tools, out).await
}

/// The time for one ask that a flag names.
pub(crate) fn within(limits: &LimitArgs) -> Option<Duration> {
    limits.timeout.map(Duration::from_secs)
}

/// The arguments with a lone number read as the number of exchanges, unless a
/// debate has that name.
fn counted(edge: &Edge, global: &Global, args: &RunArgs) -> Result<RunArgs, Failure> {
    let mut args = args.clone();
    let number = |text: &String| text.parse().ok().filter(|&number: &u16| number <= 1_000);
    if args.exchanges.is_none()
        && let Some(number) = args.debate.as_ref().and_then(number)
        && which::find(edge, global, args.debate.as_deref()).is_err()
    {
        args.debate = None;
        args.exchanges = Some(number);
    }
    Ok(args)
}

/// With `--strict`, nothing is taken by default.
fn strict(args: &RunArgs) -> Result<(), Failure> {
    let seats = &args.seats;
    let given = [
        ("debate", args.debate.is_some()),
        ("exchanges", args.exchanges.is_some()),
        ("proposition", seats.proposition.is_some()),
        ("opposition", seats.opposition.is_some()),
        ("judge", !seats.judge.is_empty()),
        ("effort", seats.effort.is_some()),
    ];
    match given.into_iter().find(|(_, given)| !given) {
        None => Ok(()),
        Some((missing, _)) => Err(Failure::new(
            Exit::Usage,
            "missing_parameter",
            format!("`{missing}` is not given"),
        )
        .parameter(missing)
        .hint(
            "with --strict every parameter is given: agon run DEBATE N --proposition … \
             --opposition … --judge … --effort …",
        )),
    }
}

/// What only a formal debate knows.
fn refuse_on_a_duel(args: &RunArgs) -> Result<(), Failure> {
    let seats = &args.seats;
    let given = [
        ("exchanges", args.exchanges.is_some()),
        (
            "proposition",
            seats.proposition.is_some() || seats.model_proposition.is_some(),
        ),
        (
            "opposition",
            seats.opposition.is_some() || seats.model_opposition.is_some(),
        ),
        (
            "judge",
            !(seats.judge.is_empty() && seats.model_judge.is_empty()),
        ),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::new(
            Exit::Usage,
            "invalid_parameter",
            "this debate is a duel, whose rounds and seats are fixed",
        )
        .parameter(name)
        .hint("`agon run DEBATE` alone goes on with it, as `agon resume` does")),
    }
}

/// How many rebuttal exchanges to play.
fn more(edge: &Edge, global: &Global, args: &RunArgs, state: &State) -> Result<u16, Failure> {
    let asks = edge.terminal && !global.json && !args.dry_run;
    let more = match args.exchanges {
        Some(more) => more,
        None if asks => ask_for_more(state, std::io::stdin().lock(), std::io::stderr())?,
        None => 1,
    };
    let due = format::exchange(state) == 0 || phase(state) == Phase::AwaitingJudgment;
    if more == 0 && !due {
        return Err(Failure::new(
            Exit::Usage,
            "invalid_parameter",
            "nothing is due, so there is nothing to run for 0 exchanges",
        )
        .parameter("exchanges")
        .hint(format!("agon run {} 1", state.spec.slug)));
    }
    Ok(more)
}

/// Asks how many rebuttal exchanges to play; one for an empty answer.
fn ask_for_more(
    state: &State,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<u16, Failure> {
    let due = match (format::exchange(state), phase(state)) {
        (0, _) => " after the opening exchange",
        (_, Phase::AwaitingJudgment) => " after the judgment that is due",
        (_, _) => "",
    };
    loop {
        let asked = write!(output, "How many rebuttal exchanges{due}? [1] ");
        let mut line = String::new();
        let read = asked
            .and_then(|()| output.flush())
            .and_then(|()| input.read_line(&mut line));
        match (read, line.trim()) {
            (Ok(0) | Err(_), _) => {
                let message = "nobody says how many exchanges to play";
                return Err(Failure::new(Exit::Usage, "missing_parameter", message)
                    .parameter("exchanges")
                    .hint(format!("agon run {} 3", state.spec.slug)));
            }
            (Ok(_), "") => return Ok(1),
            (Ok(_), text) => {
                if let Some(more) = text.parse().ok().filter(|more| (1..=1_000).contains(more)) {
                    return Ok(more);
                }
                // Nobody could be told that stderr is gone.
                drop(writeln!(output, "  a number from 1 to 1000"));
            }
        }
    }
}

/// How the debate goes on for `more` rebuttals with these seats, and the calls
/// that takes.
fn onward(
    settings: &Settings,
    (state, more): (&State, u16),
    seats: &BTreeMap<Seat, Seating>,
) -> (Onward, u32) {
    let onward = Onward {
        through: format::through(state, more),
        seats: seats.clone(),
        caps: state.caps,
    };
    let planned = calls_to_come(&told(state, &onward));
    let caps = absolute(state, caps(settings, planned + SPARE_CALLS));
    (Onward { caps, ..onward }, planned)
}

fn refuse_raised(edge: &Edge, args: &RunArgs, (_, planned): (Onward, u32)) -> Result<(), Failure> {
    settings::refuse_raised(edge, &args.limits, planned + SPARE_CALLS)
}

/// `state` as it is once it was told to go on.
fn told(state: &State, onward: &Onward) -> State {
    let mut told = state.clone();
    // Only an opening can be refused.
    told.apply(&Event::from(onward.clone())).unwrap_or_default();
    told
}

/// The bounds of one run, counted from what was spent before.
pub(crate) fn absolute(state: &State, run: Caps) -> Caps {
    let spent = &state.spent;
    Caps {
        calls: spent.calls.saturating_add(run.calls),
        tokens: spent.tokens().saturating_add(run.tokens),
        time_ms: spent.clock_ms.saturating_add(run.time_ms),
        cost_micros: run
            .cost_micros
            .map(|cost| cost.saturating_add(spent.cost_micros())),
        reasks: state.sent_back.saturating_add(REASKS.into()),
    }
}

/// Shows what would be run, and calls and writes nothing.
async fn dry_run(
    (edge, global): (&Edge, &Global),
    args: &RunArgs,
    (settings, path): (&Settings, &Path),
    out: &mut Out,
) -> Result<Exit, Failure> {
    let view = which::read(path)?;
    let state = &view.state;
    if state.spec.format == FormatName::Duel {
        refuse_on_a_duel(args)?;
        running::dry_run_of(edge, global, (state, path), out)?;
        return Ok(Exit::Done);
    }
    let more = more(edge, global, args, state)?;
    let (seats, _) = table::lay(edge, args, settings, state, out).await?;
    let (onward, _) = onward(settings, (state, more), &seats);
    running::dry_run_of(edge, global, (&told(state, &onward), path), out)?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_record::spec::Spec;

    fn opened() -> State {
        State::open(Spec {
            ulid: 1.into(),
            caps: caps(&Settings::default(), 0),
            ..Spec::formal("d", "This house would test")
        })
    }

    #[test]
    fn a_person_is_asked_for_a_number_until_there_is_one() {
        let mut shown = Vec::new();
        let more = ask_for_more(&opened(), "many\n0\n3\n".as_bytes(), &mut shown);
        assert_eq!(more.unwrap(), 3);
        let question = "How many rebuttal exchanges after the opening exchange? [1] ";
        let again = format!("{question}  a number from 1 to 1000\n");
        assert_eq!(
            String::from_utf8(shown).unwrap(),
            format!("{again}{again}{question}")
        );
        let ask = |typed: &'static str| ask_for_more(&opened(), typed.as_bytes(), Vec::new());
        assert_eq!(ask("\n").unwrap(), 1);
        assert_eq!(ask("").unwrap_err().code, "missing_parameter");
    }

    #[test]
    fn the_bounds_of_a_run_count_from_what_was_spent() {
        let mut state = opened();
        state.spent.calls = 7;
        state.spent.clock_ms = 1_000;
        state.sent_back = 2;
        let run = caps(&Settings::default(), 10);
        let expected = Caps {
            calls: 17,
            time_ms: run.time_ms + 1_000,
            reasks: 6,
            ..run
        };
        assert_eq!(absolute(&state, run), expected);
    }

    #[test]
    fn the_calls_to_come_are_those_of_the_exchanges_and_the_theses() {
        let state = opened();
        let seating = |tool: &str| agon_record::spec::Seating {
            tool: tool.parse().unwrap(),
            vendor: String::new(),
            model: None,
            effort: agon_record::spec::Effort::Low,
            transport: "cli".to_owned(),
            version: None,
            budget: None,
            unmeasured: false,
        };
        let mut onward = Onward {
            through: 3,
            seats: BTreeMap::from([
                (Seat::Proposition, seating("claude")),
                (Seat::Opposition, seating("codex")),
                (Seat::JUDGE, seating("gemini")),
            ]),
            caps: state.caps,
        };
        assert_eq!(calls_to_come(&told(&state, &onward)), 1 + 4 * 3);
        onward.seats.insert(Seat::Judge(2), seating("claude"));
        onward.seats.insert(Seat::Judge(3), seating("codex"));
        assert_eq!(calls_to_come(&told(&state, &onward)), 1 + 4 * 5);
        assert_eq!(calls_to_come(&state), 0);
    }
}
