//! Runs a batch of 1,000 quick duels against a model server that takes two seconds for each answer.
//!
//! The server is another process, so that the processor time and memory are those of the batch.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    reason = "a benchmark starts a server and prints what it measured"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agon_batch::estimate::estimate;
use agon_batch::folder::BatchFolder;
use agon_batch::input;
use agon_batch::request::BatchRequest;
use agon_batch::results::{BatchResult, Results};
use agon_batch::run::{BatchRun, Progress, Watcher};
use agon_batch::work::{choose_requests, find_work};
use agon_caller::{Caller, Notes};
use agon_debates::request::StartRequest;
use agon_testkit::{Answer, FakeModels, Script};
use tokio_util::sync::CancellationToken;

const DEBATES: usize = 1_000;
const LATENCY: Duration = Duration::from_secs(2);
/// Simultaneous calls.
const CALLS: usize = 64;
const SERVE: &str = "serve";

fn main() {
    let mut args = std::env::args().skip(1);
    let debates = match args.next().as_deref() {
        Some(SERVE) => return serve(),
        // Fewer, to see that it works.
        Some(count) => count.parse().unwrap(),
        None => DEBATES,
    };
    let mut server = Command::new(std::env::current_exe().unwrap());
    server.arg(SERVE).stdin(Stdio::piped());
    let mut server = server.stdout(Stdio::piped()).spawn().unwrap();
    let mut url = String::new();
    let mut printed = BufReader::new(server.stdout.take().unwrap());
    printed.read_line(&mut url).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let local = tokio::task::LocalSet::new();
    runtime.block_on(local.run_until(measure(url.trim(), debates)));
    // The server ends with its input.
    drop(server.stdin.take());
    server.wait().unwrap();
}

/// Prints the URL of a model server, and serves until the input ends.
fn serve() {
    let models = FakeModels::start(Script::job_store_quick());
    models.set("*", Answer::Late(LATENCY));
    println!("{}", models.url());
    std::io::stdin().read_line(&mut String::new()).unwrap();
}

async fn measure(url: &str, debates: usize) {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    fs::create_dir_all(home.join(".config/agon")).unwrap();
    let lines = format!(
        "batch_calls = {CALLS}\ndaily_tokens = 1_000_000_000\n[tools.server]\ntransports = [\"http\"]\n\
         [tools.server.http]\nadapter = \"openai\"\nurl = \"{url}/v1\"\nmodel = \"m\"\n"
    );
    fs::write(home.join(".config/agon/config.toml"), lines).unwrap();
    let rows = (0..debates).map(|at| format!("{{\"topic\": \"Question {at}?\"}}\n"));
    fs::write(folder.path().join("q.jsonl"), rows.collect::<String>()).unwrap();
    let vars = [
        ("HOME", home.as_os_str()),
        ("PATH", "/usr/bin:/bin".as_ref()),
    ];
    let vars = vars.map(|(name, value)| (name.into(), value.to_owned()));
    let caller = Caller::new(BTreeMap::from(vars), folder.path());

    let seats = r#"{"sides": [{"tool": "server"}, {"tool": "server"}],
        "judges": {"tools": ["server"]}, "same_tool": true}"#;
    let batch = BatchRequest {
        file: "q.jsonl".into(),
        base: StartRequest {
            quick: true,
            context: Some("none".to_owned()),
            seats: serde_json::from_str(seats).unwrap(),
            ..StartRequest::default()
        },
        repeat: 1,
        ..BatchRequest::default()
    };
    let files = BatchFolder::of(&caller, &batch);
    let rows = input::read(&batch, &caller.cwd).unwrap();
    let _lock = files.lock().unwrap();
    let mut results = Results::open(&files).unwrap();
    let requests = choose_requests(&caller, &batch, rows).unwrap();
    let work = find_work(&batch, &files, requests, |_| None);
    let estimate = estimate(&caller, &work).await.unwrap();
    let run = BatchRun {
        caller: &caller,
        folder: &files,
        caps: batch.caps,
        work,
        estimate: &estimate,
        stop: CancellationToken::new(),
    };
    let before = resident();
    let (started, begun) = (Instant::now(), cpu_seconds());
    let mut most = Most::default();
    let summary = run.run(&mut results, &mut most).await.unwrap();
    let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_seconds() - begun);
    let peak = peak();
    assert_eq!(summary.progress.done, debates, "{summary:?}");
    let calls: u32 = results.all().map(|result| result.calls).sum();
    let ideal = f64::from(calls) * LATENCY.as_secs_f64() / CALLS as f64;
    let line = |name: &str, value: f64, unit: &str, note: &str| {
        let line = serde_json::json!({"name": name, "value": value, "unit": unit, "note": note});
        println!("{line}");
    };
    let note = format!("{debates} duels, 2 s a call, {CALLS} calls at once; of ideal");
    line("batch.ideal", 100.0 * ideal / wall, "%", &note);
    line(
        "batch.wall",
        wall,
        "s",
        &format!("{calls} calls; ideal {ideal} s"),
    );
    let note = "processor time of a turn";
    line("batch.cpu", cpu * 1e3 / f64::from(calls), "ms", note);
    let note = format!("peak memory, each of {} running debates", most.0);
    line("batch.memory", (peak - before) / most.0 as f64, "kB", &note);
}

/// The most debates that ran at once.
#[derive(Debug, Default)]
struct Most(usize);

impl Notes for Most {
    fn note(&mut self, _: &str) {}

    fn warn(&mut self, warning: &str) {
        eprintln!("{warning}");
    }
}

impl Watcher for Most {
    fn on_progress(&mut self, progress: &Progress) {
        self.0 = self.0.max(progress.running);
    }

    fn on_result(&mut self, _: &BatchResult) {}
}

/// Returns the processor time of this process so far. The kernel counts it in hundredths.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = text.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.map(|it| it.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

fn status(field: &str) -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn resident() -> f64 {
    status("VmRSS:")
}

fn peak() -> f64 {
    status("VmHWM:")
}
