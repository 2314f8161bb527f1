//! A Debian package: an `ar` archive of two tars. Without scripts and configuration files, so that
//! installing, upgrading, removing and purging it only moves files.

use std::fmt::Write as _;

use anyhow::{Result, bail};

use super::archive::{Entry, ar, below, gzip, tar_gz_with_folders};
use super::content::Content;
use super::release::Release;
use super::target::PACKAGE;

/// Each line starts with a space, which is how the field continues.
const LONG_ABOUT: &str =
    " Two AI tools argue your decision, a third one judges, and code checks what
 they cite. You get a verdict that you can check.
 .
 Agon uses the AI tools that you are logged in to. If there are none, a small
 built-in model shows how a debate runs.
";

/// Returns the name and the bytes of the package for a Debian architecture.
///
/// # Errors
/// If the program needs a shared library of an unknown package.
pub(super) fn write(
    release: &Release,
    content: &Content,
    architecture: &str,
) -> Result<(String, Vec<u8>)> {
    let files = files(release, content)?;
    let control = control(release, content, architecture, &files)?;
    let control = [Entry::text("control", control)];
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        (
            "control.tar.gz",
            tar_gz_with_folders(&control, release.time)?,
        ),
        ("data.tar.gz", tar_gz_with_folders(&files, release.time)?),
    ];
    let name = format!("{PACKAGE}_{}_{architecture}.deb", release.version);
    Ok((name, ar(&members, release.time)?))
}

fn files(release: &Release, content: &Content) -> Result<Vec<Entry>> {
    let mut files = vec![Entry::program("bin/agon", &*content.program)];
    files.extend(content.share_entries("zsh/vendor-completions", "fish/vendor_completions.d")?);
    let about = |name: &str, bytes| Entry::text(format!("share/doc/{PACKAGE}/{name}"), bytes);
    files.push(about("copyright", copyright(release, content).into_bytes()));
    for (name, text) in &content.licenses {
        files.push(about(&format!("{name}.gz"), gzip(text.as_bytes())?));
    }
    Ok(below("usr", files))
}

/// Returns the page on licenses that Debian expects; the long texts are beside it.
fn copyright(release: &Release, content: &Content) -> String {
    let mut page = format!(
        "Agon {}\n\nAgon is licensed under {}, at your choice.\nThe program includes code of \
         others. All licenses are in this folder:\n\n",
        release.version, release.licenses
    );
    for (name, _) in &content.licenses {
        page += &format!("  {name}.gz\n");
    }
    page
}

fn control(
    release: &Release,
    content: &Content,
    architecture: &str,
    files: &[Entry],
) -> Result<String> {
    let kilobytes: usize = files
        .iter()
        .map(|file| file.bytes.len().div_ceil(1024))
        .sum();
    let mut control = format!(
        "Package: {PACKAGE}\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {}\n\
         Installed-Size: {kilobytes}\n",
        release.version,
        release.contact.maintainer()
    );
    let depends = depends(content)?;
    if !depends.is_empty() {
        writeln!(control, "Depends: {}", depends.join(", "))?;
    }
    // For `--context diff`; everything else reads repositories without it.
    control += "Recommends: git\nSection: utils\nPriority: optional\n";
    if let Some(page) = &release.contact.page {
        writeln!(control, "Homepage: {page}")?;
    }
    writeln!(control, "Description: {}", release.about)?;
    Ok(control + LONG_ABOUT)
}

/// Returns the packages with the shared libraries that the program needs.
fn depends(content: &Content) -> Result<Vec<String>> {
    let mut packages = Vec::new();
    for library in &content.needs.libraries {
        let package = match library.split(".so").next().unwrap_or_default() {
            "libc" | "libm" | "libdl" | "libpthread" | "librt" | "libutil" | "ld-linux-x86-64"
            | "ld-linux-aarch64" => match content.needs.glibc {
                Some((major, minor)) => format!("libc6 (>= {major}.{minor})"),
                None => "libc6".to_owned(),
            },
            // Its name before Debian 11.
            "libgcc_s" => "libgcc-s1 | libgcc1".to_owned(),
            _ => bail!("which Debian package has {library}? Add it to package/deb.rs"),
        };
        if !packages.contains(&package) {
            packages.push(package);
        }
    }
    Ok(packages)
}

#[cfg(test)]
mod tests;
