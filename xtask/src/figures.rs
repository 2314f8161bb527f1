//! `cargo xtask figures`: the size and shape of the workspace, counted the same way each time.
//!
//! Production is what a release is built from: the sources of the crates, without their tests,
//! examples, samples and the testkit.

mod constants;
mod route;

use std::collections::BTreeMap;

use anyhow::Result;

use crate::{
    shape,
    source::{self, SourceText},
    tidy::names,
};

/// What `cargo xtask figures` takes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// List what is counted instead of counting it
    #[arg(value_enum)]
    list: Option<List>,
}

/// What can be listed.
#[derive(Clone, Copy, clap::ValueEnum)]
enum List {
    /// Every constant with a number in it, and whether anything beside it says why
    Constants,
    /// Every name that three or more types have
    Types,
    /// Every function that takes a tuple without a name
    Tuples,
    /// Every name and phrase that this workspace does not use, with what to write instead
    Names,
    /// The files that a topic enters on its way to the engine, and its outcome on the way back
    Route,
}

/// Words that should each stand in few files, since one table should know them.
const WORDS: [&str; 2] = ["developer_experience", "none_found"];

/// Counts, and prints what was counted.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let sources = source::read_production()?;
    match args.list {
        None => print_figures(&sources)?,
        Some(List::Constants) => {
            for constant in constants::tuned(&sources)? {
                println!("{constant}");
            }
        }
        Some(List::Types) => {
            for (name, places) in shape::repeated_types(&sources)? {
                println!("{name} {}: {}", places.len(), places.join(" "));
            }
        }
        Some(List::Tuples) => {
            for source in &sources {
                for function in shape::read(source)?.tuple_functions {
                    println!("{}: {function}", source.path);
                }
            }
        }
        Some(List::Names) => {
            for refusal in names::violations(&sources)? {
                println!("{refusal}");
            }
        }
        Some(List::Route) => {
            let route = route::route(&sources)?;
            for file in route.into {
                println!("→ {file}");
            }
            for file in route.back {
                println!("← {file}");
            }
        }
    }
    Ok(true)
}

fn print_figures(sources: &[SourceText]) -> Result<()> {
    let line = |name: &str, figure: usize| println!("{name:<52} {figure:>7}");
    let lines = |sources: &mut dyn Iterator<Item = &SourceText>| -> usize {
        sources.map(|source| source.lines().count()).sum()
    };
    line("production lines", lines(&mut sources.iter()));
    let mut crates: BTreeMap<&str, Vec<&SourceText>> = BTreeMap::new();
    for source in sources {
        crates.entry(source.crate_name()).or_default().push(source);
    }
    for (name, sources) in &crates {
        line(&format!("  in {name}"), lines(&mut sources.iter().copied()));
    }
    line("production files", sources.len());
    let mut lengths: Vec<usize> = sources.iter().map(|it| it.lines().count()).collect();
    lengths.sort_unstable();
    line(
        "  median lines",
        lengths.get(lengths.len() / 2).copied().unwrap_or(0),
    );
    line(
        "  lines of the longest",
        lengths.last().copied().unwrap_or(0),
    );
    for word in WORDS {
        let files = sources.iter().filter(|it| it.has(word)).count();
        line(&format!("files that name {word}"), files);
    }
    let outside = sources
        .iter()
        .filter(|it| !it.path.contains("/format/") && !it.path.ends_with("/format.rs"));
    line(
        "`FormatName::` outside format",
        outside.map(|it| it.count("FormatName::")).sum(),
    );
    line(
        "`\\u{202a}`",
        sources.iter().map(|it| it.count("\\u{202a}")).sum(),
    );
    let or_lines = |source: &SourceText| {
        source
            .lines()
            .filter(|it| it.trim_start().starts_with("| "))
            .count()
    };
    line("lines of or-patterns", sources.iter().map(or_lines).sum());
    let comments = |source: &SourceText| source.lines().filter(|it| is_comment(it)).count();
    line(
        "lines that are comments (`//`)",
        sources.iter().map(comments).sum(),
    );
    let mut tuples = 0;
    for source in sources {
        tuples += shape::read(source)?.tuple_functions.len();
    }
    line("functions that take a tuple", tuples);
    line(
        "names that three or more types have",
        shape::repeated_types(sources)?.len(),
    );
    let constants = constants::tuned(sources)?;
    let silent = constants.iter().filter(|it| !it.has_reason).count();
    line("constants with a number", constants.len());
    line("  of these without a comment", silent);
    Ok(())
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
}
