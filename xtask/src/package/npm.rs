//! npm packages: a small one that starts the program, and one with the program for each target.
//!
//! npm installs the package of a target because the small one names it under
//! `optionalDependencies` and it names its system. No script runs while installing.

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::archive::{Entry, below, tar_gz};
use super::content::Content;
use super::release::Release;
use super::target::{PACKAGE, Target};

/// Finds the program and starts it.
const LAUNCHER: &str = include_str!("assets/agon.js");

/// Returns the name of the file that `npm pack` gives to a package.
pub(super) fn file_name(package: &str, release: &Release) -> String {
    format!("{package}-{}.tgz", release.version)
}

/// Returns the name and the bytes of the package with the program.
///
/// # Errors
/// If the archive cannot hold a path.
pub(super) fn write_platform(release: &Release, content: &Content) -> Result<(String, Vec<u8>)> {
    let target = content.target;
    let package = target.npm_package();
    let about = format!("The program of {PACKAGE} for {}", target.npm);
    let mut manifest = manifest(release, &package, &about);
    manifest.insert("os".to_owned(), json!([target.os]));
    manifest.insert("cpu".to_owned(), json!([target.cpu]));
    if let Some(libc) = target.libc {
        manifest.insert("libc".to_owned(), json!([libc]));
    }
    // Yarn otherwise keeps it in a zip file, from which it cannot be started.
    manifest.insert("preferUnplugged".to_owned(), json!(true));
    let mut files = vec![
        Entry::program(format!("bin/{}", target.program()), &*content.program),
        Entry::text(
            "README.md",
            format!("{about}. Install `{PACKAGE}` instead.\n"),
        ),
    ];
    files.extend(content.license_entries());
    files.extend(content.share_entries("zsh/site-functions", "fish/vendor_completions.d")?);
    pack(release, &package, manifest, files)
}

/// Returns the name and the bytes of the small package, which depends on those of the targets.
///
/// # Errors
/// If the archive cannot hold a path.
pub(super) fn write_main(
    release: &Release,
    targets: &[&Target],
    texts: Vec<Entry>,
) -> Result<(String, Vec<u8>)> {
    let mut manifest = manifest(release, PACKAGE, &release.about);
    let packages = targets
        .iter()
        .map(|it| (it.npm_package(), json!(release.version)));
    let packages: Map<String, Value> = packages.collect();
    manifest.insert("bin".to_owned(), json!({ "agon": "bin/agon.js" }));
    manifest.insert("optionalDependencies".to_owned(), Value::Object(packages));
    let mut files = vec![Entry::program("bin/agon.js", launcher(targets))];
    files.extend(texts);
    pack(release, PACKAGE, manifest, files)
}

/// Returns the launcher with the table of the targets that have a package.
fn launcher(targets: &[&Target]) -> String {
    let rows = targets.iter().map(|target| {
        let Target {
            npm, os, cpu, libc, ..
        } = target;
        let libc = libc.map_or("null".to_owned(), |libc| format!("\"{libc}\""));
        format!("  {{ name: \"{npm}\", os: \"{os}\", cpu: \"{cpu}\", libc: {libc} }},\n")
    });
    LAUNCHER.replace("  // TARGETS\n", &rows.collect::<String>())
}

fn manifest(release: &Release, package: &str, about: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut field = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
    field("name", json!(package));
    field("version", json!(release.version));
    field("description", json!(about));
    field("license", json!(release.licenses));
    field("engines", json!({ "node": ">=14" }));
    if let Some(page) = &release.contact.page {
        field("homepage", json!(page));
        // npm compares it with the repository that a published package was built from.
        field(
            "repository",
            json!({ "type": "git", "url": format!("git+{page}.git") }),
        );
    }
    fields
}

fn pack(
    release: &Release,
    package: &str,
    manifest: Map<String, Value>,
    mut files: Vec<Entry>,
) -> Result<(String, Vec<u8>)> {
    let manifest = serde_json::to_string_pretty(&Value::Object(manifest))? + "\n";
    files.push(Entry::text("package.json", manifest));
    let bytes = tar_gz(&below("package", files), release.time)?;
    Ok((file_name(package, release), bytes))
}

#[cfg(test)]
mod tests;
