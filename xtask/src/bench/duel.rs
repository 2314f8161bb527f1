//! Measures whole duels of tools that answer at once, and many starts at the same time.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cargo_metadata::Metadata;

use super::Figure;
use super::program::Program;

const TOPIC: &str = "SQLite or plain files for the job store?";
/// Number of debates started at the same time.
const STARTS: usize = 60;
/// Maximum time until all of them have ended.
const PATIENCE: Duration = Duration::from_secs(120);

/// Measures duels one by one.
pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let program = Program::build(metadata, "duel")?;
    program.add_fake_tools(metadata)?;
    let measure = |name: &str, more: &[&str], limit: &str| -> Result<Figure> {
        let all = [&["debate", TOPIC, "--context", "none", "--again"], more].concat();
        // The first start asks the tools for their versions, and later ones do not.
        program.run(&all)?;
        Ok(program.median(&all)?.figure(name, limit))
    };
    let plan = "start of a duel with known tools, without calls";
    Ok(vec![
        measure("default duel of instant tools", &[], "70 ms, cpu 45 ms")?,
        measure("default duel, --json", &["--json"], "5 ms and 2 MB more")?,
        measure(
            "duel of five rounds",
            &["--rounds", "5"],
            "5 ms and 2 MB more by its length",
        )?,
        measure("quick duel", &["--quick"], "none")?,
        measure(plan, &["--dry-run"], "150 ms")?,
    ])
}

/// Measures many detached starts at the same time.
pub(super) fn starts(metadata: &Metadata) -> Result<Vec<Figure>> {
    let program = Program::build(metadata, "starts")?;
    program.add_fake_tools(metadata)?;
    let args = [
        "debate",
        TOPIC,
        "--quick",
        "--context",
        "none",
        "--again",
        "--detach",
    ];
    let began = Instant::now();
    let children: Vec<Child> = (0..STARTS)
        .map(|_| {
            let mut command = program.command(&args);
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command.spawn().context("cannot start agon")
        })
        .collect::<Result<_>>()?;
    let mut started = 0;
    for mut child in children {
        started += usize::from(child.wait()?.success());
    }
    let returned = began.elapsed();
    while done(&program)? < started {
        if began.elapsed() > PATIENCE {
            bail!("not all of {started} debates have ended");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let figure = |name: &str, value, unit: &str, note: &str| Figure {
        name: format!("{STARTS} detached starts: {name}"),
        value,
        unit: unit.to_owned(),
        note: note.to_owned(),
    };
    let seconds = |time: Duration| time.as_secs_f64();
    Ok(vec![
        figure("last return", seconds(returned), "s", "limit 2 s"),
        figure("started", started as f64, "", "limit 60"),
        figure("all done", seconds(began.elapsed()), "s", ""),
    ])
}

/// Returns the number of debates that have ended.
fn done(program: &Program) -> Result<usize> {
    let mut list = program.command(&["list", "--limit", "1000"]);
    let printed = list.output().context("cannot list the debates")?.stdout;
    let printed = String::from_utf8_lossy(&printed);
    Ok(printed
        .lines()
        .filter(|line| line.contains(" done"))
        .count())
}
