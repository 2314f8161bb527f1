//! `agon debate`: lets two tools argue a topic and a third one judge.

mod ask;

use std::io::Read;

use agon_caller::settings;
use agon_debates::request::{JudgesRequest, SeatRequest, SeatsRequest, StartRequest};
use agon_debates::run::duel;
use agon_seats::tools;
use tokio::sync::oneshot;

use crate::args::{DebateArgs, DemoArgs, Global, LiveArgs, PaceArgs, SeatArgs, join_context};
use crate::command::{command_line, demo};
use crate::error::{Code, Exit, Failure};
use crate::front::Terminal;
use crate::output::Out;
use crate::surroundings::Surroundings;
use crate::{asking, outcome, stop};

/// The maximum number of bytes read from stdin; enough to report that a topic is too long.
const MAX_STDIN_BYTES: u64 = 1 << 20;

/// Runs `agon debate`.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &DebateArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let asks = args.topic.is_empty() && edge.terminal && !global.json && !args.strict;
    let answers = match asks {
        true => Some(prompt_for_args(edge, args).await?),
        false => None,
    };
    let request = request_from_args(answers.as_ref().unwrap_or(args), global)?;
    let is_confirmed = asks && !request.dry_run;
    if is_confirmed && confirm_plan(edge, global, &request, out).await? == Confirmed::Demo {
        return play_demo(edge, global, args.live, out).await;
    }
    let mut terminal = Terminal::new(edge, global, out).with_header_shown(is_confirmed);
    let outcome = duel::start(edge, &request, &mut terminal).await;
    if terminal.wants_demo {
        return play_demo(edge, global, args.live, out).await;
    }
    let outcome =
        outcome.map_err(|failure| command_line::with_substitute_command(edge, failure))?;
    outcome::print_outcome(edge, global, outcome, args.exit.required(), out)
}

/// Plays the recorded debate for a person who chose it instead of a debate.
async fn play_demo(
    edge: &Surroundings,
    global: &Global,
    live: LiveArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let args = DemoArgs {
        keep: false,
        pace: PaceArgs::default(),
        live,
    };
    out.eprint_line("");
    demo::run(edge, global, &args, out).await
}

/// The choice of a person who has seen the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Confirmed {
    /// Start the debate.
    Start,
    /// Watch the recorded debate instead.
    Demo,
}

/// Shows the header of a debate that was set up by questions, and asks whether to start it.
///
/// # Errors
///
/// Returns an error if the debate cannot be held or the person says no; nothing was started then.
async fn confirm_plan(
    edge: &Surroundings,
    global: &Global,
    request: &StartRequest,
    out: &mut Out,
) -> Result<Confirmed, Failure> {
    let mut terminal = Terminal::new(edge, global, out);
    let planned = duel::plan(edge, request, &mut terminal).await;
    if terminal.wants_demo {
        return Ok(Confirmed::Demo);
    }
    if let Some(planned) = planned? {
        outcome::print_plan(edge, global, &planned, out)?;
    }
    match asking::confirm_on_terminal("\nStart?").await {
        true => Ok(Confirmed::Start),
        false => Err(stopped()),
    }
}

fn stopped() -> Failure {
    Failure::new(Code::Cancelled, "stopped; nothing was started")
}

fn request_from_args(args: &DebateArgs, global: &Global) -> Result<StartRequest, Failure> {
    Ok(StartRequest {
        id: None,
        topic: read_topic(args)?,
        rounds: args.rounds,
        quick: args.quick,
        deep: args.deep,
        no_swap: args.no_swap,
        context: join_context(&args.context),
        pasted: Vec::new(),
        change: None,
        with_precedents: args.with_precedents,
        slug: args.slug.clone(),
        verify_urls: args.verify_urls,
        allow_secrets: args.allow_secrets,
        allow_download: args.allow_download,
        dry_run: args.dry_run,
        strict: args.strict,
        detach: args.detach,
        again: args.again,
        // With --json, a repeated request returns the existing debate instead of a new one.
        reuse: global.json,
        seats: seats_from_args(&args.seats),
        bounds: args.limits.bounds(),
    })
}

pub(crate) fn seats_from_args(args: &SeatArgs) -> SeatsRequest {
    let proposer = SeatRequest {
        tool: args.proposer.clone(),
        model: args.model_proposer.clone(),
        effort: args.effort_proposer,
    };
    let challenger = SeatRequest {
        tool: args.challenger.clone(),
        model: args.model_challenger.clone(),
        effort: args.effort_challenger,
    };
    SeatsRequest {
        sides: [proposer, challenger],
        judges: JudgesRequest {
            tools: args.judge.clone(),
            models: args.model_judge.clone(),
            effort: args.effort_judge,
        },
        effort: args.effort,
        transport: args.transport,
        same_tool: args.same_tool,
        substitute: args.substitute,
    }
}

/// Asks the person at the terminal for the missing arguments.
///
/// # Errors
///
/// Returns an error if the person stops; nothing was started then.
async fn prompt_for_args(edge: &Surroundings, args: &DebateArgs) -> Result<DebateArgs, Failure> {
    let settings = settings::read_settings(edge)?;
    let known = ask::KnownTools {
        tools: tools::ready_tools(edge, &settings).await?,
        names: tools::profile_names(&settings)?,
        context: match (&settings.context, edge.is_in_work_tree()) {
            (Some(given), _) => given.clone(),
            (None, true) => "repo".to_owned(),
            (None, false) => "none".to_owned(),
        },
        settings,
        typed: edge.typed.clone(),
    };
    let args = args.clone();
    let cancel = stop::signal_cancellation_token();
    let (sender, receiver) = oneshot::channel();
    // The thread is not joined, so that stopping does not wait for a line.
    std::thread::spawn(move || {
        let (stdin, stderr) = (std::io::stdin().lock(), std::io::stderr());
        let answers = ask::prompt_missing_args(args, &known, stdin, stderr);
        sender.send(answers).unwrap_or_default();
    });
    tokio::select! {
        answers = receiver => answers.unwrap_or_else(|_| Err(stopped())),
        () = cancel.cancelled() => Err(stopped()),
    }
}

/// Returns the topic from the arguments, or from stdin for `-`.
fn read_topic(args: &DebateArgs) -> Result<String, Failure> {
    if args.topic != ["-"] {
        return Ok(args.topic.join(" "));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .take(MAX_STDIN_BYTES)
        .read_to_end(&mut bytes);
    let refuse = |message: String| Failure::new(Code::InvalidParameter, message);
    read.map_err(|cause| refuse(format!("cannot read stdin: {cause}")))?;
    String::from_utf8(bytes)
        .map_err(|_| refuse("the topic on stdin is not text".to_owned()).parameter("topic"))
}
