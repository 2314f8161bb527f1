//! A wheel for PyPI, which carries the program as a script.

use anyhow::Result;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::archive::{Entry, below, zip};
use super::content::Content;
use super::release::Release;
use super::target::{PACKAGE, Target};

/// The oldest glibc that wheels can name.
const OLDEST_GLIBC: (u32, u32) = (2, 17);

/// Returns the name and the bytes of the wheel.
///
/// # Errors
/// If the archive cannot hold a file.
pub(super) fn write(release: &Release, content: &Content) -> Result<(String, Vec<u8>)> {
    let stem = format!("{}-{}", PACKAGE.replace('-', "_"), release.version);
    let platforms = platforms(content);
    let (data, info) = (format!("{stem}.data"), format!("{stem}.dist-info"));
    let program = format!("{data}/scripts/{}", content.target.program());
    let mut files = vec![Entry::program(program, &*content.program)];
    let share = content.share_entries("zsh/site-functions", "fish/vendor_completions.d")?;
    files.extend(below(&format!("{data}/data"), share));
    files.push(Entry::text(
        format!("{info}/METADATA"),
        metadata(release, content),
    ));
    files.push(Entry::text(format!("{info}/WHEEL"), tags(&platforms)));
    files.extend(below(
        &format!("{info}/licenses"),
        content.license_entries(),
    ));
    let record = format!("{info}/RECORD");
    files.push(Entry::text(&*record, self::record(&files, &record)));
    let name = format!("{stem}-py3-none-{}.whl", platforms.join("."));
    Ok((name, zip(&files, release.time)?))
}

/// Returns the platforms on which the wheel installs.
fn platforms(content: &Content) -> Vec<String> {
    let Target { wheel, .. } = content.target;
    if !content.target.is_glibc() {
        return vec![(*wheel).to_owned()];
    }
    let (major, minor) = content
        .needs
        .glibc
        .unwrap_or(OLDEST_GLIBC)
        .max(OLDEST_GLIBC);
    let mut platforms = vec![format!("manylinux_{major}_{minor}_{wheel}")];
    if (major, minor) == OLDEST_GLIBC {
        // The older name of the same platform, for a pip before 20.3.
        platforms.push(format!("manylinux2014_{wheel}"));
    }
    platforms
}

fn metadata(release: &Release, content: &Content) -> String {
    let Release {
        version,
        about,
        licenses,
        ..
    } = release;
    let mut text = format!(
        "Metadata-Version: 2.4\nName: {PACKAGE}\nVersion: {version}\nSummary: {about}\n\
         License-Expression: {licenses}\n"
    );
    for (name, _) in &content.licenses {
        text += &format!("License-File: {name}\n");
    }
    text += "Requires-Python: >=3.7\n";
    if let Some(page) = &release.contact.page {
        text += &format!("Project-URL: Homepage, {page}\n");
    }
    text + "Description-Content-Type: text/markdown\n\n" + &content.readme
}

fn tags(platforms: &[String]) -> String {
    let mut text = "Wheel-Version: 1.0\nGenerator: xtask\nRoot-Is-Purelib: false\n".to_owned();
    for platform in platforms {
        text += &format!("Tag: py3-none-{platform}\n");
    }
    text
}

/// Returns the list of all files with their hashes; it lists itself without one.
fn record(files: &[Entry], own: &str) -> String {
    let rows = files.iter().map(|Entry { path, bytes, .. }| {
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(bytes));
        format!("{path},sha256={hash},{}\n", bytes.len())
    });
    rows.collect::<String>() + own + ",,\n"
}

#[cfg(test)]
mod tests;
