//! `agon debate`: lays the table, opens the folder, runs the debate.

mod ask;

use std::collections::BTreeMap;
use std::io::Read;

use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Caps, Context, Effort, FormatName, Seating, Spec};
use agon_redact::Redactor;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::args::{DebateArgs, Global};
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::fallback::{self, Who};
use crate::handing;
use crate::output::Out;
use crate::precedents;
use crate::running::{self, Place};
use crate::seating::{self, Ready, Seated, Wish, Wishes};
use crate::settings;
use crate::sources::{self, Wanted};
use crate::stop;
use crate::tools::Tools;
use crate::topic::{self, Asked};

/// Calls above those planned, for replies sent back and calls tried again.
pub(crate) const SPARE_CALLS: u32 = 4;
/// Replies that may be sent back in one debate.
pub(crate) const REASKS: u8 = 4;
/// The judges of a deep debate.
const DEEP_JUDGES: usize = 3;
/// The most judges of a panel.
const MOST_JUDGES: usize = 9;

/// Runs `agon debate`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &DebateArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let edge = &Edge {
        probe_within: args.detach.then_some(handing::PROBED_WITHIN),
        ..edge.clone()
    };
    let base = settings::resolve(edge, global, &Settings::default())?.settings;
    let asks = args.topic.is_empty() && edge.terminal && !global.json && !args.strict;
    let answers = match asks {
        true => Some(asked_for(edge, &base, args).await?),
        false => None,
    };
    let args = answers.as_ref().unwrap_or(args);
    let asked = topic::read(&topic_text(args)?, &Tools::known(&base)?)?;
    if args.strict {
        strict(args, &asked)?;
    }
    settings::refuse_raised(edge, &args.limits, settings::MOST_CALLS)?;
    let Laid {
        asked,
        settings,
        tools,
        seated,
    } = lay(edge, global, args, asked, out).await?;
    let debates_dir = settings.debates_dir.clone();
    let debates_dir = debates_dir.unwrap_or_else(|| "debates".into());
    let wanted = Wanted {
        context: settings.context.as_deref().unwrap_or("none"),
        allow_secrets: args.allow_secrets,
        pages: args.verify_urls,
        debates_dir: &debates_dir,
        settings: tools.settings(),
    };
    let (context, pin) = sources::given(edge, wanted).await?;
    let mut spec = spec(
        edge,
        args,
        &asked,
        (settings.clone(), seated.clone(), context),
    )?;
    spec.source = pin.as_ref().map(|pin| pin.pinned.clone());
    let place = Place {
        edge,
        global,
        debates_dir: &debates_dir,
        within: None,
        detach: args.detach,
    };
    if args.with_precedents {
        spec.precedents = precedents::of(edge, (&debates_dir, &spec.topic), &Redactor::new(), out)?;
    }
    if args.dry_run {
        return running::dry_run(place, &spec, out);
    }
    running::start(place, (spec, pin, args.again), &tools, out).await
}

/// The table of a debate, before it opens.
struct Laid {
    asked: Asked,
    settings: Settings,
    tools: Tools,
    seated: Seated,
}

/// Says who debates, and with which settings.
async fn lay(
    edge: &Edge,
    global: &Global,
    args: &DebateArgs,
    mut asked: Asked,
    out: &mut Out,
) -> Result<Laid, Failure> {
    let mut settings = settings::resolve(edge, global, &flags(args, &asked))?.settings;
    let tools = detect(edge, args, &asked, &settings).await?;
    let wished = wishes(args, &settings, panel(args, &asked)?);
    let chosen = fallback::choose(edge, &settings, (tools, wished), out).await?;
    let (tools, wished) = match chosen.who {
        Who::Tools | Who::Servers => (chosen.tools, chosen.wishes),
        Who::Local => {
            // It is as quick as it is small, unless more is asked for.
            asked.quick |= !(args.deep || asked.thorough);
            settings = settings::resolve(edge, global, &flags(args, &asked))?.settings;
            let wished = wishes(args, &settings, panel(args, &asked)?);
            fallback::local(edge, &settings, wished, out).await?
        }
    };
    let seated = seating::seat(&wished, tools.candidates())?;
    Ok(Laid {
        asked,
        settings,
        tools,
        seated,
    })
}

/// What a person on the terminal says that they want.
///
/// # Errors
///
/// If they stop instead; nothing was started then.
async fn asked_for(
    edge: &Edge,
    settings: &Settings,
    args: &DebateArgs,
) -> Result<DebateArgs, Failure> {
    let tools = Tools::detect(edge, settings, &[]).await?;
    let ready = tools.candidates().iter();
    let ready = ready.filter(|tool| tool.ready == Ready::Yes && tool.is_tool);
    let ready = ready.map(|tool| tool.tool.to_string()).collect();
    let known = ask::Known {
        settings: settings.clone(),
        tools: ready,
        names: Tools::known(settings)?,
        typed: edge.typed.clone(),
    };
    let args = args.clone();
    let cancel = CancellationToken::new();
    let stopping = stop::on_signal(cancel.clone());
    let (tell, told) = oneshot::channel();
    // Nobody waits for the thread: who stops does not hang on the line.
    std::thread::spawn(move || {
        let (stdin, stderr) = (std::io::stdin().lock(), std::io::stderr());
        let answers = ask::ask(args, &known, stdin, stderr);
        tell.send(answers).unwrap_or_default();
    });
    let stopped = || Failure::new(Exit::Cancelled, "cancelled", "stopped; nothing was started");
    let answers = tokio::select! {
        answers = told => answers.unwrap_or_else(|_| Err(stopped())),
        () = cancel.cancelled() => Err(stopped()),
    };
    stopping.abort();
    answers
}

/// Looks for the tools that may be seated: those named, or all of them.
async fn detect(
    edge: &Edge,
    args: &DebateArgs,
    asked: &Asked,
    settings: &Settings,
) -> Result<Tools, Failure> {
    let wishes = wishes(args, settings, panel(args, asked)?);
    let seats = [&wishes.proposer, &wishes.challenger].into_iter();
    let wishes: Vec<_> = seats.chain(&wishes.judges).collect();
    let named = wishes.iter().filter_map(|wish| wish.tool.as_ref());
    let mut names: Vec<_> = named.filter_map(|name| name.parse().ok()).collect();
    names.sort();
    names.dedup();
    let known = Tools::known(settings)?;
    let all = wishes.iter().all(|wish| {
        let tool = wish.tool.as_ref();
        tool.is_some_and(|name| Tools::names_one(&known, name))
    });
    if all {
        Tools::detect_own(edge, settings, &names, &names).await
    } else {
        Tools::detect(edge, settings, &names).await
    }
}

/// How many judges there are to be.
///
/// # Errors
///
/// If they are too many, or there are more models than judges.
fn panel(args: &DebateArgs, asked: &Asked) -> Result<usize, Failure> {
    let named = args.seats.judge.len();
    let least = if args.deep || asked.thorough {
        DEEP_JUDGES
    } else {
        1
    };
    judges(named, named.max(least), args.seats.model_judge.len())
}

/// The size of a panel for which `named` judges and `models` are given.
///
/// # Errors
///
/// If too many judges are named, or more models than there are judges.
pub(crate) fn judges(named: usize, panel: usize, models: usize) -> Result<usize, Failure> {
    if named > MOST_JUDGES {
        let message = format!("a panel has at most {MOST_JUDGES} judges");
        return Err(Failure::new(Exit::Usage, "invalid_parameter", message).parameter("judge"));
    }
    if models > panel {
        let message = "there are more models than judges";
        return Err(Failure::new(Exit::Usage, "invalid_parameter", message)
            .parameter("model-judge")
            .hint("the first --model-judge is for the first judge, the second for the second"));
    }
    Ok(panel)
}

/// A debater cannot open a debate.
pub(crate) fn refuse_depth(edge: &Edge) -> Result<(), Failure> {
    if edge.depth() == 0 {
        return Ok(());
    }
    Err(Failure::new(
        Exit::Usage,
        "depth",
        "this runs inside a debate, which cannot open another",
    )
    .hint("answer in the debate instead; AGON_DEPTH says how deep this is"))
}

fn topic_text(args: &DebateArgs) -> Result<String, Failure> {
    if args.topic != ["-"] {
        return Ok(args.topic.join(" "));
    }
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(1 << 20).read_to_end(&mut bytes);
    read.map_err(|cause| {
        Failure::new(
            Exit::Usage,
            "invalid_parameter",
            format!("cannot read stdin: {cause}"),
        )
    })?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::new(
            Exit::Usage,
            "invalid_parameter",
            "the topic on stdin is not text",
        )
        .parameter("topic")
    })
}

/// With `--strict`, nothing is taken by default.
fn strict(args: &DebateArgs, asked: &Asked) -> Result<(), Failure> {
    let named = asked.tools.is_some();
    let preset = args.quick || args.deep || asked.quick || asked.thorough;
    let given = [
        ("proposer", named || args.seats.proposer.is_some()),
        ("challenger", named || args.seats.challenger.is_some()),
        ("judge", !args.seats.judge.is_empty()),
        (
            "rounds",
            preset || args.rounds.is_some() || asked.rounds.is_some(),
        ),
        ("effort", preset || args.seats.effort.is_some()),
        ("context", args.context.is_some()),
    ];
    match given.into_iter().find(|(_, given)| !given) {
        None => Ok(()),
        Some((missing, _)) => Err(Failure::new(
            Exit::Usage,
            "missing_parameter",
            format!("`{missing}` is not given"),
        )
        .parameter(missing)
        .hint(format!(
            "with --strict every parameter is given: add --{missing}"
        ))),
    }
}

/// What the command line says, as the last layer of the configuration.
fn flags(args: &DebateArgs, asked: &Asked) -> Settings {
    let quick = args.quick || asked.quick;
    let deep = args.deep || asked.thorough;
    let (rounds, effort) = match (quick, deep) {
        (true, _) => (Some(1), Some(Effort::Low)),
        (false, true) => (Some(3), Some(Effort::High)),
        (false, false) => (None, None),
    };
    let [first, second] = match &asked.tools {
        Some([first, second]) => [Some(first.clone()), Some(second.clone())],
        None => [None, None],
    };
    let models = [
        ("proposer", &args.seats.model_proposer),
        ("challenger", &args.seats.model_challenger),
    ];
    let judges = (1..).zip(&args.seats.model_judge);
    let judges = judges.map(|(number, model)| (Seat::Judge(number).to_string(), model.clone()));
    let model = models
        .into_iter()
        .filter_map(|(seat, model)| Some((seat.to_owned(), model.clone()?)))
        .chain(judges);
    Settings {
        proposer: args.seats.proposer.clone().or(first),
        challenger: args.seats.challenger.clone().or(second),
        judge: args.seats.judge.first().cloned(),
        rounds: args.rounds.or(asked.rounds).or(rounds),
        effort: args.seats.effort.or(effort),
        transport: args.seats.transport,
        context: args.context.clone(),
        model: model.collect(),
        ..settings::limits(&args.limits)
    }
}

fn wishes(args: &DebateArgs, settings: &Settings, panel: usize) -> Wishes {
    let wish = |seat: &str, tool: &Option<String>, effort: Option<Effort>| Wish {
        tool: tool.clone(),
        model: settings.model.get(seat).cloned(),
        effort: effort.or(settings.effort).unwrap_or_default(),
    };
    let judge = |number: u8| {
        let named = args.seats.judge.get(usize::from(number) - 1).cloned();
        let named = named.or_else(|| settings.judge.clone().filter(|_| number == 1));
        let seat = Seat::Judge(number).to_string();
        wish(&seat, &named, args.seats.effort_judge)
    };
    Wishes {
        proposer: wish("proposer", &settings.proposer, args.seats.effort_proposer),
        challenger: wish(
            "challenger",
            &settings.challenger,
            args.seats.effort_challenger,
        ),
        judges: (1..).take(panel).map(judge).collect(),
        same_tool: args.seats.same_tool,
    }
}

fn spec(
    edge: &Edge,
    args: &DebateArgs,
    asked: &Asked,
    (settings, seated, context): (Settings, Seated, Context),
) -> Result<Spec, Failure> {
    let rounds = settings.rounds.unwrap_or(2);
    if !(1..=5).contains(&rounds) {
        return Err(Failure::new(
            Exit::Config,
            "invalid_parameter",
            "a duel has 1 to 5 rounds",
        )
        .parameter("rounds"));
    }
    // A quick debate has neither blind answers nor a swap; a judge whose model bears little would
    // say something else each time.
    let blind = !(args.quick || asked.quick);
    let judge = seated.seats.get(&Seat::JUDGE);
    let swap = blind && !args.no_swap && judge.is_none_or(|judge| judge.budget.is_none());
    let mut spec = Spec {
        ulid: edge::new_ulid(),
        slug: args.slug.clone().unwrap_or_default(),
        format: FormatName::Duel,
        topic: asked.topic.clone(),
        definitions: Vec::new(),
        scope: None,
        theses: None,
        same_tool: same_tool(&seated),
        seats: seated.seats,
        substitutes: seated.substitutes,
        rounds,
        blind,
        swap,
        ask_on_agreement: edge.terminal && !args.detach,
        context,
        precedents: Vec::new(),
        source: None,
        caps: caps(&settings, 0),
        ask_timeout_ms: settings.timeout.unwrap_or(240).saturating_mul(1_000),
        severities: BTreeMap::from_iter(settings.rules.clone()),
        weights: settings.graph.clone(),
        salt: edge::new_salt()?,
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        ruleset: "duel/1".to_owned(),
    };
    spec.caps = caps(&settings, spec.planned_calls() + SPARE_CALLS);
    Ok(spec)
}

/// The bounds that `settings` name; `calls` unless they name the calls.
pub(crate) fn caps(settings: &Settings, calls: u32) -> Caps {
    Caps {
        calls: settings.max_calls.unwrap_or(calls),
        tokens: settings.max_tokens.unwrap_or(250_000),
        time_ms: settings.max_time.unwrap_or(1_800).saturating_mul(1_000),
        cost_micros: settings
            .max_cost
            .map(|dollars| (dollars.max(0.0) * 1e6) as u64),
        reasks: REASKS.into(),
    }
}

fn same_tool(seated: &Seated) -> bool {
    let side = |seat| seated.seats.get(&seat).map(|s| (&s.tool, &s.model));
    let human = seated
        .seats
        .get(&Seat::Proposer)
        .is_some_and(Seating::is_human);
    !human && side(Seat::Proposer) == side(Seat::Challenger)
}
