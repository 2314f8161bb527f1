//! `cargo xtask package`: writes all packages of a release into a folder.

mod archive;
mod binary;
mod content;
mod deb;
mod elf;
mod licences;
mod notes;
mod npm;
mod release;
mod target;
mod wheel;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use cargo_metadata::Metadata;
use sha2::{Digest as _, Sha256};

use crate::{changelog, workspace};
use archive::Entry;
use content::Content;
use release::Release;
use target::{TARGETS, Target};

/// The list of checksums, which `sha256sum --check` reads.
const SUMS: &str = "SHA256SUMS";
const NOTES: &str = "RELEASE-NOTES.md";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Package for this target
    #[arg(
        long,
        default_value = "x86_64-unknown-linux-gnu",
        value_name = "TRIPLE"
    )]
    target: String,

    /// Package this program with the features `full` instead of building it
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,

    /// Package this program without features for the small archive instead of building it
    #[arg(long, value_name = "PATH")]
    base: Option<PathBuf>,

    /// Build with this profile
    #[arg(long, default_value = "dist", value_name = "NAME")]
    profile: String,

    /// Write the packages into DIR [default: target/package]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write only what all targets share: the small npm package, the notes and the checksums
    #[arg(long, conflicts_with_all = ["binary", "base"])]
    collect: bool,
}

/// Which features a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    /// All features of a release.
    Full,
    /// No features, for a smaller download.
    Base,
}

impl Build {
    fn features(self) -> &'static [&'static str] {
        match self {
            Self::Full => &["local-model", "png", "telemetry"],
            Self::Base => &[],
        }
    }

    /// Returns the features as `agon --version --verbose` prints them.
    fn features_line(self) -> String {
        match self.features() {
            [] => "none".to_owned(),
            names => names.join(", "),
        }
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Base => "base",
        })
    }
}

/// Writes the packages of one target, then what all targets share.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let metadata = workspace::members()?;
    let release = Release::of_workspace(&metadata)?;
    let out = match &args.out {
        Some(out) => out.clone(),
        None => metadata
            .target_directory
            .join("package")
            .into_std_path_buf(),
    };
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    if !args.collect {
        remove_other_versions(&out, &release.version)?;
        write_target(&metadata, &release, args, &out)?;
    }
    write_shared(&metadata, &release, &out)?;
    for (name, bytes) in files(&out)? {
        println!("{:>11} {name}", bytes.len());
    }
    Ok(true)
}

/// Writes the packages of one target.
fn write_target(metadata: &Metadata, release: &Release, args: &Args, out: &Path) -> Result<()> {
    let target = Target::of_triple(&args.target)?;
    let given = [(Build::Full, &args.binary), (Build::Base, &args.base)];
    let builds_all = given.iter().all(|(_, path)| path.is_none());
    let programs = metadata.target_directory.join("package-programs");
    for (build, path) in given {
        let path = match path {
            Some(path) => path.clone(),
            None if builds_all => binary::build(
                metadata,
                release,
                target,
                build,
                &args.profile,
                programs.as_std_path(),
            )?,
            None => continue,
        };
        let content = Content::collect(metadata, release, target, build, &path)?;
        write(out, content.archive(release, build)?)?;
        if build == Build::Base {
            continue;
        }
        write(out, npm::write_platform(release, &content)?)?;
        write(out, wheel::write(release, &content)?)?;
        if let Some(architecture) = target.debian {
            write(out, deb::write(release, &content, architecture)?)?;
        }
    }
    Ok(())
}

/// Writes the small npm package for the targets in the folder, the notes and the checksums.
fn write_shared(metadata: &Metadata, release: &Release, out: &Path) -> Result<()> {
    let is_here = |it: &&Target| {
        let file = npm::file_name(&it.npm_package(), release);
        out.join(file).exists()
    };
    let targets: Vec<_> = TARGETS.iter().filter(is_here).collect();
    ensure!(
        !targets.is_empty(),
        "{} has no npm package of any target",
        out.display()
    );
    let own = |name: &str| {
        let path = metadata.workspace_root.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))
    };
    let texts = vec![
        Entry::text("README.md", include_str!("package/assets/README.md")),
        Entry::text("LICENSE-APACHE", own("LICENSE-APACHE")?),
        Entry::text("LICENSE-MIT", own("LICENSE-MIT")?),
    ];
    write(out, npm::write_main(release, &targets, texts)?)?;
    let notes = notes::write(&changelog::gathered()?, &release.version)?;
    write(out, (NOTES.to_owned(), notes.into_bytes()))?;
    let sums = files(out)?;
    let sums: String = sums
        .iter()
        .map(|(name, bytes)| sum_line(name, bytes))
        .collect();
    write(out, (SUMS.to_owned(), sums.into_bytes()))
}

/// Removes the packages of other versions, which would get checksums too.
fn remove_other_versions(out: &Path, version: &str) -> Result<()> {
    for (name, _) in files(out)? {
        let is_package = name.starts_with("agon-debate") || name.starts_with("agon_debate");
        if is_package && !name.contains(version) {
            fs::remove_file(out.join(&name)).with_context(|| format!("cannot remove {name}"))?;
        }
    }
    Ok(())
}

fn sum_line(name: &str, bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}  {name}\n")
}

fn write(out: &Path, (name, bytes): (String, Vec<u8>)) -> Result<()> {
    let path = out.join(name);
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the files of the folder except the checksums, sorted by name.
fn files(out: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(out).with_context(|| format!("cannot list {}", out.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != SUMS && entry.metadata()?.is_file() {
            files.push((name, fs::read(entry.path())?));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests;
