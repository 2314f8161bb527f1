//! Measures duels about a repository whose files every seat may read.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use cargo_metadata::Metadata;

use super::Figure;
use super::program::{Program, Took, measure};
use crate::workspace;

/// Files of the larger repository.
const FILES: usize = 18_900;
/// Files in each of its folders.
const IN_FOLDER: usize = 100;

pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let program = Program::build(metadata, "repo")?;
    program.add_fake_tools(metadata)?;
    let own = program.place.join("own");
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--depth", "1"]);
    clone
        .arg(format!("file://{}", metadata.workspace_root))
        .arg(&own);
    workspace::stdout_of(&mut clone)?;
    let large = program.place.join("large");
    write_repository(&large)?;
    let mut figures = Vec::new();
    for (name, repository, first, later) in [
        ("this repository", own, "500 ms", "300 ms"),
        ("18,900 files", large, "3 s", "1 s"),
    ] {
        let run = || quick_duel(&program, &repository);
        figures.push(run()?.figure(&format!("quick duel, {name}: first run"), first));
        run()?;
        figures.push(run()?.figure(&format!("quick duel, {name}: later run"), later));
    }
    Ok(figures)
}

fn quick_duel(program: &Program, repository: &Path) -> Result<Took> {
    let args = [
        "debate",
        "SQLite or plain files for the job store?",
        "--quick",
        "--again",
    ];
    let mut command = program.command(&args);
    measure(command.args(["--context", "repo"]).current_dir(repository))
}

/// Writes a repository of source files of about 15 kB each.
fn write_repository(folder: &Path) -> Result<()> {
    for at in 0..FILES {
        let part = folder.join(format!("src/part{}", at / IN_FOLDER));
        fs::create_dir_all(&part)?;
        let line = |nth: usize| format!("    let row_{nth} = table_{at}.read(row_{nth}, page);\n");
        let text: String = (0..320).map(line).collect();
        fs::write(part.join(format!("file{at}.rs")), text)?;
    }
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"]);
        workspace::stdout_of(git.args(args).current_dir(folder)).map(drop)
    };
    git(&["init", "--quiet"])?;
    git(&["add", "."])?;
    git(&["commit", "--quiet", "-m", "Begin"])
}
