//! The licenses of the crates in a program, from cargo's metadata and the crates' own files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

use super::Build;
use super::target::Target;
use crate::workspace;

/// Beginnings of the names of files with a license, in lower case.
const FILES: [&str; 6] = [
    "license",
    "licence",
    "copying",
    "copyright",
    "notice",
    "unlicense",
];
/// Longer files are not texts of licenses, in bytes.
const MAX_FILE: u64 = 200_000;
/// Licenses whose text is in every package, or that ask for no text.
const KNOWN: [&str; 6] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "0BSD",
    "CC0-1.0",
    "Unlicense",
];

const INTRODUCTION: &str = "\
The program agon includes the code of the crates below. Each is followed by its license; OR means
that Agon uses it under either. The texts are at the end. A crate without a file of its own is
under the text in LICENSE-MIT or LICENSE-APACHE, beside this file.

Also included:

  the Rust standard library          MIT OR Apache-2.0
  compiler-rt and libunwind of LLVM  Apache-2.0 WITH LLVM-exception (some builds)
  SQLite                             public domain
  the font Inter, reduced            OFL-1.1

Crates:

";

/// A crate of the program.
#[derive(Debug)]
struct Crate {
    /// Its name and version.
    name: String,
    license: Option<String>,
    authors: Vec<String>,
    /// Names and texts of its files with licenses.
    files: Vec<(String, String)>,
}

/// Returns the page on the licenses of all third-party code in the program.
///
/// # Errors
/// If a crate has no license, or none of its licenses has a known text.
pub(super) fn collect(metadata: &Metadata, target: &Target, build: Build) -> Result<String> {
    let names = crates_of_program(metadata, target, build)?;
    let all = MetadataCommand::new()
        .manifest_path(metadata.workspace_root.join("Cargo.toml"))
        .other_options(["--locked".to_owned()])
        .exec()
        .context("cannot read the dependencies")?;
    let mut crates = Vec::new();
    for package in &all.packages {
        let name = format!("{} {}", package.name, package.version);
        if package.source.is_none() || !names.contains(&name) {
            continue;
        }
        let folder = package
            .manifest_path
            .parent()
            .context("a crate without a folder")?;
        let mut files = license_files(folder.as_std_path())?;
        if let Some(path) = package.license_file() {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
            files.push((path.file_name().unwrap_or("LICENSE").to_owned(), text));
        }
        crates.push(Crate {
            name,
            license: package.license.clone(),
            authors: package.authors.clone(),
            files,
        });
    }
    let font = "crates/report/src/graph/font/LICENSE-OFL.txt";
    let text = fs::read_to_string(metadata.workspace_root.join(font)).context(font)?;
    page(&crates, &text)
}

/// Returns the name and version of each third-party crate that the program is built from.
fn crates_of_program(
    metadata: &Metadata,
    target: &Target,
    build: Build,
) -> Result<BTreeSet<String>> {
    let mut tree = workspace::cargo(
        metadata,
        &[
            "tree", "--locked", "-p", "agon", "-e", "normal", "--prefix", "none",
        ],
    );
    tree.args([
        "--target",
        target.triple,
        "--features",
        &build.features().join(","),
    ]);
    let printed = workspace::stdout_of(&mut tree)?;
    let name = |line: &str| {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next()?, words.next()?);
        Some(format!("{name} {}", version.trim_start_matches('v')))
    };
    Ok(printed.lines().filter_map(name).collect())
}

fn license_files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?
    {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let small = name.to_lowercase();
        let about = entry.metadata()?;
        if !FILES.iter().any(|start| small.starts_with(start))
            || !about.is_file()
            || about.len() > MAX_FILE
            || small.ends_with(".rs")
        {
            continue;
        }
        files.push((
            name,
            String::from_utf8_lossy(&fs::read(entry.path())?).into_owned(),
        ));
    }
    files.sort();
    Ok(files)
}

/// Returns the page, in which each text appears once.
fn page(crates: &[Crate], font: &str) -> Result<String> {
    let mut page = INTRODUCTION.to_owned();
    let mut crates: Vec<_> = crates.iter().collect();
    crates.sort_by(|a, b| a.name.cmp(&b.name));
    for Crate {
        name,
        license,
        authors,
        files,
    } in &crates
    {
        let license = match license {
            Some(license) => license.clone(),
            None if !files.is_empty() => "see its text".to_owned(),
            None => bail!("{name} has no license"),
        };
        page += &format!("  {name}  {license}\n");
        if files.is_empty() {
            if !license
                .split([' ', '/', '(', ')'])
                .any(|word| KNOWN.contains(&word))
            {
                bail!("{name} has no file with its license, {license}");
            }
            let authors = match authors.is_empty() {
                true => String::new(),
                false => format!("; authors: {}", authors.join(", ")),
            };
            page += &format!("      without a file{authors}\n");
        }
    }
    // Spaces and line ends differ between copies of one text.
    let key = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut texts: BTreeMap<String, (&str, BTreeSet<&str>)> = BTreeMap::new();
    for it in &crates {
        for (_, text) in &it.files {
            let (_, users) = texts.entry(key(text)).or_insert((text, BTreeSet::new()));
            users.insert(&it.name);
        }
    }
    texts
        .entry(key(font))
        .or_insert((font, ["the font Inter"].into()));
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by(|(a, x), (b, y)| y.len().cmp(&x.len()).then_with(|| a.cmp(b)));
    let rule = "=".repeat(98);
    for (text, users) in texts {
        let users: Vec<_> = users.into_iter().collect();
        page += &format!("\n{rule}\n{}\n{rule}\n\n", users.join(", "));
        page += text.trim_matches('\n');
        page.push('\n');
    }
    Ok(page.replace('\r', ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::target::TARGETS;

    fn member(name: &str, license: Option<&str>, files: &[&str]) -> Crate {
        let files = files
            .iter()
            .map(|text| ("LICENSE".to_owned(), (*text).to_owned()));
        Crate {
            name: name.to_owned(),
            license: license.map(str::to_owned),
            authors: vec!["Ann".to_owned()],
            files: files.collect(),
        }
    }

    #[test]
    fn a_text_appears_once_with_all_its_crates() {
        let crates = [
            member("b 2.0.0", Some("MIT"), &["One\r\n text\n"]),
            member("a 1.0.0", Some("MIT OR Apache-2.0"), &["One text", "Other"]),
            member("c 3.0.0", Some("MIT"), &[]),
        ];
        let page = page(&crates, "OFL").unwrap();
        let rest = page
            .strip_prefix(INTRODUCTION)
            .unwrap()
            .replace(&"=".repeat(98), "==");
        let expected = "  a 1.0.0  MIT OR Apache-2.0\n  b 2.0.0  MIT\n  c 3.0.0  MIT\n      without \
                        a file; authors: Ann\n\n==\na 1.0.0, b 2.0.0\n==\n\nOne text\n\n==\nthe \
                        font Inter\n==\n\nOFL\n\n==\na 1.0.0\n==\n\nOther\n";
        assert_eq!(rest, expected);
    }

    #[test]
    fn a_crate_without_a_license_is_refused() {
        let refused = |it| page(&[it], "OFL").unwrap_err().to_string();
        assert_eq!(
            refused(member("a 1.0.0", None, &[])),
            "a 1.0.0 has no license"
        );
        assert_eq!(
            refused(member("a 1.0.0", Some("BSD-3-Clause"), &[])),
            "a 1.0.0 has no file with its license, BSD-3-Clause"
        );
    }

    #[test]
    fn the_program_lists_its_crates() {
        let metadata = workspace::members().unwrap();
        let full = collect(&metadata, &TARGETS[0], Build::Full).unwrap();
        let base = collect(&metadata, &TARGETS[0], Build::Base).unwrap();
        for name in ["candle-core", "tiny-skia", "opentelemetry"] {
            let row = format!("\n  {name} ");
            assert!(full.contains(&row) && !base.contains(&row), "{name}");
        }
        for name in ["clap", "serde", "tokio"] {
            assert!(base.contains(&format!("\n  {name} ")), "{name}");
        }
        // Only tests use it.
        assert!(!full.contains("\n  insta "));
    }
}
