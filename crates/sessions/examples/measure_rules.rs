//! How the rules do on written sessions: `cargo run -p agon-sessions --example measure_rules -- FOLDER`
//! reads `healthy.jsonl` and `planted.jsonl` of the folder, as records of Claude Code and of Codex, and
//! prints what was missed, what was found wrongly, and the figures.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

use agon_sessions::{PatternFinding, Severity};

#[path = "../tests/written/session.rs"]
mod session;

use session::{Host, read_sessions};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name the folder")?;
    let mut out = std::io::stdout().lock();
    for host in [Host::Claude, Host::Codex] {
        let healthy = read_sessions(&Path::new(&folder).join("healthy.jsonl"))?;
        let (mut flagged, mut red) = (0, 0);
        for session in &healthy {
            let found = session.findings(host)?.findings;
            flagged += usize::from(!found.is_empty());
            red += usize::from(found.iter().any(|it| it.severity == Severity::Red));
            for it in &found {
                writeln!(out, "{host:?} false: {} {}", session.name, words(it))?;
            }
        }
        let planted = read_sessions(&Path::new(&folder).join("planted.jsonl"))?;
        let (mut found, mut beside) = (0, 0);
        for session in &planted {
            let all = session.findings(host)?.findings;
            let is_found = all.iter().any(|it| Some(it.pattern) == session.pattern());
            found += usize::from(is_found);
            if !is_found {
                let planted = session.planted.as_deref().unwrap_or_default();
                writeln!(out, "{host:?} missed: {} {planted}", session.name)?;
            }
            for it in all
                .iter()
                .filter(|it| Some(it.pattern) != session.pattern())
            {
                beside += 1;
                writeln!(out, "{host:?} beside: {} {}", session.name, words(it))?;
            }
        }
        writeln!(
            out,
            "{host:?}: {flagged} of {} healthy sessions flagged, {red} red; {found} of {} planted found, {beside} findings beside them",
            healthy.len(),
            planted.len()
        )?;
    }
    Ok(())
}

fn words(finding: &PatternFinding) -> String {
    let words: Vec<&str> = finding
        .evidence
        .iter()
        .map(|it| it.words.as_str())
        .collect();
    format!(
        "{:?} {:?} {}",
        finding.pattern,
        finding.severity,
        words.join(" → ")
    )
}
