//! What the rules find in records of sessions: `cargo run -p agon-sessions --example patterns FILE...`
//! prints a line of JSON a file, so that the rules can be held against labelled sessions.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

use agon_sessions::{Findings, FindingsOptions, RecentEntries, open_session, recognize_session};
use serde_json::json;

const RECENT_BYTES: usize = 50 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for file in std::env::args().skip(1) {
        let session = recognize_session(Path::new(&file)).ok_or("it is not known")?;
        let mut reader = open_session(&session).ok_or("it cannot be opened")?;
        let mut recent = RecentEntries::new(RECENT_BYTES);
        reader.read(&mut |entry| recent.push(entry))?;
        let options = FindingsOptions {
            limits: None,
            project: session.project.clone(),
            is_debate: false,
        };
        let findings = Findings::of(recent.iter(), &options).findings;
        writeln!(out, "{}", json!({ "file": file, "findings": findings }))?;
    }
    Ok(())
}
