//! `agon init`: finds AI tools and sets who debates.

use agon_caller::settings_file::Whose;
use agon_debates::seat::init;
use agon_debates::seat::init::{InitDoc, Prospect, SeatSetting};
use agon_report::text::plain_line;
use clap::Parser;

use super::{completions, debate, tools};
use crate::args::{Cli, Command, Global, InitArgs};
use crate::asking::{ask_on_terminal, confirm_on_terminal};
use crate::error::{Code, Exit, Failure, FailureKind};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Runs `agon init`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: InitArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let whose = match args.project {
        true => Whose::Project,
        false => Whose::User,
    };
    let asks = edge.terminal && !args.yes && !global.json;
    let prospect = init::propose_seats(edge, whose, asks).await?;
    if global.json {
        out.write_json(&finish(&prospect, args.yes)?)?;
        return Ok(Exit::Done);
    }
    tools::print_tools(&prospect.tools, edge.table_width, out)?;
    out.write_prose("")?;
    if !asks {
        let document = finish(&prospect, args.yes)?;
        print_document(&document, out)?;
        if document.written && whose == Whose::User {
            out.eprint_line(CONSENT);
        }
        return Ok(Exit::Done);
    }
    let document = ask_and_write_seats(edge, &prospect, whose, out).await?;
    print_document(&document, out)?;
    out.write_prose("")?;
    out.write_stdout(&completions::install_instructions(edge))?;
    if document.settings.is_empty() && document.set.is_empty() {
        return Ok(Exit::Done);
    }
    let question = "\nTopic of a first debate (Enter to skip): ";
    let topic = ask_on_terminal(move |person| person.ask_valid_line(question, "topic")).await;
    match topic.flatten() {
        Some(topic) => start_first_debate(edge, global, topic, out).await,
        None => Ok(Exit::Done),
    }
}

fn finish(prospect: &Prospect, writes: bool) -> Result<InitDoc, Failure> {
    match writes {
        true => init::write(prospect, prospect.seats.clone()),
        false => Ok(prospect.document()),
    }
}

/// Asks who takes each seat until a debate is possible, and writes the seats to the file.
async fn ask_and_write_seats(
    edge: &Surroundings,
    prospect: &Prospect,
    whose: Whose,
    out: &mut Out,
) -> Result<InitDoc, Failure> {
    if prospect.seats.is_empty() {
        return Ok(prospect.document());
    }
    if let Some(price) = &prospect.price {
        out.eprint_line(price);
    }
    let is_judge = |it: &SeatSetting| it.key == JUDGE;
    let has_judge = prospect.set.iter().chain(&prospect.seats).any(is_judge);
    let seats = loop {
        let seats = ask_seats(prospect.seats.clone(), !has_judge)
            .await
            .ok_or_else(stopped)?;
        match prospect.require_seatable(edge, &seats).await {
            Ok(()) => break seats,
            Err(failure) => {
                let hint = failure.hint.unwrap_or_default().typed();
                out.eprint_line(&format!("  {}; {hint}", failure.message));
            }
        }
    };
    let path = plain_line(&prospect.path.display().to_string());
    if whose == Whose::User {
        out.eprint_line(CONSENT);
    }
    match confirm_on_terminal(&format!("Write these seats to {path}?")).await {
        true => init::write(prospect, seats),
        false => Err(stopped()),
    }
}

fn stopped() -> Failure {
    let message = "stopped; nothing was changed";
    Failure::new(Code::Cancelled, message)
}

/// What it means that a tool is in the user's own configuration.
const CONSENT: &str = "Agon may send material from any project to the tools in your own configuration, without asking.";

/// The configuration key of the judge's seat.
const JUDGE: &str = "judge";

/// Asks the person for the seats; `None` if they stop. Sets a judge only if the person names one.
async fn ask_seats(proposed: Vec<SeatSetting>, asks_judge: bool) -> Option<Vec<SeatSetting>> {
    let asked = ask_on_terminal(move |person| {
        person.print_line("Choose who takes each seat; press Enter to accept the proposal.");
        let (models, tools): (Vec<_>, Vec<_>) =
            proposed.into_iter().partition(|it| it.key.contains('.'));
        let mut seats = Vec::new();
        for SeatSetting { key, value } in tools {
            let model_key = format!("model.{key}");
            let model = models.iter().find(|it| it.key == model_key);
            let usual = match model {
                Some(model) => format!("{value}, {}", model.value),
                None => value.clone(),
            };
            let given = person.ask_valid_line(&format!("  {key} [{usual}]: "), "tool")?;
            let changed = given.filter(|given| *given != value);
            // Keep a proposed model only with the tool that it was proposed for.
            if changed.is_none() {
                seats.extend(model.cloned());
            }
            seats.push(SeatSetting::new(&key, changed.unwrap_or(value)));
        }
        if asks_judge {
            let question = "  judge [for each debate, a tool that does not argue in it]: ";
            let given = person.ask_valid_line(question, "tool")?;
            seats.extend(given.map(|judge| SeatSetting::new(JUDGE, judge)));
        }
        Ok(seats)
    });
    asked.await
}

fn print_document(document: &InitDoc, out: &mut Out) -> Result<(), Failure> {
    let path = plain_line(&document.path.display().to_string());
    let line = |settings: &[SeatSetting]| {
        let set = settings.iter();
        let set = set.map(|it| format!("{} = {:?}", it.key, plain_line(&it.value)));
        set.collect::<Vec<_>>().join(", ")
    };
    if !document.set.is_empty() {
        out.write_prose(&format!("already set  {}", line(&document.set)))?;
    }
    let seats = &document.settings;
    match (seats.is_empty(), document.written) {
        (true, _) if document.set.is_empty() => {
            out.write_prose("fewer than two AI tools are logged in; nothing was changed")?;
            if let Some(until_then) = tools::built_in_model_hint(&document.tools) {
                out.write_prose(until_then)?;
            }
        }
        (true, _) => out.write_prose("all seats are set; nothing was changed")?,
        (false, true) => out.write_prose(&format!("written      {} in {path}", line(seats)))?,
        (false, false) => {
            out.write_prose(&format!("would set    {} in {path}", line(seats)))?;
            out.write_prose("nothing was changed")?;
        }
    }
    for (at, command) in document.next.iter().enumerate() {
        let label = if at == 0 { "next" } else { "" };
        out.write_prose(&format!("{label:<12} {command}"))?;
    }
    Ok(())
}

async fn start_first_debate(
    edge: &Surroundings,
    global: &Global,
    topic: String,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let typed = ["agon", "debate", "--", topic.as_str()];
    match Cli::try_parse_from(typed).map(|cli| cli.command) {
        Ok(Command::Debate(args)) => debate::run(edge, global, &args, out).await,
        Ok(_) | Err(_) => {
            Err(Failure::new(Code::Topic, "the topic was rejected").kind(FailureKind::Bug))
        }
    }
}
