//! Measures the commands that look through all debates of a folder.

use anyhow::Result;
use cargo_metadata::Metadata;

use super::Figure;
use super::program::{Program, Took, measure};

/// Numbers of debates in the folder.
const DEBATES: [usize; 3] = [100, 1_000, 10_000];

pub(super) fn figures(metadata: &Metadata) -> Result<Vec<Figure>> {
    let program = Program::build(metadata, "lists")?;
    let mut figures = Vec::new();
    let mut made = 0;
    for count in DEBATES {
        while made < count {
            let name = format!("d{made}");
            let motion = format!("This house would move queue {made} to another store.");
            program.run(&["new", &name, "--motion", &motion])?;
            made += 1;
        }
        let commands: [(&str, &[&str]); 4] = [
            ("list", &["list"]),
            ("list --limit 20", &["list", "--limit", "20"]),
            ("list --search", &["list", "--search", "queue 7"]),
            ("show without a name", &["show"]),
        ];
        for (name, args) in commands {
            let first = program.run(args)?;
            let took = program.median(args)?;
            figures.push(figure(name, count, &first, &took));
        }
        let first = complete(&program)?;
        figures.push(figure(
            "completion of a name",
            count,
            &first,
            &complete(&program)?,
        ));
    }
    Ok(figures)
}

fn figure(name: &str, count: usize, first: &Took, took: &Took) -> Figure {
    let limit = format!("50 ms, 40 MB; the first time {:.1} ms", first.millis());
    took.figure(&format!("{name}, {count} debates"), &limit)
}

/// Completes the name of a debate, as bash asks for it.
fn complete(program: &Program) -> Result<Took> {
    let mut command = program.command(&["--", "agon", "show", "d7"]);
    let variables = [
        ("AGON_COMPLETE", "bash"),
        ("_CLAP_IFS", "\n"),
        ("_CLAP_COMPLETE_INDEX", "2"),
        ("_CLAP_COMPLETE_COMP_TYPE", "9"),
        ("_CLAP_COMPLETE_SPACE", "true"),
    ];
    measure(command.envs(variables))
}
