//! Measures the server with many debates and many open pages, as `cargo xtask bench web` prints it.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use agon_caller::Caller;
use agon_folder::Folder;
use agon_samples::batches::{AT, batches, spec};
use agon_store::RealDisk;
use agon_web::{Server, WebOptions};
use tokio_util::sync::CancellationToken;

/// The number of debates in the list.
const DEBATES: u32 = 1_000;
/// The number of open pages of one debate.
const PAGES: usize = 200;
/// How often a page is loaded; the middle time counts.
const LOADS: usize = 5;

fn main() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join("project");
    let debates = project.join("debates");
    std::fs::create_dir_all(&debates).unwrap();
    let client = Client::start(home.path(), &project);
    client.get("/");
    let before = resident();
    line(
        "web.idle_memory",
        before / 1024.0,
        "MB",
        "after the first page, limit 30",
    );
    let busy = cpu_seconds();
    sleep(Duration::from_secs(5));
    let idle = (cpu_seconds() - busy) * 1_000.0 / 5.0;
    line(
        "web.idle_cpu",
        idle,
        "ms/s",
        "without an open page, limit 0",
    );

    for nth in 0..DEBATES {
        create(&debates, &format!("debate-{nth:04}"), batches().len());
    }
    client.get("/");
    let list = middle(|| client.get("/"));
    line(
        "web.list",
        list,
        "ms",
        "the page of 1,000 debates, limit 300",
    );

    // All but the last two steps, so that there are two events to come.
    let known = batches().len() - 2;
    let mut live = create(&debates, "live", known);
    let page = middle(|| client.get("/debates/live"));
    line("web.debate", page, "ms", "the page of a short debate");

    let (sender, seen) = mpsc::channel();
    for _ in 0..PAGES {
        let stream = client.events("/debates/live/events");
        let sender = sender.clone();
        thread::spawn(move || {
            let lines = stream.lines().map_while(Result::ok);
            for line in lines.filter(|line| line.starts_with("id: ")) {
                if sender.send((line, Instant::now())).is_err() {
                    break;
                }
            }
        });
    }
    let wait_for = |seq: usize| -> Vec<Instant> {
        let wanted = format!("id: {seq}");
        let of_event = seen.iter().filter(|(line, _)| *line == wanted);
        of_event.take(PAGES).map(|(_, at)| at).collect()
    };
    wait_for(known + 1);
    let open = resident();
    let (begun, busy) = (Instant::now(), cpu_seconds());
    live.append(AT + 1, &batches()[known]).unwrap();
    let mut arrived = wait_for(known + 2);
    let cpu = (cpu_seconds() - busy) * 1_000.0;
    arrived.sort();
    let after = |at: &Instant| at.duration_since(begun).as_secs_f64() * 1_000.0;
    line(
        "web.event_first",
        arrived.first().map_or(0.0, after),
        "ms",
        "an event at the first of 200 pages, limit 100",
    );
    line(
        "web.event_last",
        arrived.last().map_or(0.0, after),
        "ms",
        "an event at the last of 200 pages, limit 250",
    );
    line(
        "web.event_cpu",
        cpu,
        "ms",
        "processor time of the event in all, with the 200 readers; limit 20",
    );
    line(
        "web.pages_memory",
        open / 1024.0,
        "MB",
        "with 200 open pages, and their readers; limit 100",
    );
}

/// Creates a debate with the first `count` steps of the sample.
fn create(debates: &Path, name: &str, count: usize) -> Folder {
    let mut spec = spec();
    name.clone_into(&mut spec.slug);
    let mut folder = Folder::create(Arc::new(RealDisk), debates, name, spec, AT).unwrap();
    for batch in &batches()[..count] {
        folder.append(AT + 1, batch).unwrap();
    }
    folder
}

/// A client of a server in a thread of this process.
struct Client {
    host: String,
    key: String,
}

impl Client {
    fn start(home: &Path, project: &Path) -> Self {
        let vars = BTreeMap::from([("HOME".into(), home.as_os_str().to_owned())]);
        let caller = Caller::new(vars, project);
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let options = WebOptions {
                    port: Some(0),
                    ..WebOptions::default()
                };
                let server = Server::bind(caller, options).await.unwrap();
                sender.send(server.address()).unwrap();
                server.serve(CancellationToken::new()).await;
            });
        });
        let address = receiver.recv().unwrap();
        let (origin, key) = address.split_once("/?key=").unwrap();
        Self {
            host: origin.trim_start_matches("http://").to_owned(),
            key: key.to_owned(),
        }
    }

    fn send(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let (host, key) = (&self.host, &self.key);
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\
             Accept: text/html\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    fn get(&self, path: &str) {
        let mut reply = Vec::new();
        self.send(path).read_to_end(&mut reply).unwrap();
        assert!(reply.starts_with(b"HTTP/1.1 200"), "{path}");
    }

    fn events(&self, path: &str) -> BufReader<TcpStream> {
        BufReader::new(self.send(path))
    }
}

/// Returns the middle of the times that `act` takes, in milliseconds.
fn middle(act: impl Fn()) -> f64 {
    let times = (0..LOADS).map(|_| {
        let begun = Instant::now();
        act();
        begun.elapsed().as_secs_f64() * 1_000.0
    });
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    times[LOADS / 2]
}

fn line(name: &str, value: f64, unit: &str, note: &str) {
    let line = serde_json::json!({"name": name, "value": value, "unit": unit, "note": note});
    println!("{line}");
}

/// Returns the processor time of this process so far. The kernel counts it in hundredths.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = text.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.map(|it| it.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// Returns the resident memory of this process, in kilobytes.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}
