//! Measures what an open conversation saves: the same three-round duel over the Agent Client
//! Protocol and with separate command lines, between real tools that use a local model server.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use agon_agents::profile::Transport;
use agon_agents::scripted::{Act, Scripted};
use agon_agents::{Agent, Environment, Profiles, Toolbox};
use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::run::run_debate;
use agon_engine::run_context::RunContext;
use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_redact::Redactor;
use agon_testkit::{FakeModels, Sandbox, Script, real_clis};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// The pairs that debate, and the programs that each one needs.
const PAIRS: [[&str; 2]; 2] = [["opencode", "copilot"], ["claude", "codex"]];
/// Adapters for tools that do not speak the protocol.
const ADAPTERS: [&str; 2] = ["claude-agent-acp", "codex-acp"];

/// The cost of one debate.
#[derive(Default)]
struct Took {
    /// Bytes of the prompt of each turn from round 2 on; in round 1, nearly everything is new.
    bytes: f64,
    /// Duration of each of those turns, in milliseconds.
    wall: f64,
    /// Processor time of all started processes for each turn of a side, in milliseconds.
    cpu: f64,
}

fn main() {
    let Some(clis) = real_clis() else {
        line(
            "sessions",
            0.0,
            "",
            "not run: AGON_TEST_CLIS names no folder with the real tools",
        );
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for pair in PAIRS {
        let name = pair.join("+");
        let cold = runtime.block_on(duel(&clis, pair, Transport::Cli));
        let warm = runtime.block_on(duel(&clis, pair, Transport::Acp));
        let (Some(cold), Some(warm)) = (cold, warm) else {
            line(
                &name,
                0.0,
                "",
                "not run: one of them is not here, or not over both ways",
            );
            continue;
        };
        for (what, unit, of) in [
            (
                "bytes of a turn from round 2 on",
                "B",
                (|took: &Took| took.bytes) as fn(&Took) -> f64,
            ),
            ("wall of a later turn", "ms", |took| took.wall),
            ("processor of a turn", "ms", |took| took.cpu),
        ] {
            let (cold, warm) = (of(&cold), of(&warm));
            line(
                &format!("{name}: {what}, cold"),
                cold,
                unit,
                "a start of the command line each",
            );
            line(
                &format!("{name}: {what}, warm"),
                warm,
                unit,
                "one conversation for each seat",
            );
            line(
                &format!("{name}: {what}, ratio"),
                cold / warm,
                "x",
                "cold to warm",
            );
        }
    }
}

/// Runs the duel between `pair` with this transport; `None` if a program is missing.
async fn duel(clis: &Path, pair: [&str; 2], by: Transport) -> Option<Took> {
    let models = FakeModels::start(Script::job_store_three_rounds());
    let sandbox = Sandbox::new();
    let bin = sandbox.home().with_file_name("bin");
    fs::create_dir(&bin).unwrap();
    let mut env = sandbox.env_with_path(&bin);
    for program in pair.into_iter().chain(ADAPTERS) {
        let real = clis.join("node_modules/.bin").join(program);
        if real.exists() {
            symlink(real, bin.join(program)).unwrap();
        }
    }
    for tool in pair {
        env.extend(sandbox.point(tool, &models.url()));
    }
    let names = pair.map(|tool| tool.parse().unwrap());
    let here = Environment::new(env);
    let profiles = Profiles::builtin().unwrap();
    let tools = Toolbox::detect_only(&profiles, &names, &here).await;
    let ruling = Script::job_store_three_rounds().turns["verdict.judge"][0].clone();
    let judge = Scripted::new("judge".parse().unwrap(), move |_| Act::Say(ruling.clone()));
    let mut agents: Vec<Arc<dyn Agent>> = vec![Arc::new(judge)];
    for name in &names {
        agents.push(tools.agent_over_transport(name, Some(by)).ok()?);
    }
    let watch = Arc::new(agon_proc::Unwatched);
    let table = RunContext::new(agents, Arc::new(Redactor::new()), watch);
    let mut host = MemoryHost::open(spec(pair));
    let before = children_ms();
    run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();
    assert!(host.state().closed.is_some(), "{:?}", host.state().halted);
    Some(took(&host, &models, children_ms() - before))
}

fn spec(pair: [&str; 2]) -> Spec {
    let seating = |tool: &str| {
        json!({ "tool": tool, "vendor": tool, "model": null, "effort": "medium",
                "transport": "cli", "version": null })
    };
    let spec = json!({
        "ulid": "01JD0000000000000000000000",
        "slug": "sessions",
        "format": "duel",
        "topic": "SQLite or plain files for the job store?",
        "seats": {
            "proposer": seating(pair[0]),
            "challenger": seating(pair[1]),
            "judge": seating("judge"),
        },
        "substitutes": [],
        "rounds": 3,
        "blind": true,
        "swap": false,
        "ask_on_agreement": false,
        "context": { "kind": "none" },
        "caps": { "calls": 20, "tokens": 9_000_000, "time_ms": 1_800_000, "cost_micros": null,
                  "reasks": 4 },
        "ask_timeout_ms": 240_000,
        "severities": {},
        "same_tool": false,
        "salt": "5a".repeat(32),
        "agon": "0.1.0",
        "ruleset": "duel/1",
    });
    serde_json::from_value(spec).unwrap()
}

fn took(host: &MemoryHost, models: &FakeModels, cpu: f64) -> Took {
    let is_later = |turn: &str| !turn.starts_with("r0.") && turn.starts_with('r');
    let requests = models.requests();
    let from_2 = |turn: &str| is_later(turn) && !turn.starts_with("r1.");
    let bytes = requests
        .iter()
        .filter(|request| request.turn.as_deref().is_some_and(from_2));
    let bytes: Vec<_> = bytes.map(|request| request.prompt.len() as f64).collect();
    let given = host.events().iter().filter_map(|event| {
        let Event::Given(given) = event else {
            return None;
        };
        (!given.key.turn.seat.is_judge()).then_some(given)
    });
    let given: Vec<_> = given.collect();
    let wall = given
        .iter()
        .filter(|given| is_later(&given.key.turn.to_string()));
    let wall: Vec<_> = wall.map(|given| given.took_ms as f64).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    Took {
        bytes: mean(&bytes),
        wall: mean(&wall),
        cpu: cpu / given.len().max(1) as f64,
    }
}

/// Returns the processor time of all child processes that have ended, in milliseconds.
fn children_ms() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    // The times of the children are the 16th and 17th field, in hundredths of a second.
    let fields = after_name.split_whitespace().skip(13).take(2);
    fields
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        * 10.0
}

fn line(name: &str, value: f64, unit: &str, note: &str) {
    let line = json!({"name": name, "value": value, "unit": unit, "note": note});
    println!("{line}");
}
