//! Builds the program for a target.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use cargo_metadata::Metadata;

use super::Build;
use super::release::Release;
use super::target::Target;
use crate::workspace;

/// The glibc that released programs need at most, which systems have since 2012.
const GLIBC: &str = "2.17";

/// Builds the program and returns a copy of it in `out`, because the next build replaces the first.
///
/// For glibc, `cargo zigbuild` links against an old version. Other targets use plain cargo.
///
/// # Errors
/// If the build fails, or `cargo zigbuild` is missing.
pub(super) fn build(
    metadata: &Metadata,
    release: &Release,
    target: &Target,
    build: Build,
    profile: &str,
    out: &Path,
) -> Result<PathBuf> {
    let mut command = workspace::cargo(metadata, &[]);
    let triple = match target.is_glibc() {
        true => format!("{}.{GLIBC}", target.triple),
        false => target.triple.to_owned(),
    };
    command.arg(if target.is_glibc() {
        "zigbuild"
    } else {
        "build"
    });
    command.args([
        "--locked",
        "-p",
        "agon",
        "--profile",
        profile,
        "--target",
        &triple,
    ]);
    command.args(["--features", &build.features().join(",")]);
    // Only here, so that other builds do not compile again after each commit.
    command.env("AGON_BUILD_COMMIT", &release.commit);
    println!("building agon {build} for {triple}");
    let status = command.status().context("cannot start cargo")?;
    ensure!(
        status.success(),
        "the build failed; for glibc it needs `pip install cargo-zigbuild ziglang`"
    );
    let folder = if profile == "dev" { "debug" } else { profile };
    let built = metadata.target_directory.join(target.triple).join(folder);
    let built = built.join(target.program());
    let folder = out.join(format!("{build}-{}", target.triple));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(target.program());
    fs::copy(&built, &path).with_context(|| format!("cannot copy {built}"))?;
    Ok(path)
}
