//! Compares `agon ops` with the Python tool that it replaces, as whole processes on the same
//! inputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use serde_json::{Value, json};
use wait4::Wait4;

use super::Figure;
use crate::workspace;

/// The exchanges at which a step is measured.
const AT: [u16; 3] = [1, 50, 400];
/// Number of alternating measurements of each kind of step.
const RUNS: usize = 11;
/// Names the folder with the other tool's package `debate_ops`; without it only Agon is measured.
const PEER: &str = "PEER_DEBATE_OPS";
/// Names the Python that runs it.
const PYTHON: &str = "PEER_PYTHON";

/// Measures both steps of an exchange.
pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let build = ["build", "--release", "--quiet", "--locked", "-p", "agon"];
    workspace::stdout_of(workspace::cargo(metadata, &build).stderr(Stdio::inherit()))?;
    let place = metadata
        .target_directory
        .join("bench-ops")
        .into_std_path_buf();
    if place.exists() {
        fs::remove_dir_all(&place).context("cannot clear the last benchmark")?;
    }
    fs::create_dir_all(&place)?;
    let bench = Bench {
        agon: metadata
            .target_directory
            .join("release/agon")
            .into_std_path_buf(),
        peer: std::env::var_os(PEER).map(PathBuf::from),
        place,
    };
    if bench.peer.is_none() {
        eprintln!("  {PEER} is not set: only agon is measured");
    }
    bench.run()
}

struct Bench {
    agon: PathBuf,
    peer: Option<PathBuf>,
    place: PathBuf,
}

/// The wall time and the CPU time of a step.
#[derive(Clone, Copy)]
struct Took {
    wall: Duration,
    cpu: Duration,
}

impl Bench {
    fn run(&self) -> Result<Vec<Figure>> {
        let motion = [
            "new",
            "d",
            "--motion",
            "This house would keep its jobs in one file.",
        ];
        let made = Command::new(&self.agon)
            .args(motion)
            .args(["--debates-dir", "."])
            .current_dir(&self.place)
            .stdout(Stdio::null())
            .status()?;
        if !made.success() {
            bail!("`agon new` failed with {made}");
        }
        let mut figures = Vec::new();
        let mut first: [Option<f64>; 2] = [None, None];
        let mut next = 0;
        for at in AT {
            while next < at {
                self.run_agon("d", &Step::Exchange(next))?;
                self.run_agon("d", &Step::Judgment(next))?;
                next += 1;
            }
            let start = self.place.join("d");
            let exchange = self.measure(&start, &Step::Exchange(at))?;
            let argued = self.place.join("argued");
            copy(&start, &argued)?;
            self.run_agon("argued", &Step::Exchange(at))?;
            let judgment = self.measure(&argued, &Step::Judgment(at))?;
            fs::remove_dir_all(&argued)?;
            for (kind, (name, measured)) in
                [("process-exchange", exchange), ("process-judge", judgment)]
                    .into_iter()
                    .enumerate()
            {
                let ours = measured.ours;
                let before = *first[kind].get_or_insert(ours);
                let grown = format!("{:.2}× exchange {}", ours / before, AT[0]);
                figures.push(figure(&format!("{name} at {at}: wall"), ours, "ms", grown));
                figures.push(figure(
                    &format!("{name} at {at}: cpu"),
                    measured.ours_cpu,
                    "ms",
                    String::new(),
                ));
                if let Some((peer, cpu)) = measured.peer {
                    let note = format!(
                        "peer {peer:.1} ms; cpu {:.0}× of {cpu:.1} ms",
                        cpu / measured.ours_cpu
                    );
                    figures.push(figure(
                        &format!("{name} at {at}: peer against ours"),
                        peer / ours,
                        "×",
                        note,
                    ));
                }
            }
        }
        Ok(figures)
    }

    fn measure(&self, start: &Path, step: &Step) -> Result<Measured> {
        let (mut ours, mut peers) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let run = self.place.join("run");
            copy(start, &run)?;
            ours.push(self.run_agon("run", step)?);
            fs::remove_dir_all(&run)?;
            if let Some(peer) = &self.peer {
                copy(start, &run)?;
                fs::remove_dir_all(run.join(".agon"))?;
                peers.push(self.run_peer(peer, step)?);
                fs::remove_dir_all(&run)?;
            }
        }
        let peer =
            (!peers.is_empty()).then(|| (median(&peers, |t| t.wall), median(&peers, |t| t.cpu)));
        Ok(Measured {
            ours: median(&ours, |took| took.wall),
            ours_cpu: median(&ours, |took| took.cpu),
            peer,
        })
    }

    fn run_agon(&self, debate: &str, step: &Step) -> Result<Took> {
        let mut command = Command::new(&self.agon);
        command.arg("ops");
        self.step(command, debate, step)
    }

    fn run_peer(&self, peer: &Path, step: &Step) -> Result<Took> {
        let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
        let mut command = Command::new(python);
        command.args(["-m", "debate_ops"]).env("PYTHONPATH", peer);
        self.step(command, "run", step)
    }

    /// Runs one step in its own process.
    fn step(&self, mut command: Command, debate: &str, step: &Step) -> Result<Took> {
        for (name, content) in step.inputs() {
            fs::write(self.place.join(name), content.to_string())?;
        }
        command.args(step.args(debate)).current_dir(&self.place);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let began = Instant::now();
        let used = command.spawn()?.wait4()?;
        let wall = began.elapsed();
        if !used.status.success() {
            bail!("{command:?} failed with {}", used.status);
        }
        let cpu = used.rusage.utime + used.rusage.stime;
        Ok(Took { wall, cpu })
    }
}

struct Measured {
    ours: f64,
    ours_cpu: f64,
    peer: Option<(f64, f64)>,
}

/// A step with its exchange.
pub(super) enum Step {
    Exchange(u16),
    Judgment(u16),
}

impl Step {
    pub(super) fn args(&self, debate: &str) -> Vec<String> {
        let words: Vec<String> = match self {
            Self::Exchange(at) => {
                vec!["process-exchange".into(), debate.into(), at.to_string()]
            }
            Self::Judgment(_) => vec!["process-judge".into(), debate.into()],
        };
        let files = match self {
            Self::Exchange(_) => &["--prop-file", "prop.json", "--opp-file", "opp.json"][..],
            Self::Judgment(_) => &["--json-file", "judge.json"],
        };
        words
            .into_iter()
            .chain(files.iter().map(|&word| word.to_owned()))
            .collect()
    }

    pub(super) fn inputs(&self) -> Vec<(&'static str, Value)> {
        match *self {
            Self::Exchange(at) => vec![
                ("prop.json", arguments_json("prop", at)),
                ("opp.json", arguments_json("opp", at)),
            ],
            Self::Judgment(at) => vec![("judge.json", scores(at))],
        }
    }
}

fn arguments_json(us: &str, at: u16) -> Value {
    let argument = |title: &str| {
        json!({
            "title": title,
            "claim": "The store should keep its jobs where two writers cannot lose one.",
            "grounds": [
                { "source": "Incident review of March", "relevance": "It shows the loss at the place in question.",
                  "content": "Two workers took the same job after a rename raced with a lease, and both ran it to its end." },
                { "source": "Load test of April", "relevance": "It shows how often that happens.",
                  "content": "Under forty workers the race came up eleven times in an hour of steady load." },
            ],
            "warrant": "What can lose work once under load will lose it again.",
            "backing": "Every queue of this kind has met the same race.",
            "qualifier": "With more than one writer",
        })
    };
    if at == 0 {
        return json!([
            argument("One writer at a time suffices"),
            argument("Files are simple to inspect by hand"),
            argument("Backups are a copy of one folder"),
        ]);
    }
    let them = if us == "prop" { "opp" } else { "prop" };
    let before = |side: &str| match at {
        1 => format!("{side}_000a"),
        at => format!("{side}_{:03}", at - 1),
    };
    let mut said = argument("The race remains in every variant");
    said["attacks"] = json!([{ "target_id": before(them), "attack_type": "warrant_attack",
        "content": "The warrant assumes that one process writes, which the load test shows to be wrong." }]);
    said["defends"] = json!([{ "target_id": before(us), "defense_type": "reinforce",
        "content": "The later incident shows the same pattern on another host." }]);
    said
}

fn scores(at: u16) -> Value {
    let one = |id: String, score: f64| json!({ "argument_id": id, "score": score, "reasoning": "It meets the point that was made and shows it with a measured case." });
    let scores: Vec<_> = if at == 0 {
        [("prop", 0.1), ("opp", -0.1)]
            .into_iter()
            .flat_map(|(side, score)| {
                ["a", "b", "c"].map(|letter| one(format!("{side}_000{letter}"), score))
            })
            .collect()
    } else {
        vec![
            one(format!("prop_{at:03}"), 0.2),
            one(format!("opp_{at:03}"), -0.2),
        ]
    };
    let mut judgment = json!({ "scores": scores });
    if at > 0 {
        // Alternate between two scores, so that a score never leaves its range.
        let new = if at % 2 == 1 { 0.0 } else { 0.1 };
        judgment["rescores"] = json!([{ "argument_id": "prop_000b", "new_score": new,
            "reasoning": "The new argument carries part of it now." }]);
    }
    judgment
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

fn median(all: &[Took], of: impl Fn(&Took) -> Duration) -> f64 {
    let mut all: Vec<_> = all.iter().map(of).collect();
    all.sort_unstable();
    let middle = all.get(all.len() / 2);
    middle.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

fn figure(name: &str, value: f64, unit: &str, note: String) -> Figure {
    Figure {
        name: format!("ops {name}"),
        value,
        unit: unit.to_owned(),
        note,
    }
}
