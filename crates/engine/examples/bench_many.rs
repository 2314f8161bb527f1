//! Runs many debates at once in memory, on every processor, with tools that take a fixed time.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

#[path = "../tests/scripted/mod.rs"]
mod scripted;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_engine::host::{Host, MemoryHost};
use agon_engine::observer::Unwatched;
use agon_engine::run::run_debate;
use futures_util::future::join_all;
use scripted::spec;
use tokio_util::sync::CancellationToken;

const DEBATES: u32 = 1_000;
const LATENCY: Duration = Duration::from_millis(100);

fn main() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .unwrap();
    let (table, _) = scripted::table(LATENCY, Arc::new(agon_proc::Unwatched));
    let before = resident();
    let (started, begun) = (Instant::now(), cpu_seconds());
    let calls = runtime.block_on(async {
        let debates = (0..DEBATES).map(|_| {
            let table = table.clone();
            tokio::spawn(async move {
                let mut host = MemoryHost::open(spec());
                run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
                    .await
                    .unwrap();
                assert!(host.state().closed.is_some());
                host
            })
        });
        // Keeps every debate until the last one ends, so that the memory is that of all of them.
        let hosts = join_all(debates).await;
        let hosts = hosts.into_iter().map(Result::unwrap);
        let hosts: Vec<_> = hosts.collect();
        hosts
            .iter()
            .map(|host| host.state().spent.calls)
            .sum::<u32>()
    });
    let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_seconds() - begun);
    // Two simultaneous blind answers, four turns, one verdict.
    let ideal = LATENCY.as_secs_f64() * 6.0;
    let line = |name: &str, value: f64, unit: &str, note: &str| {
        println!(
            "{}",
            serde_json::json!({"name": name, "value": value, "unit": unit, "note": note})
        );
    };
    line(
        "many.ideal",
        100.0 * ideal / wall,
        "%",
        "1,000 duels at once, 100 ms a call; of ideal",
    );
    line(
        "many.wall",
        wall,
        "s",
        &format!("{calls} calls on {threads} threads; ideal {ideal} s"),
    );
    line(
        "many.cpu",
        cpu * 1e3 / f64::from(calls),
        "ms",
        "processor time of a turn",
    );
    let each = (peak() - before) / f64::from(DEBATES);
    line(
        "many.memory",
        each,
        "kB",
        "peak resident memory, each debate",
    );
}

/// Returns the processor time of this process so far. The kernel counts it in hundredths.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = text.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.map(|it| it.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

fn status(field: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn resident() -> f64 {
    status("VmRSS:")
}

fn peak() -> f64 {
    status("VmHWM:")
}
