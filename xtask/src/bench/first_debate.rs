//! Measures the debate of a user without any AI tool: the built-in model on twenty topics, with the
//! program built as in the README.
//!
//! The figures come from the journals and from rules in this module, so that the program does not
//! judge itself. Transcripts are written to `target/bench-first-debate`.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use wait4::Wait4;

use super::Figure;
use crate::workspace;

mod spoken;

use spoken::Spoken;

/// Names another file of topics, one per line.
const TOPICS: &str = "AGON_BENCH_TOPICS";

/// The twenty topics for which the interview's questions were written.
const OWN_TOPICS: &str = include_str!("first_debate/topics.txt");

// A newcomer waits about a minute before suspecting a hang.
/// Maximum duration of a debate, in seconds.
const MAX_SECONDS: f64 = 60.0;

// Allows one off-topic sentence in twenty. With more, the debate is about something else.
/// Minimum percentage of sentences that contain a word of the topic.
const MIN_ON_TOPIC: f64 = 95.0;

/// The result for one topic.
struct Debate {
    topic: String,
    spoken: Spoken,
    seconds: f64,
    cpu_seconds: f64,
    code: Option<i32>,
}

pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let build = [
        "build",
        "--quiet",
        "--locked",
        "-p",
        "agon",
        "--features",
        "local-model",
    ];
    workspace::stdout_of(workspace::cargo(metadata, &build).stderr(Stdio::inherit()))?;
    let target = metadata.target_directory.clone().into_std_path_buf();
    let Some(models) = crate::model::prepare(metadata)? else {
        bail!("the small model is missing");
    };
    let topics = match env::var_os(TOPICS) {
        Some(path) => fs::read_to_string(&path).with_context(|| format!("cannot read {path:?}"))?,
        None => OWN_TOPICS.to_owned(),
    };
    let folder = target.join("bench-first-debate");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let program = target.join("debug/agon");
    let topics = topics.lines().map(str::trim);
    let topics = topics.filter(|topic| !topic.is_empty() && !topic.starts_with('#'));
    let mut debates = Vec::new();
    for (nth, topic) in (1..).zip(topics) {
        let debate = hold_debate(&program, &models, &folder, (nth, topic))?;
        println!("{}", debate.report());
        debates.push(debate);
    }
    if debates.is_empty() {
        bail!("no topics given");
    }
    Ok(table(&debates))
}

fn hold_debate(
    program: &Path,
    models: &Path,
    folder: &Path,
    (nth, topic): (usize, &str),
) -> Result<Debate> {
    let slug = format!("t{nth:02}");
    let home = folder.join("home");
    fs::create_dir_all(&home)?;
    let begun = Instant::now();
    let child = Command::new(program)
        .args(["debate", topic, "--slug", &slug, "--json"])
        .current_dir(folder)
        // Hides all AI tools and the user's own files from the debate.
        .env_clear()
        .env("PATH", &home)
        .env("HOME", &home)
        .env("AGON_MODELS_DIR", models)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.join(format!("{slug}.err")))?)
        .spawn()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let used = child.wait4().context("cannot wait for it")?;
    let cpu = used.rusage.utime + used.rusage.stime;
    let journal = folder
        .join("debates")
        .join(&slug)
        .join(".agon/journal.jsonl");
    Ok(Debate {
        topic: topic.to_owned(),
        spoken: Spoken::read(&journal).unwrap_or_default(),
        seconds: begun.elapsed().as_secs_f64(),
        cpu_seconds: cpu.as_secs_f64(),
        code: used.status.code(),
    })
}

impl Debate {
    /// Returns whether it reached a verdict, with two named and different sides.
    fn has_sides(&self) -> bool {
        matches!(self.code, Some(0 | 7)) && self.spoken.has_two_sides()
    }

    fn off_topic(&self) -> Vec<&String> {
        let sentences = self.spoken.sentences.iter();
        sentences
            .filter(|text| !self.spoken.is_on_topic(&self.topic, text))
            .collect()
    }

    /// The sentences, each with its faults before it.
    fn report(&self) -> String {
        let mut out = format!(
            "\n== {} (exit {:?}, {:.1} s, {:.1} s of processor time)\n",
            self.topic, self.code, self.seconds, self.cpu_seconds
        );
        out += &format!("   {} | {}\n", self.spoken.sides[0], self.spoken.sides[1]);
        for text in &self.spoken.sentences {
            let foreign = spoken::has_foreign_word(&self.topic, text);
            let mark = match (self.spoken.is_on_topic(&self.topic, text), foreign) {
                (_, true) => "!!",
                (false, _) => "??",
                _ => "  ",
            };
            out += &format!("{mark} {text}\n");
        }
        out
    }
}

fn table(debates: &[Debate]) -> Vec<Figure> {
    let all = debates.len() as f64;
    let count =
        |holds: &dyn Fn(&Debate) -> bool| debates.iter().filter(|it| holds(it)).count() as f64;
    let clean = |debate: &Debate| {
        let mut texts = debate.spoken.sentences.iter();
        !texts.any(|text| spoken::has_foreign_word(&debate.topic, text))
    };
    let sentences: usize = debates.iter().map(|it| it.spoken.sentences.len()).sum();
    let off: usize = debates.iter().map(|it| it.off_topic().len()).sum();
    let composed: usize = debates
        .iter()
        .map(|it| it.spoken.sentences_without_answer().len())
        .sum();
    let slowest = debates.iter().map(|it| it.seconds).fold(0.0, f64::max);
    let cpu: f64 = debates.iter().map(|it| it.cpu_seconds).sum();
    let most_cpu = debates.iter().map(|it| it.cpu_seconds).fold(0.0, f64::max);
    let row = |name: &str, value: f64, unit: &str, note: String| Figure {
        name: format!("first debate: {name}"),
        value,
        unit: unit.to_owned(),
        note,
    };
    let on_topic = 100.0 * (sentences - off) as f64 / (sentences.max(1)) as f64;
    vec![
        row(
            "sides named and different",
            count(&Debate::has_sides),
            "debates",
            format!("of {all}"),
        ),
        row(
            "no word of instructions, JSON or roles",
            count(&clean),
            "debates",
            format!("of {all}"),
        ),
        row(
            "sentences on the topic",
            on_topic,
            "%",
            format!("floor {MIN_ON_TOPIC} %, of {sentences}"),
        ),
        row(
            "sentences that no reply has",
            composed as f64,
            "",
            "limit 0".to_owned(),
        ),
        row("slowest", slowest, "s", format!("limit {MAX_SECONDS} s")),
        row("most processor time", most_cpu, "s", String::new()),
        row("processor time", cpu / all, "s", "on average".to_owned()),
    ]
}
