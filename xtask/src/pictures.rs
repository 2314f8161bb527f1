//! `cargo xtask pictures`: generates the README's pictures from the recorded debate of `agon demo`.
//!
//! The terminal's picture is an SVG of the program's coloured output. The page's picture is a
//! screenshot by a headless browser: the one named by `AGON_TEST_BROWSER`, or else `chromium`.

mod terminal;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::workspace;

/// The folder of the pictures.
const FOLDER: &str = "docs/img";
/// The debate of `agon demo`.
const DEBATE: &str = "debates/job-queue";
// Readable without zooming in the column of a README.
/// Columns of the terminal.
const WIDTH: usize = 100;
// Small enough that a README loads without noticeable delay.
/// Maximum size of a picture, in bytes.
const MAX_BYTES: u64 = 150 * 1024;
// The answer, its support and the first rows: what a reader sees before scrolling.
/// Width and height of the page's picture.
const PAGE: (u32, u32) = (900, 820);

/// Options for the pictures.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Use this program instead of building one
    #[arg(long)]
    program: Option<PathBuf>,
}

/// Generates both pictures.
pub(crate) fn run(args: &Args) -> Result<bool> {
    let root = workspace::root()?;
    let program = match &args.program {
        Some(program) => program.canonicalize().context("no such program")?,
        None => build(&root)?,
    };
    let home = root.join("target/pictures");
    if home.exists() {
        fs::remove_dir_all(&home).context("cannot clear target/pictures")?;
    }
    fs::create_dir_all(&home).context("cannot make target/pictures")?;
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder).context("cannot make docs/img")?;

    let width = WIDTH.to_string();
    let args = ["demo", "--keep", "--speed", "0", "--width", &width];
    let printed = agon(&program, &home, &args)?;
    let verdict = printed.trim_end().lines();
    let verdict = verdict.skip_while(|line| !line.contains("━━"));
    let verdict: Vec<_> = verdict.collect();
    ensure!(!verdict.is_empty(), "the demo printed no verdict");
    let picture = terminal::svg("agon demo", &verdict);
    write_picture(&folder.join("terminal.svg"), picture.as_bytes())?;

    agon(&program, &home, &["report", "job-queue"])?;
    let page = home.join(DEBATE).join("report.html");
    let shot = home.join("page.png");
    take_screenshot(&page, &shot)?;
    let bytes = fs::read(&shot).context("the browser wrote no picture")?;
    write_picture(&folder.join("page.png"), &bytes)?;
    Ok(true)
}

fn build(root: &Path) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--package", "agon"])
        .current_dir(root)
        .status()
        .context("cannot run cargo")?;
    ensure!(built.success(), "building the program failed");
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("debug/agon"))
}

/// Runs `agon` in a folder and a home of its own, and returns its coloured output.
fn agon(program: &Path, home: &Path, args: &[&str]) -> Result<String> {
    let ran = Command::new(program)
        .args(args)
        .current_dir(home)
        .env_clear()
        .env("HOME", home)
        .env("CLICOLOR_FORCE", "1")
        .output()
        .context("cannot run agon")?;
    if !ran.status.success() {
        bail!(
            "agon {}: {}",
            args.join(" "),
            String::from_utf8_lossy(&ran.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

fn take_screenshot(page: &Path, shot: &Path) -> Result<()> {
    let browser = std::env::var_os("AGON_TEST_BROWSER").unwrap_or_else(|| "chromium".into());
    let (width, height) = PAGE;
    let profile = shot.with_extension("profile");
    let taken = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--screenshot={}", shot.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .context("no browser: name one in AGON_TEST_BROWSER, or install chromium")?;
    ensure!(taken.status.success(), "the browser took no picture");
    Ok(())
}

fn write_picture(path: &Path, bytes: &[u8]) -> Result<()> {
    let size = bytes.len() as u64;
    ensure!(
        size <= MAX_BYTES,
        "{} has {size} bytes; at most {MAX_BYTES} are allowed",
        path.display()
    );
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}: {size} bytes", path.display());
    Ok(())
}
