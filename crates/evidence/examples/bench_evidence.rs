//! Measures the quality and speed of citation look-ups: true and planted false citations in real
//! repositories, and a thousand citations against ten thousand files.
//!
//! `AGON_EVIDENCE_REPOS` names folders with source code, separated by `:`; without it that part is
//! skipped. The tables are printed to standard error, the figures to standard output.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    reason = "a benchmark prints what it measured, in repositories it makes with git"
)]

#[path = "tables/plant.rs"]
mod plant;
#[path = "tables/scale.rs"]
mod scale;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agon_evidence::{PinLimits, Resolver, Source};
use agon_record::stamp::{StampKind, Stamped};
use plant::{Asked, Expected, Planted};

fn main() {
    scale::run();
    let Ok(repos) = std::env::var("AGON_EVIDENCE_REPOS") else {
        eprintln!("skipped: AGON_EVIDENCE_REPOS names no folders with source code");
        return;
    };
    let mut all = Vec::new();
    let mut spent = Duration::ZERO;
    for folder in repos.split(':') {
        let (outcomes, took) = measured(Path::new(folder));
        eprintln!("{folder}");
        eprintln!("{}", table(&outcomes));
        spent += took;
        all.extend(outcomes);
    }
    eprintln!("all\n{}", table(&all));
    summary(&all, spent);
}

/// A planted citation and its stamp.
type Outcome = (Planted, StampKind);

/// Plants citations in a copy of a folder under git, and looks them up.
fn measured(folder: &Path) -> (Vec<Outcome>, Duration) {
    let copy = tempfile::tempdir().unwrap();
    let at = copy.path().join("copy");
    let status = Command::new("cp").arg("-r").arg(folder).arg(&at).status();
    assert!(status.unwrap().success());
    git(&at, &["init", "--quiet"]);
    git(&at, &["add", "--all", "--force"]);
    git(&at, &["commit", "--quiet", "-m", "one"]);
    let old = git(&at, &["rev-parse", "HEAD"]).trim().to_owned();
    let started = Instant::now();
    let source = Source::pin_tree(&at, &PinLimits::default()).unwrap();
    eprintln!(
        "pinned {} files in {:.0} ms",
        source.manifest().entries.len(),
        started.elapsed().as_secs_f64() * 1e3
    );
    let planted = plant::plant(&at, &source, &old);
    let mut resolver = Resolver::new(&source);
    let started = Instant::now();
    let stamps: Vec<StampKind> = planted
        .iter()
        .map(|it| looked_up(&mut resolver, it))
        .collect();
    let took = started.elapsed();
    (planted.into_iter().zip(stamps).collect(), took)
}

fn looked_up(resolver: &mut Resolver<'_>, planted: &Planted) -> StampKind {
    let stamp = match &planted.asked {
        Asked::Citation(citation) => resolver.resolve(citation),
        Asked::Ground(ground) => {
            let stamps: Vec<Stamped> = resolver.resolve_ground(ground);
            stamps.into_iter().next().unwrap().stamp
        }
    };
    if std::env::var_os("AGON_EVIDENCE_SHOW").is_some() && !planted.expected.is(stamp.kind()) {
        eprintln!("{}: {:?}\n  {stamp}", planted.form, planted.asked);
    }
    stamp.kind()
}

/// The numbers of stamps for each form.
fn table(outcomes: &[Outcome]) -> String {
    let mut rows: BTreeMap<(Expected, &str), [usize; StampKind::ALL.len()]> = BTreeMap::new();
    for (planted, kind) in outcomes {
        let row = rows.entry((planted.expected, planted.form)).or_default();
        let column = StampKind::ALL.iter().position(|it| it == kind).unwrap();
        row[column] += 1;
    }
    let mut out = format!("{:9} {:34}", "planted", "form");
    for kind in StampKind::ALL {
        out += &format!("{:>12}", kind.name());
    }
    for ((expected, form), row) in rows {
        out += &format!("\n{:9} {form:34}", expected.name());
        for count in row {
            out += &format!("{count:>12}");
        }
    }
    out + "\n"
}

fn summary(outcomes: &[Outcome], spent: Duration) {
    let count = |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|it| is(it)).count() as f64;
    let is_true = |it: &Outcome| matches!(it.0.expected, Expected::Found | Expected::Place);
    let true_ones = count(&is_true);
    let moved_ones = count(&|it| it.0.expected == Expected::Moved);
    let false_ones = count(&|it| it.0.expected == Expected::False);
    let hit = count(&|it| is_true(it) && it.0.expected.is(it.1));
    let moved = count(&|it| it.0.expected == Expected::Moved && it.1 == StampKind::Moved);
    let found = count(&|it| matches!(it.1, StampKind::Found | StampKind::Place));
    figure(
        "evidence.true",
        true_ones + moved_ones,
        "",
        "citations that hold, moved ones with them",
    );
    figure("evidence.false", false_ones, "", "planted ones that do not");
    figure(
        "evidence.recall",
        100.0 * hit / true_ones,
        "%",
        "of the true ones, found as what they are",
    );
    figure(
        "evidence.precision",
        100.0 * hit / found,
        "%",
        "of the found ones and of the bare places, true",
    );
    figure(
        "evidence.moved",
        100.0 * moved / moved_ones,
        "%",
        "of those a few lines off, moved",
    );
    let each = spent.as_secs_f64() * 1e6 / outcomes.len() as f64;
    figure(
        "evidence.each",
        each,
        "us",
        "one citation, first reads and the index with it",
    );
}

fn figure(name: &str, value: f64, unit: &str, note: &str) {
    let line = serde_json::json!({"name": name, "value": value, "unit": unit, "note": note});
    println!("{line}");
}

fn git(at: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(args)
        .current_dir(at)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}");
    String::from_utf8(output.stdout).unwrap()
}
