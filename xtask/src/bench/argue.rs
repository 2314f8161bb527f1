//! Compares the argument graphs of `agon-argue` with other solvers, alternating on the same files.
//!
//! All times are CPU time: of whole processes, or of the thread for a phase within one. The other
//! solvers are named in environment variables and are optional; without one, only Agon's figures
//! appear.

mod process;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use serde_json::Value;

use self::process::{Ours, Python, Scalop, run};
use super::Figure;
use crate::workspace;

/// Number of measurements of each solver.
const ROUNDS: usize = 7;
/// Number of measurements for strengths, where the other solvers take many seconds.
const SLOW_ROUNDS: usize = 3;
/// Maximum difference between the sums of all strengths.
const MAX_SUM_DIFFERENCE: f64 = 1e-3;

/// Measures every task.
pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let build = [
        "build",
        "--release",
        "--quiet",
        "--locked",
        "-p",
        "agon-argue",
        "--examples",
    ];
    workspace::stdout_of(workspace::cargo(metadata, &build).stderr(Stdio::inherit()))?;
    let target = metadata.target_directory.clone().into_std_path_buf();
    let examples = target.join("release/examples");
    let place = target.join("bench-argue");
    fs::create_dir_all(&place)?;
    let bench = Bench {
        ours: Ours(examples.join("solve")),
        scalop: Scalop::named(),
        python: Python::named()?,
        place,
    };
    let mut figures = Vec::new();
    figures.extend(bench.grounded()?);
    for package in ["qbaf", "formal-argumentation"] {
        figures.extend(bench.df_quad(package)?);
    }
    figures.extend(bench.quadratic_energy()?);
    figures.extend(bench.stable()?);
    figures.extend(floor(&mut Command::new(examples.join("floor")))?);
    Ok(figures)
}

struct Bench {
    ours: Ours,
    scalop: Option<Scalop>,
    python: Option<Python>,
    place: PathBuf,
}

/// Times of one task in milliseconds, each list in order of the rounds.
#[derive(Default)]
struct Times {
    ours: Vec<f64>,
    peer: Vec<f64>,
}

impl Bench {
    fn instance(&self, name: &str, args: &[&str]) -> Result<PathBuf> {
        let file = self.place.join(name);
        eprintln!("  {name}");
        self.ours.generate(&file, args)?;
        Ok(file)
    }

    /// Measures whole processes, from the file to the extension.
    fn grounded(&self) -> Result<Vec<Figure>> {
        let file = self.instance("grounded.af", &["af", "100000", "10", "7"])?;
        let mut times = Times::default();
        for _ in 0..ROUNDS {
            let ours = self.ours.run(&["grounded"], &file, &[])?;
            times.ours.push(ours.cpu);
            if let Some(scalop) = &self.scalop {
                let theirs = scalop.run("SE-GR", &file, None)?;
                times.peer.push(theirs.cpu);
                if members(&ours.stdout) != members(&theirs.stdout) {
                    bail!("scalop reports another grounded extension");
                }
            }
        }
        let name = "grounded, n=100k m=1M, with reading";
        Ok(times.figures(name, "scalop", Scalop::HOW, Some(15.0)))
    }

    fn df_quad(&self, package: &str) -> Result<Vec<Figure>> {
        let file = self.instance("acyclic.bag", &["acyclic", "100000", "10", "7"])?;
        let [solve, whole] = self.strengths(package, "df-quad", &file, &[])?;
        let how = Python::install_hint(package);
        let goal = |it| (package == "qbaf").then_some(it);
        let name = "df-quad, acyclic, n=100k m=1M";
        let mut figures = solve.figures(&format!("{name}, solve"), package, &how, goal(200.0));
        figures.extend(whole.figures(
            &format!("{name}, build and solve"),
            package,
            &how,
            goal(100.0),
        ));
        Ok(figures)
    }

    fn quadratic_energy(&self) -> Result<Vec<Figure>> {
        let package = "formal-argumentation";
        let file = self.instance("cyclic.bag", &["cyclic", "10000", "10", "7"])?;
        let [solve, _] = self.strengths(package, "quadratic-energy", &file, &["1e-9"])?;
        let name = "quadratic energy, cyclic, n=10k m=100k, to 1e-9";
        Ok(solve.figures(name, package, &Python::install_hint(package), Some(100.0)))
    }

    /// Returns the times of solving, and of building the graph from a list of edges and solving it.
    fn strengths(
        &self,
        package: &str,
        semantics: &str,
        file: &Path,
        tolerance: &[&str],
    ) -> Result<[Times; 2]> {
        let (mut solve, mut whole) = (Times::default(), Times::default());
        let installed = |it: &&Python| it.packages.iter().any(|it| it == package);
        let python = self.python.as_ref().filter(installed);
        for _ in 0..SLOW_ROUNDS {
            let ran = self.ours.run(&["strength", semantics], file, tolerance)?;
            let solved = Ours::phase(&ran, "solve")?;
            solve.ours.push(solved);
            whole.ours.push(Ours::phase(&ran, "build")? + solved);
            if let Some(python) = python {
                let theirs = python.solve(package, semantics, file)?;
                solve.peer.push(theirs.solve);
                whole.peer.push(theirs.build + theirs.solve);
                let sum = ran.stdout.split_whitespace().nth(1);
                let ours: f64 = sum.context("no sum")?.parse()?;
                if (ours - theirs.sum).abs() > MAX_SUM_DIFFERENCE {
                    bail!(
                        "{package} reports a sum of {} instead of {ours}",
                        theirs.sum
                    );
                }
            }
        }
        Ok([solve, whole])
    }

    /// Compares one Agon process that answers for all arguments with one process per answer of the
    /// other solver.
    ///
    /// A round asks the other solver about only some of the arguments; its time is extrapolated to
    /// all.
    fn stable(&self) -> Result<Vec<Figure>> {
        const N: u32 = 200;
        let mut figures = Vec::new();
        for seed in ["7", "8", "9"] {
            let name = format!("stable-{seed}.af");
            let file = self.instance(&name, &["af", &N.to_string(), "10", seed])?;
            let mut times = Times::default();
            let (mut said, mut theirs) = (String::new(), [0, 0]);
            let mut spent = 0.0;
            for round in 0..ROUNDS as u32 {
                let ours = self.ours.run(&["accepted", "stable"], &file, &[])?;
                times.ours.push(ours.cpu);
                said = ours.stdout;
                let Some(scalop) = &self.scalop else { continue };
                for asked in (1..=N).filter(|it| it % ROUNDS as u32 == round) {
                    for (count, problem) in theirs.iter_mut().zip(["DC-ST", "DS-ST"]) {
                        let ran = scalop.run(problem, &file, Some(asked))?;
                        spent += ran.cpu;
                        *count += u32::from(ran.stdout.starts_with("YES"));
                    }
                }
            }
            if self.scalop.is_some() {
                times.peer.push(spent);
                let [credulous, skeptical] = theirs;
                let expected = format!("credulous {credulous} skeptical {skeptical}");
                if said.trim() != expected {
                    bail!("scalop answers {expected}, but Agon {}", said.trim());
                }
            }
            let name = format!("stable DC and DS of all, n=200 degree 10, seed {seed}");
            figures.extend(times.figures(&name, "400 × scalop", Scalop::HOW, Some(20.0)));
        }
        Ok(figures)
    }
}

fn members(witness: &str) -> Vec<&str> {
    let mut members: Vec<_> = witness.split_whitespace().collect();
    members.sort_unstable();
    members
}

/// Compares a synchronous step on 1M edges with the minimum possible on this machine; see the
/// example.
fn floor(example: &mut Command) -> Result<Vec<Figure>> {
    let measured: Value = serde_json::from_str(&run(example)?.stdout)?;
    let of = |name: &str, which: &str| {
        let value = measured.get(name).and_then(|it| it.get(which));
        value
            .and_then(Value::as_f64)
            .with_context(|| format!("no {which} of {name}"))
    };
    let mut figures = Vec::new();
    let mut ratios = Vec::new();
    for which in ["least", "median"] {
        let (stream, compute) = (of("stream", which)?, of("compute", which)?);
        ratios.push(of("ours", which)? / stream.max(compute));
        let note = format!(
            "stream {stream:.2} ms, compute in the first cache {compute:.2} ms; plain loop {:.2} ms",
            of("plain", which)?
        );
        figures.push(figure(
            &format!("step on 1M edges: ours, {which}"),
            of("ours", which)?,
            "ms",
            note,
        ));
    }
    let note = format!("of the medians {:.2}×; goal at most 3×", ratios[1]);
    figures.push(figure(
        "step on 1M edges: ours against the floor",
        ratios[0],
        "×",
        note,
    ));
    Ok(figures)
}

impl Times {
    fn figures(mut self, name: &str, peer: &str, how: &str, goal: Option<f64>) -> Vec<Figure> {
        for times in [&mut self.ours, &mut self.peer] {
            times.sort_by(f64::total_cmp);
        }
        let least = |times: &[f64]| times.first().copied().unwrap_or(0.0);
        let middle = |times: &[f64]| times.get(times.len() / 2).copied().unwrap_or(0.0);
        let spread = |times: &[f64]| format!("least {:.1} ms of {}", least(times), times.len());
        let (ours, theirs) = (&self.ours, &self.peer);
        if theirs.is_empty() {
            let note = format!("{}; not compared: {how}", spread(ours));
            return vec![figure(&format!("{name}: ours"), middle(ours), "ms", note)];
        }
        let goal = goal.map_or(String::new(), |goal| format!("; goal at least {goal}×"));
        let note = format!("of the least {:.1}×{goal}", least(theirs) / least(ours));
        let ratio = middle(theirs) / middle(ours);
        vec![
            figure(&format!("{name}: ours"), middle(ours), "ms", spread(ours)),
            figure(
                &format!("{name}: {peer}"),
                middle(theirs),
                "ms",
                spread(theirs),
            ),
            figure(&format!("{name}: {peer} against ours"), ratio, "×", note),
        ]
    }
}

fn figure(name: &str, value: f64, unit: &str, note: String) -> Figure {
    Figure {
        name: format!("argue {name}"),
        value,
        unit: unit.to_owned(),
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_set_against_ours_by_the_medians_and_by_the_least() {
        let times = Times {
            ours: vec![4.0, 2.0, 1.0],
            peer: vec![30.0, 10.0, 80.0],
        };
        let shown: Vec<_> = times
            .figures("task", "peer", "how", Some(15.0))
            .into_iter()
            .map(|it| (it.name, it.value, it.unit, it.note))
            .collect();
        let line = |name: &str, value, unit: &str, note: &str| {
            (name.to_owned(), value, unit.to_owned(), note.to_owned())
        };
        assert_eq!(
            shown,
            [
                line("argue task: ours", 2.0, "ms", "least 1.0 ms of 3"),
                line("argue task: peer", 30.0, "ms", "least 10.0 ms of 3"),
                line(
                    "argue task: peer against ours",
                    15.0,
                    "×",
                    "of the least 10.0×; goal at least 15×"
                ),
            ]
        );
    }

    #[test]
    fn without_the_peer_it_says_how_to_get_it() {
        let times = Times {
            ours: vec![2.0],
            peer: Vec::new(),
        };
        let figures = times.figures("task", "peer", "PEER names none", Some(15.0));
        let [only] = &figures[..] else {
            panic!("{figures:?}")
        };
        assert_eq!(
            only.note,
            "least 2.0 ms of 1; not compared: PEER names none"
        );
    }

    #[test]
    fn the_same_members_in_any_order_are_the_same_extension() {
        assert_eq!(members("w 3 1\n"), members("w 1 3"));
        assert_ne!(members("w 3 1\n"), members("w 1"));
    }
}
