//! `cargo xtask size`: the sections and the largest crates of the program as it is packaged, with
//! a limit.

mod recorded;
mod symbols;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};
use object::read::{Object as _, ObjectSection as _, ObjectSymbol as _};
use object::{SectionFlags, elf};

use crate::workspace;
use recorded::Recorded;

/// Number of crates printed.
const LARGEST: usize = 10;
/// Sections smaller than this are not printed, in bytes.
const SMALL: u64 = 10_000;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure the build with all features instead of the plain one
    #[arg(long)]
    full: bool,
    /// Measure this program, built without `strip`, instead of building one; there is no limit then
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Record the measured size as the new base of the limit
    #[arg(long, conflicts_with = "binary")]
    record: bool,
}

/// Builds and measures the program; returns whether it is within the limit.
pub(crate) fn run(args: &Args) -> Result<bool> {
    if let Some(binary) = &args.binary {
        print!("{}", Sizes::of(binary)?.report());
        return Ok(true);
    }
    let metadata = workspace::members()?;
    // Packages are stripped, but crates can be told apart only by symbols. The parts that are
    // loaded are the same.
    let mut build = workspace::cargo(&metadata, &["build", "--profile", "dist", "--locked"]);
    build.args(["-p", "agon", "--config", "profile.dist.strip=false"]);
    if args.full {
        build.args(["--features", "full"]);
    }
    workspace::stdout_of(build.stderr(Stdio::inherit()))?;
    let sizes = Sizes::of(metadata.target_directory.join("dist/agon").as_std_path())?;
    print!("{}", sizes.report());
    let file = metadata
        .workspace_root
        .join("xtask/src/size/recorded.json")
        .into_std_path_buf();
    let mut recorded = Recorded::read(&file)?;
    let name = if args.full { "full" } else { "plain" };
    if args.record {
        *recorded.of(args.full) = sizes.loaded;
        recorded.write(&file)?;
        println!("recorded {} bytes for the {name} build", sizes.loaded);
        return Ok(true);
    }
    let limit = recorded::limit(*recorded.of(args.full));
    println!("limit {:.2} MB for the {name} build", megabytes(limit));
    Ok(sizes.loaded <= limit)
}

/// The sizes of a program, in bytes.
#[derive(Debug, PartialEq)]
struct Sizes {
    /// All sections of the file that are loaded: nearly the size of the stripped file.
    loaded: u64,
    /// The loaded sections, the largest first.
    sections: Vec<(String, u64)>,
    /// The functions and constants of each crate, the largest first.
    crates: Vec<(String, u64)>,
}

impl Sizes {
    fn of(program: &Path) -> Result<Self> {
        let bytes =
            fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
        let file = object::File::parse(bytes.as_slice())
            .with_context(|| format!("{} is not a program", program.display()))?;
        let mut sections = Vec::new();
        for section in file.sections() {
            let (_, size) = section.file_range().unwrap_or_default();
            if size > 0 && is_loaded(section.flags()) {
                sections.push((section.name()?.to_owned(), size));
            }
        }
        let symbols = file.symbols().filter(|symbol| symbol.is_definition());
        let symbols = symbols.filter_map(|symbol| Some((symbol.name().ok()?, symbol.size())));
        Ok(Self {
            loaded: sections.iter().map(|(_, size)| size).sum(),
            crates: largest_first(symbols::by_crate(symbols)),
            sections: largest_first(sections),
        })
    }

    fn report(&self) -> String {
        let line = |(name, size): &(String, u64)| format!("{:>9.3} MB  {name}\n", megabytes(*size));
        let sections = self.sections.iter().filter(|(_, size)| *size >= SMALL);
        let crates = self.crates.iter().take(LARGEST);
        [
            format!(
                "{:>9.3} MB  all that is loaded\n\nsections\n",
                megabytes(self.loaded)
            ),
            sections.map(line).collect(),
            "\nlargest crates\n".to_owned(),
            crates.map(line).collect(),
        ]
        .concat()
    }
}

/// Returns whether a section with these flags is part of the stripped program.
fn is_loaded(flags: SectionFlags) -> bool {
    match flags {
        SectionFlags::Elf { sh_flags } => sh_flags & u64::from(elf::SHF_ALLOC) != 0,
        // Programs of other systems have their symbols outside the sections.
        _ => true,
    }
}

fn largest_first(mut sizes: Vec<(String, u64)>) -> Vec<(String, u64)> {
    sizes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sizes
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_sections_and_crates() {
        let sizes = Sizes::of(&std::env::current_exe().unwrap()).unwrap();
        let section = |name: &str| sizes.sections.iter().any(|(other, _)| other == name);
        assert!(section(".text") && section(".rodata") && !section(".symtab"));
        let has = |name: &str| sizes.crates.iter().any(|(other, _)| other == name);
        assert!(has("xtask") && has("core") && has("serde_json"));
        let code: u64 = sizes.crates.iter().map(|(_, size)| size).sum();
        assert!(
            code > 0 && code <= sizes.loaded,
            "{code} of {}",
            sizes.loaded
        );
    }

    #[test]
    fn a_report_names_the_largest_first_and_leaves_small_sections_out() {
        let size = |name: &str, bytes| (name.to_owned(), bytes);
        let sizes = Sizes {
            loaded: 3_009_000,
            sections: largest_first(vec![
                size(".init", 9_000),
                size(".rodata", 1_000_000),
                size(".text", 2_000_000),
            ]),
            crates: largest_first(vec![size("b", 1_000), size("a", 1_000), size("c", 2_000)]),
        };
        assert_eq!(
            sizes.report(),
            "    3.009 MB  all that is loaded\n\nsections\n    2.000 MB  .text\n    1.000 MB  .rodata\n\n\
             largest crates\n    0.002 MB  c\n    0.001 MB  a\n    0.001 MB  b\n"
        );
    }

    #[test]
    fn a_file_that_is_no_program_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Sizes::of(file.path()).unwrap_err().to_string();
        assert!(error.ends_with("is not a program"), "{error}");
    }
}
