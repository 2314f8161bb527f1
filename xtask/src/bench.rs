//! `cargo xtask bench`: figures with their floors and limits, from release builds, or from the
//! build that the README describes if that is the subject.

mod argue;
mod commands;
mod duel;
mod first_debate;
mod growth;
mod hook;
mod lists;
mod local;
mod mcp;
mod ops;
mod program;
mod repo;
mod start;

use std::process::Stdio;

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;
use serde::Deserialize;

pub(crate) use start::{ProbeArgs, probe};

use crate::workspace;

/// Every benchmark, in execution order. Add new ones here.
const BENCHES: &[Bench] = &[
    Bench {
        name: "version",
        about: "`agon --version`: time and peak memory of a start",
        run: start::figures,
    },
    Bench {
        name: "mcp",
        about: "`agon mcp`: time to the first answer and peak memory",
        run: mcp::figures,
    },
    Bench {
        name: "hook",
        about: "`agon hook` before an edit and after a tool: time from start to answer",
        run: hook::figures,
    },
    Bench {
        name: "ops",
        about: "`agon ops` against the Python tool with the same commands, at exchange 1, 50 and 400",
        run: ops::figures,
    },
    Bench {
        name: "argue",
        about: "argument graphs against other solvers, on the same files",
        run: argue::figures,
    },
    Bench {
        name: "growth",
        about: "a debate of 10 to 2,004 points: show, check, replay, graph, reports",
        run: growth::figures,
    },
    Bench {
        name: "lists",
        about: "100 to 10,000 debates in a folder: list, show, completion",
        run: lists::figures,
    },
    Bench {
        name: "commands",
        about: "commands that wait for nothing: skills, roster, rules",
        run: commands::figures,
    },
    Bench {
        name: "duel",
        about: "whole duels of tools that answer at once",
        run: duel::figures,
    },
    Bench {
        name: "starts",
        about: "60 detached starts at the same time",
        run: duel::starts,
    },
    Bench {
        name: "repo",
        about: "quick duels about this repository and one of 18,900 files",
        run: repo::figures,
    },
    Bench {
        name: "turn",
        about: "the engine's overhead in a turn of a tool that answers at once",
        run: |metadata| example(metadata, "agon-engine", "bench_turn"),
    },
    Bench {
        name: "many",
        about: "1,000 debates at once against a slow tool, and the memory of each",
        run: |metadata| example(metadata, "agon-engine", "bench_many"),
    },
    Bench {
        name: "batch",
        about: "1,000 duels of a batch over HTTP, two seconds a call: share of the ideal time",
        run: |metadata| example(metadata, "agon-batch", "bench_batch"),
    },
    Bench {
        name: "evidence",
        about: "true and false citations in real repositories, and 1,000 against 10,000 files",
        run: |metadata| example(metadata, "agon-evidence", "bench_evidence"),
    },
    Bench {
        name: "redact",
        about: "secrets found, look-alikes left alone, and speed, compared with patterns and entropy",
        run: |metadata| example(metadata, "agon-redact", "bench_redact"),
    },
    Bench {
        name: "redact-shapes",
        about: "speed of redaction on prose, code, logs and JSON, with and without secrets",
        run: |metadata| example(metadata, "agon-redact", "bench_shapes"),
    },
    Bench {
        name: "search",
        about: "an index of 10,000 debates: build, check, rebuild, search",
        run: |metadata| example(metadata, "agon-index", "bench_search"),
    },
    Bench {
        name: "skills",
        about: "skills chosen for labelled requests, compared with two simple methods; a match among 10,000",
        run: |metadata| example(metadata, "agon-hosts", "bench_skills"),
    },
    Bench {
        name: "context",
        about: "sessions of a gigabyte: time and memory to measure them, and to follow one",
        run: |metadata| example(metadata, "agon-sessions", "bench_context"),
    },
    Bench {
        name: "sessions",
        about: "a duel in warm sessions against cold command lines, with the real tools",
        run: |metadata| example(metadata, "agon-engine", "bench_sessions"),
    },
    Bench {
        name: "web",
        about: "`agon web`: a list of 1,000 debates, 200 open pages, and the server at rest",
        run: |metadata| example(metadata, "agon-web", "bench_web"),
    },
    Bench {
        name: "local",
        about: "the built-in model against a llama.cpp server, on the same file",
        run: local::figures,
    },
    Bench {
        name: "first-debate",
        about: "debates of the built-in model on twenty topics: content and duration",
        run: first_debate::figures,
    },
];

struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Metadata) -> Result<Vec<Figure>>,
}

/// A measured figure; an example prints each one as a line of JSON.
#[derive(Debug, PartialEq, Deserialize)]
struct Figure {
    name: String,
    value: f64,
    unit: String,
    /// The floor, the limit, or other context for the value.
    #[serde(default)]
    note: String,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The benchmark to run [default: all]
    name: Option<String>,
}

/// Runs the selected benchmarks and prints one table.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let mut figures = Vec::new();
    for bench in chosen(args.name.as_deref())? {
        eprintln!("bench {}: {}", bench.name, bench.about);
        figures.extend((bench.run)(&metadata).with_context(|| format!("bench {}", bench.name))?);
    }
    print!("{}", table(&figures));
    Ok(true)
}

fn chosen(name: Option<&str>) -> Result<Vec<&'static Bench>> {
    let benches: Vec<_> = BENCHES
        .iter()
        .filter(|bench| name.is_none_or(|name| bench.name == name))
        .collect();
    if benches.is_empty() {
        let names: Vec<_> = BENCHES.iter().map(|bench| bench.name).collect();
        bail!("no such benchmark; choose from: {}", names.join(", "));
    }
    Ok(benches)
}

/// Builds and runs an example that prints its figures.
fn example(metadata: &Metadata, package: &str, name: &str) -> Result<Vec<Figure>> {
    let args = [
        "run",
        "--release",
        "--quiet",
        "--locked",
        "-p",
        package,
        "--example",
        name,
    ];
    let printed = workspace::stdout_of(workspace::cargo(metadata, &args).stderr(Stdio::inherit()))?;
    figures_of(&printed)
}

fn figures_of(printed: &str) -> Result<Vec<Figure>> {
    let figures: Vec<Figure> = printed
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).with_context(|| format!("not a figure: {line}")))
        .collect::<Result<_>>()?;
    if figures.is_empty() {
        bail!("the example printed no figures");
    }
    Ok(figures)
}

fn table(figures: &[Figure]) -> String {
    let values: Vec<String> = figures
        .iter()
        .map(|it| format!("{:.2}", it.value))
        .collect();
    let widest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
    let name = widest(&mut figures.iter().map(|it| it.name.chars().count()));
    let value = widest(&mut values.iter().map(String::len));
    let unit = widest(&mut figures.iter().map(|it| it.unit.chars().count()));
    let lines = figures.iter().zip(&values).map(|(figure, shown)| {
        let line = format!(
            "{:name$}  {shown:>value$} {:unit$}  {}",
            figure.name, figure.unit, figure.note
        );
        format!("{}\n", line.trim_end())
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(name: &str, value: f64, unit: &str, note: &str) -> Figure {
        Figure {
            name: name.into(),
            value,
            unit: unit.into(),
            note: note.into(),
        }
    }

    #[test]
    fn the_lines_of_an_example_become_figures() {
        let printed = r#"{"name":"turn","value":1.5,"unit":"ms","note":"limit 5 ms"}

{"name":"memory","value":3,"unit":"MB"}
"#;
        assert_eq!(
            figures_of(printed).unwrap(),
            [
                figure("turn", 1.5, "ms", "limit 5 ms"),
                figure("memory", 3.0, "MB", "")
            ]
        );
    }

    #[test]
    fn an_example_that_prints_something_else_or_nothing_is_an_error() {
        assert_eq!(
            figures_of("fast\n").unwrap_err().to_string(),
            "not a figure: fast"
        );
        assert_eq!(
            figures_of("\n").unwrap_err().to_string(),
            "the example printed no figures"
        );
    }

    #[test]
    fn a_table_keeps_its_columns() {
        let figures = [
            figure("turn", 1.5, "ms", "limit 5 ms"),
            figure("memory", 12.0, "MB", ""),
        ];
        assert_eq!(
            table(&figures),
            "turn     1.50 ms  limit 5 ms\nmemory  12.00 MB\n"
        );
    }

    #[test]
    fn a_benchmark_is_chosen_by_its_name() {
        let names = |name| -> Vec<_> {
            chosen(name)
                .unwrap()
                .into_iter()
                .map(|bench| bench.name)
                .collect()
        };
        assert_eq!(names(Some("turn")), ["turn"]);
        assert_eq!(
            names(None),
            [
                "version",
                "mcp",
                "hook",
                "ops",
                "argue",
                "growth",
                "lists",
                "commands",
                "duel",
                "starts",
                "repo",
                "turn",
                "many",
                "batch",
                "evidence",
                "redact",
                "redact-shapes",
                "search",
                "skills",
                "context",
                "sessions",
                "web",
                "local",
                "first-debate"
            ]
        );
        assert!(chosen(Some("speed")).is_err());
    }
}
