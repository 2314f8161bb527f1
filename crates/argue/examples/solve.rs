//! Solves a graph from a file and reports the cost.
//!
//! ```text
//! solve grounded FILE.af              the grounded extension, as `w 1 3`
//! solve extensions SEMANTICS FILE.af  every extension, a line each
//! solve accepted SEMANTICS FILE.af    how many arguments some and all extensions have
//! solve strength SEMANTICS FILE.bag [TOLERANCE]
//! solve generate af|acyclic|cyclic N DEGREE SEED
//! ```
//!
//! Prints the answer to stdout, and to stderr one line of JSON with the CPU time of this thread in
//! microseconds, by phase. SEMANTICS is a name such as `stable` or `quadratic-energy`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a program"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use agon_argue::format::{bag, i23};
use agon_argue::{Acceptance, Gradual, Model, Options, Qbaf, Reasoner, Semantics};

type Outcome = Result<(), Box<dyn Error>>;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["grounded", file] => grounded(file),
        ["extensions", semantics, file] => extensions(semantics.parse()?, file),
        ["accepted", semantics, file] => accepted(semantics.parse()?, file),
        ["strength", semantics, file] => strength(semantics.parse()?, file, 1e-12),
        ["strength", semantics, file, tolerance] => {
            strength(semantics.parse()?, file, tolerance.parse()?)
        }
        ["generate", kind, n, degree, seed] => {
            generate(kind, n.parse()?, degree.parse()?, seed.parse()?)
        }
        _ => Err("see the first lines of this program for its arguments".into()),
    }
}

fn grounded(file: &str) -> Outcome {
    let mut clock = Clock::start();
    let bytes = fs::read(file)?;
    clock.lap("read");
    let af = i23::read(&bytes)?;
    clock.lap("parse");
    let extension = af.grounded_extension();
    clock.lap("solve");
    println!("{}", i23::write_witness(&extension));
    clock.report();
    Ok(())
}

fn extensions(semantics: Semantics, file: &str) -> Outcome {
    let mut clock = Clock::start();
    let af = i23::read(fs::read(file)?)?;
    clock.lap("parse");
    let mut text = String::new();
    for extension in Reasoner::new(&af).extensions(semantics)? {
        text.push_str(&i23::write_witness(&extension?));
        text.push('\n');
    }
    clock.lap("solve");
    print!("{text}");
    clock.report();
    Ok(())
}

fn accepted(semantics: Semantics, file: &str) -> Outcome {
    let mut clock = Clock::start();
    let af = i23::read(fs::read(file)?)?;
    clock.lap("parse");
    let Acceptance {
        credulous,
        skeptical,
    } = Reasoner::new(&af).acceptance(semantics)?;
    clock.lap("solve");
    let count = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
    println!(
        "credulous {} skeptical {}",
        count(&credulous),
        count(&skeptical)
    );
    clock.report();
    Ok(())
}

fn strength(semantics: Gradual, file: &str, tolerance: f64) -> Outcome {
    let options = Options {
        tolerance,
        ..Options::default()
    };
    let model = Model { semantics, options };
    let mut clock = Clock::start();
    let text = fs::read_to_string(file)?;
    clock.lap("read");
    let read = bag::read(&text)?;
    clock.lap("parse");
    let (base, edges) = (
        read.graph.base_weights().to_vec(),
        read.graph.edges().collect::<Vec<_>>(),
    );
    clock.lap("list");
    let graph = Qbaf::new(base, &edges)?;
    clock.lap("build");
    let strengths = model.evaluate(&graph);
    clock.lap("solve");
    let again = model.evaluate(&graph);
    clock.lap("solve_again");
    let sum: f64 = again.values.iter().sum();
    println!("sum {sum:.6} {:?}", strengths.status);
    clock.report();
    Ok(())
}

/// Generates random graphs like those used for the other solvers: `n * degree` edges, no
/// self-loops.
fn generate(kind: &str, n: u32, degree: f64, seed: u64) -> Outcome {
    let mut random = seed;
    let mut next = || {
        random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut pairs = BTreeSet::new();
    while (pairs.len() as f64) < f64::from(n) * degree {
        let (a, b) = (
            (next() % u64::from(n)) as u32,
            (next() % u64::from(n)) as u32,
        );
        if a != b {
            // Edges from later to earlier arguments form no cycle.
            let acyclic = kind == "acyclic";
            pairs.insert(if acyclic {
                (a.max(b), a.min(b))
            } else {
                (a, b)
            });
        }
    }
    let mut text = String::new();
    if kind == "af" {
        writeln!(text, "p af {n}")?;
        for (from, to) in pairs {
            writeln!(text, "{} {}", from + 1, to + 1)?;
        }
    } else {
        for a in 0..n {
            writeln!(text, "arg(a{a},{}).", (next() % 1_000_001) as f64 / 1e6)?;
        }
        for (from, to) in pairs {
            let word = if next() % 2 == 0 { "att" } else { "sup" };
            writeln!(text, "{word}(a{from},a{to}).")?;
        }
    }
    print!("{text}");
    Ok(())
}

/// Measures the CPU time of this thread.
struct Clock {
    last: Duration,
    laps: String,
}

impl Clock {
    fn start() -> Self {
        Self {
            last: now(),
            laps: String::new(),
        }
    }

    fn lap(&mut self, name: &str) {
        let micros = (now() - self.last).as_micros();
        let comma = if self.laps.is_empty() { "" } else { "," };
        self.laps += &format!("{comma}\"{name}_us\":{micros}");
        self.last = now();
    }

    fn report(&self) {
        eprintln!("{{{}}}", self.laps);
    }
}

fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
