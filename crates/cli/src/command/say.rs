//! `agon say`: puts a note, or what a command printed, into a debate.

mod ends;

use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::time::Duration;

use agon_proc::{Ending, Limits, Program, Unwatched};
use agon_record::user::{CommandRun, Wish, WordId};
use agon_report::text::counted;
use agon_rules::steer::{heard_by, still_heard};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::args::{Global, SayArgs};
use crate::command::debate::refuse_depth;
use crate::command::{steer, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::stop;
use ends::Ends;

/// Runs `agon say`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &SayArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let path = which::find(edge, global, Some(&args.debate))?;
    let wish = match &args.run {
        None => steer::note(&text(args)?),
        Some(command) => {
            // Nobody waits for a command that nobody would hear of.
            still_heard(&which::read(&path)?.state).map_err(steer::refused)?;
            let within = Duration::from_secs(args.timeout);
            Wish::Run(ran(edge, global, (command, within), out).await?)
        }
    };
    say(global, &path, wish, out).await?;
    Ok(Exit::Done)
}

fn text(args: &SayArgs) -> Result<String, Failure> {
    if args.text != ["-"] {
        return Ok(args.text.join(" "));
    }
    let mut text = String::new();
    let read = std::io::stdin().take(1 << 20).read_to_string(&mut text);
    read.map_err(|cause| {
        let message = format!("cannot read the note from stdin: {cause}");
        Failure::new(Exit::Usage, "invalid_parameter", message).parameter("text")
    })?;
    Ok(text)
}

/// Hands in a word and says what became of it.
async fn say(global: &Global, path: &Path, wish: Wish, out: &mut Out) -> Result<(), Failure> {
    let handed = steer::hand_in(path, wish, out).await?;
    let state = &handed.state;
    let id = state
        .words
        .iter()
        .find(|word| word.item() == handed.item.id);
    let id = id.map_or(WordId::Note(0), |word| word.id());
    let (redacted, run) = match &handed.item.wish {
        Wish::Note { redacted, .. } => (*redacted, None),
        Wish::Run(run) => (run.redacted, Some(run)),
        Wish::Order(_) | Wish::Stop => (0, None),
    };
    if global.json {
        return out.json(&json!({
            "schema": "agon.said/1",
            "debate": state.spec.slug,
            "id": id,
            "runs": handed.runs,
            "heard": heard_by(state),
            "redacted": redacted,
            "run": run.map(|run| json!({
                "command": run.command,
                "exit": run.exit,
                "ended": run.ending(),
                "bytes": run.bytes,
                "left_out": run.left_out,
                "took_ms": run.took_ms,
            })),
        }));
    }
    if let Some(run) = run {
        let left = match run.left_out {
            0 => String::new(),
            left => format!(", of which {left} are left out"),
        };
        out.note(&format!("{} · {} bytes{left}", run.ending(), run.bytes));
    }
    if redacted > 0 {
        let secrets = counted(redacted, "secret");
        out.note(&format!("{secrets} taken out before it was stored"));
    }
    out.line(&format!("{id} kept; {}", heard_by(state)))
}

/// Runs a command here and shows what it prints; what is kept has no secrets.
async fn ran(
    edge: &Edge,
    global: &Global,
    (command, within): (&str, Duration),
    out: &mut Out,
) -> Result<CommandRun, Failure> {
    let program = Program {
        path: "/bin/sh".into(),
        args: vec!["-c".into(), command.into()],
        env: edge.vars_os.clone(),
        cwd: edge.cwd.clone(),
    };
    let limits = Limits {
        deadline: within,
        output: 0,
        grace: Duration::from_secs(2),
        drain: Duration::from_secs(2),
        leaves_strays: true,
    };
    let live = !global.json && std::io::stderr().is_terminal();
    let mut ends = Ends::default();
    let mut sink = |bytes: &[u8]| {
        ends.push(bytes);
        if live {
            // Nobody could be told that stderr is gone.
            drop(std::io::stderr().write_all(bytes));
        }
    };
    let cancel = CancellationToken::new();
    let stopping = stop::on_signal(cancel.clone());
    let streamed = agon_proc::stream(&program, &limits, &Unwatched, &cancel, &mut sink).await;
    stopping.abort();
    let (ending, took) = streamed
        .map_err(|error| Failure::from_error(Exit::Usage, "run", &error).parameter("run"))?;
    let (exit, ended) = match ending {
        Ending::Exited { code, signal } => (code, signal.map(|signal| format!("signal {signal}"))),
        Ending::TimedOut => (None, Some(format!("stopped after {} s", within.as_secs()))),
        Ending::Cancelled | Ending::Flooded | Ending::Complete => {
            let message = "the command was stopped; nothing of it is kept";
            return Err(Failure::new(Exit::Cancelled, "cancelled", message));
        }
    };
    let kept = ends.kept();
    if !live && !global.json {
        out.note(kept.text.trim_end());
    }
    let (command, secrets) = steer::clean(command);
    Ok(CommandRun {
        command: command.trim().to_owned(),
        exit,
        ended,
        output: kept.text,
        bytes: kept.bytes,
        left_out: kept.left_out,
        took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        redacted: kept.redacted.saturating_add(secrets),
    })
}
