//! Runs many debates at once in memory, with tools that take a fixed time.

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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (table, _) = scripted::table(LATENCY, Arc::new(agon_proc::Unwatched));
    let before = resident();
    let started = Instant::now();
    let calls = runtime.block_on(async {
        let debates = (0..DEBATES).map(|_| async {
            let mut host = MemoryHost::open(spec());
            run_debate(&mut host, &table, &mut Unwatched, &CancellationToken::new())
                .await
                .unwrap();
            assert!(host.state().closed.is_some());
            host.state().spent.calls
        });
        join_all(debates).await.iter().sum::<u32>()
    });
    let wall = started.elapsed().as_secs_f64();
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
        &format!("{calls} calls; ideal {ideal} s"),
    );
    let each = (peak() - before) / f64::from(DEBATES);
    line(
        "many.memory",
        each,
        "kB",
        "peak resident memory, each debate",
    );
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
