//! Measures a thousand citations against ten thousand files.

use std::path::Path;
use std::time::Instant;

use agon_evidence::{PinLimits, Resolver, Source};
use agon_record::moves::Citation;

use crate::figure;
use crate::plant::Dice;

const FILES: usize = 10_000;
const CITATIONS: usize = 1_000;
const LINES: usize = 120;
const WORDS: usize = 4_000;

/// Measures and prints the figures.
pub(crate) fn run() {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(7);
    let bytes = generate(folder.path(), &mut dice);
    let before = peak_mb();

    let started = Instant::now();
    let source = Source::pin_tree(folder.path(), &PinLimits::default()).unwrap();
    let pinned = started.elapsed().as_secs_f64();
    let manifest = source.manifest().to_bytes().len();
    let after_pin = peak_mb();

    let citations: Vec<Citation> = (0..CITATIONS)
        .map(|it| citation(folder.path(), it, &mut dice))
        .collect();
    let started = Instant::now();
    let mut resolver = Resolver::new(&source);
    let mut found = 0;
    for citation in &citations {
        let kind = resolver.resolve(citation).kind();
        found += usize::from(kind == agon_record::stamp::StampKind::Found);
    }
    let looked_up = started.elapsed().as_secs_f64();
    assert_eq!(found, CITATIONS * 7 / 10, "seven of ten are true");

    let note = format!("{FILES} files, {} MB", bytes / 1_000_000);
    figure("evidence.pin", pinned, "s", &note);
    figure("evidence.manifest", manifest as f64 / 1e6, "MB", "as JSON");
    figure(
        "evidence.thousand",
        looked_up,
        "s",
        "1,000 citations, three of ten false",
    );
    figure(
        "evidence.pin.memory",
        after_pin - before,
        "MB",
        "more at the peak, to pin",
    );
    figure(
        "evidence.memory",
        peak_mb() - before,
        "MB",
        "more at the peak, to pin and look up",
    );
}

fn path(file: usize) -> String {
    format!("src/part{}/file{file}.rs", file % 100)
}

/// Writes the files and returns their total size in bytes.
fn generate(root: &Path, dice: &mut Dice) -> usize {
    let mut bytes = 0;
    for file in 0..FILES {
        let at = root.join(path(file));
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        let lines: Vec<String> = (0..LINES).map(|_| line(dice)).collect();
        let text = lines.join("\n");
        bytes += text.len();
        std::fs::write(at, text).unwrap();
    }
    bytes
}

fn line(dice: &mut Dice) -> String {
    let words: Vec<String> = (0..6)
        .map(|_| format!("word{}", dice.below(WORDS)))
        .collect();
    format!(
        "    let {} = {}({});",
        words[0],
        words[1],
        words[2..].join(", ")
    )
}

/// Plants seven of ten correctly; the others have words that occur nowhere or in another file.
fn citation(root: &Path, number: usize, dice: &mut Dice) -> Citation {
    let file = dice.below(FILES);
    let text = std::fs::read_to_string(root.join(path(file))).unwrap();
    let at = dice.below(LINES);
    let words = text.lines().nth(at).unwrap().to_owned();
    let other = path((file + 1) % FILES);
    let (file, words) = match number % 10 {
        7 => (path(file), words.replace("let ", "let mut ")),
        8 => (path(file), line(dice)),
        9 => (other, words),
        _ => (path(file), words),
    };
    let line = u32::try_from(at + 1).unwrap();
    Citation {
        file: Some(file),
        lines: Some([line, line]),
        anchor: Some(words),
        ..Citation::default()
    }
}

/// The peak memory of this process.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kb = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kb.unwrap_or(0.0) / 1_000.0
}
