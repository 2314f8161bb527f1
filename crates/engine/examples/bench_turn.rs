//! Measures what the engine adds to a turn: a synced folder on disk, and tools that answer at once.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

#[path = "../tests/scripted/mod.rs"]
mod scripted;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use agon_engine::host::{FolderHost, Host};
use agon_engine::observer::Unwatched;
use agon_engine::run::run_debate;
use agon_store::RealDisk;
use scripted::spec;
use tokio_util::sync::CancellationToken;

const DEBATES: usize = 20;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let parent = tempfile::tempdir_in(".").unwrap();
    let mut each = Vec::new();
    for _ in 0..DEBATES {
        let disk = Arc::new(RealDisk);
        let mut host = FolderHost::create(disk, parent.path(), spec(), now_ms).unwrap();
        let (table, asked) = scripted::table(Duration::ZERO, host.process_watch());
        let cancel = CancellationToken::new();
        let started = Instant::now();
        runtime
            .block_on(run_debate(&mut host, &table, &mut Unwatched, &cancel))
            .unwrap();
        assert!(host.state().closed.is_some());
        let turns = asked.lock().unwrap().len();
        each.push(started.elapsed().as_secs_f64() * 1e3 / turns as f64);
    }
    each.sort_by(f64::total_cmp);
    let line = |name: &str, value: f64, note: &str| {
        println!(
            "{}",
            serde_json::json!({"name": name, "value": value, "unit": "ms", "note": note})
        );
    };
    line(
        "turn.median",
        each[DEBATES / 2],
        "a turn, all recorded and synced; the tool takes no time",
    );
    line("turn.worst", each[DEBATES - 1], "the slowest debate's mean");
    line(
        "turn.floor",
        floor(parent.path()),
        "two synced appends of 2 KiB on this disk",
    );
}

/// Returns the time that the disk needs for the minimum that a turn must sync.
fn floor(parent: &std::path::Path) -> f64 {
    use std::io::Write;
    let mut file = std::fs::File::create(parent.join("floor")).unwrap();
    let mut each = Vec::new();
    for _ in 0..100 {
        let started = Instant::now();
        for _ in 0..2 {
            file.write_all(&[b'x'; 2048]).unwrap();
            file.sync_data().unwrap();
        }
        each.push(started.elapsed().as_secs_f64() * 1e3);
    }
    each.sort_by(f64::total_cmp);
    each[50]
}

fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_millis() as u64
}
