//! Extensions and acceptance.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use agon_argue::format::i23;
use agon_argue::{Af, ArgId, Mode, Reasoner, Semantics};
use serde_json::{Value, json};

use super::{Random, Tally, ask_python, named};

/// The semantics that the competitions' solver supports.
const COMPETED: [Semantics; 7] = [
    Semantics::Grounded,
    Semantics::Complete,
    Semantics::Preferred,
    Semantics::Stable,
    Semantics::SemiStable,
    Semantics::Stage,
    Semantics::Ideal,
];

fn random_af(random: &mut Random, most: u64) -> Af {
    let n = 1 + random.below(most);
    let attacks_each = 1 + random.below(4);
    let loops = random.below(3) == 0;
    let attacks: Vec<(u32, u32)> = (0..n * attacks_each)
        .map(|_| (random.below(n.into()), random.below(n.into())))
        .filter(|(from, to)| loops || from != to)
        .collect();
    Af::new(n as usize, &attacks).unwrap()
}

fn all(af: &Af, semantics: Semantics) -> BTreeSet<Vec<u32>> {
    let reasoner = Reasoner::new(af);
    let found = reasoner.extensions(semantics).unwrap();
    found.map(|it| numbers(&it.unwrap())).collect()
}

fn numbers(set: &[ArgId]) -> Vec<u32> {
    set.iter().map(|a| a.0).collect()
}

#[test]
fn every_extension_and_every_answer_is_that_of_the_solver_of_the_competitions() {
    let Some(scalop) = named("PEER_SCALOP") else {
        return;
    };
    let mut random = Random(1);
    let place = folder();
    let work: Vec<(usize, Af, ArgId)> = (0..300)
        .map(|at| {
            let af = random_af(&mut random, 24);
            let asked = ArgId(random.below(af.len() as u64));
            (at, af, asked)
        })
        .collect();
    let (tally, work) = (Mutex::new(Tally::default()), Mutex::new(work.into_iter()));
    // The solver sleeps before it starts, so many run in parallel.
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                loop {
                    let next = work.lock().unwrap().next();
                    let Some((at, af, asked)) = next else { break };
                    let file = place.join(format!("{at}.af"));
                    fs::write(&file, i23::write(&af)).unwrap();
                    let case = Case { af, asked, file };
                    for semantics in COMPETED {
                        compare(&scalop, &case, semantics, &tally);
                    }
                    fs::remove_file(case.file).unwrap();
                }
            });
        }
    });
    fs::remove_dir(place).unwrap();
    tally.into_inner().unwrap().report("scalop");
}

/// A framework in a file, and the argument in question.
struct Case {
    af: Af,
    asked: ArgId,
    file: PathBuf,
}

impl Case {
    fn ask(&self, scalop: &Path, task: &str, semantics: Semantics) -> (String, String) {
        let problem = format!("{task}-{}", semantics.iccma_code());
        let mut command = Command::new(scalop);
        command.args(["solve", "--logging-level", "off", "-p", &problem, "-f"]);
        command.arg(&self.file);
        if task != "SE" {
            command.args(["-a", &(self.asked.0 + 1).to_string()]);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{problem} {:?}", self.af);
        (problem, String::from_utf8(output.stdout).unwrap())
    }
}

fn compare(scalop: &Path, case: &Case, semantics: Semantics, tally: &Mutex<Tally>) {
    let Case { af, asked, .. } = case;
    let extensions = all(af, semantics);
    let (problem, said) = case.ask(scalop, "SE", semantics);
    let same = match said.trim().strip_prefix('w') {
        Some(members) => {
            let members = members.split_whitespace();
            let mut set: Vec<u32> = members.map(|it| it.parse::<u32>().unwrap() - 1).collect();
            set.sort_unstable();
            extensions.contains(&set)
        }
        None => said.trim() == "NO" && extensions.is_empty(),
    };
    let mut checks = vec![(problem, same, said)];
    for (task, mode) in [("DC", Mode::Credulous), ("DS", Mode::Skeptical)] {
        let reasoner = Reasoner::new(af);
        let ours = reasoner
            .decide_acceptance(semantics, mode, *asked)
            .unwrap()
            .accepted;
        let (problem, said) = case.ask(scalop, task, semantics);
        let theirs = said.lines().next().unwrap_or_default() == "YES";
        checks.push((problem, ours == theirs, said));
    }
    let mut tally = tally.lock().unwrap();
    for (problem, same, said) in checks {
        tally.compare(&problem, same, || format!("{asked:?} {said:?} of {af:?}"));
    }
}

#[test]
fn the_lists_of_extensions_are_those_of_the_python_packages() {
    let Some(python) = named("PEER_PYTHON") else {
        return;
    };
    let mut random = Random(2);
    let afs: Vec<Af> = (0..400).map(|_| random_af(&mut random, 8)).collect();
    let questions: Vec<Value> = afs
        .iter()
        .map(|af| {
            let attacks: Vec<[u32; 2]> = af.attacks().map(|(from, to)| [from.0, to.0]).collect();
            json!({ "task": "extensions", "n": af.len(), "attacks": attacks })
        })
        .collect();
    let mut tally = Tally::default();
    for (af, answer) in afs.iter().zip(ask_python(&python, &questions)) {
        for (peer, by_code) in answer.as_object().unwrap() {
            for (code, theirs) in by_code.as_object().unwrap() {
                let semantics: Semantics = code.parse().unwrap();
                let theirs: Vec<Vec<u32>> = serde_json::from_value(theirs.clone()).unwrap();
                let theirs: BTreeSet<Vec<u32>> = theirs.into_iter().collect();
                let ours = all(af, semantics);
                let task = format!("{peer} EE-{code}");
                // This solver is known to return only some of the semi-stable extensions.
                if peer == "pygarg" && code == "SST" && ours != theirs && theirs.is_subset(&ours) {
                    *tally.known.entry(task).or_default() += 1;
                    continue;
                }
                tally.compare(&task, ours == theirs, || {
                    format!("{theirs:?} and ours {ours:?} of {af:?}")
                });
            }
        }
    }
    tally.report("python");
}

/// A temporary folder for the files that the other solvers read.
fn folder() -> PathBuf {
    let place =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("peers-{}", std::process::id()));
    fs::create_dir_all(&place).unwrap();
    place
}
