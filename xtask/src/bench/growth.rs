//! Measures the commands that read a debate while it grows to 2,004 points.

use std::fs;

use anyhow::Result;
use cargo_metadata::Metadata;

use super::Figure;
use super::ops::Step;
use super::program::{Program, copy};

/// The exchanges after which a debate is measured. Each has two points, and the first six.
const AT: [u16; 5] = [3, 25, 150, 250, 1000];
/// The commands, with their limits for the largest debate.
const COMMANDS: [(&[&str], &str); 7] = [
    (&["show"], "linear"),
    (&["check"], "300 ms, linear"),
    (&["replay"], "300 ms, linear"),
    (&["graph"], "300 ms at 304 points, 1 s at 2,004"),
    (&["evidence"], "linear"),
    (&["report", "--format", "md"], "linear"),
    (&["report", "--format", "html"], "linear"),
];
/// Number of points of the debate whose graph is painted.
const PAINTED: u16 = 504;

pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let program = Program::build(metadata, "growth")?;
    let motion = "This house would keep its jobs in one file.";
    program.run(&["new", "d", "--motion", motion, "--debates-dir", "."])?;
    let mut figures = Vec::new();
    let mut next = 0;
    for at in AT {
        while next < at {
            for step in [Step::Exchange(next), Step::Judgment(next)] {
                for (name, content) in step.inputs() {
                    fs::write(program.place.join(name), content.to_string())?;
                }
                let args = step.args("d");
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                program.run(&[&["ops"], args.as_slice()].concat())?;
            }
            next += 1;
        }
        let points = 2 * at + 4;
        copy(&program.place.join("d"), &program.place.join("read"))?;
        for (command, limit) in COMMANDS {
            let took = program.median(&with_debate(command))?;
            let name = format!("{} of {points} points", command.join(" "));
            figures.push(took.figure(&name, limit));
        }
        if points == PAINTED {
            let took =
                program.median(&with_debate(&["report", "--format", "png", "-o", "g.png"]))?;
            figures.push(took.figure(&format!("PNG of {points} points"), "300 ms, 60 MB"));
        }
        fs::remove_dir_all(program.place.join("read"))?;
    }
    Ok(figures)
}

fn with_debate<'a>(command: &[&'a str]) -> Vec<&'a str> {
    let (name, more) = command.split_at(1);
    [name, &["read", "--debates-dir", "."], more].concat()
}
