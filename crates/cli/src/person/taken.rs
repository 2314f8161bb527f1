//! An answer that comes as a file, on stdin, or in the form.

use std::io::Read;
use std::path::Path;

use agon_engine::host::{FolderHost, Host};
use agon_prompt::human::{self, MOST_BYTES, unfinished};
use agon_record::id::{AskKey, Seat};
use agon_record::state::State;
use agon_report::text::plain;
use agon_rules::plan;
use agon_store::{RealDisk, answer_path, keep_answer, keep_beside, kept_answer};

use super::checked::Checked;
use super::{hand_in, refused, unkept};
use crate::args::ResumeArgs;
use crate::error::Failure;
use crate::output::Out;
use crate::running::{Place, shown};

/// Hands in what `agon resume` was given, or forms that are done where no terminal asks about them.
///
/// # Errors
///
/// If it cannot be read, breaks rules, or nobody waits for it.
pub(crate) fn take(
    place: Place<'_>,
    args: &ResumeArgs,
    host: &mut FolderHost,
    out: &mut Out,
) -> Result<(), Failure> {
    let keys = meant(host.state(), args.seat)?;
    match &args.answer {
        Some(source) => given(place, (args, source), host, (&keys, out)),
        // Who sits at a terminal is asked, and a process that was handed the debate asks nobody.
        None if args.handed || (place.edge.terminal && !place.global.json) => Ok(()),
        None => forms(place, args, host, (&keys, out)),
    }
}

/// The failure for an answer or a seat that a debate does not wait for.
pub(crate) fn not_awaited(state: &State) -> Failure {
    refused("not_awaited", "the debate does not wait for a person there").hint(format!(
        "agon show {} says where it stands",
        plain(&state.spec.slug)
    ))
}

/// The asks that wait for a person, of one seat where it is named.
fn meant(state: &State, seat: Option<Seat>) -> Result<Vec<AskKey>, Failure> {
    let mut keys = plan::awaited(state);
    if let Some(seat) = seat {
        keys.retain(|key| key.turn.seat == seat);
        if keys.is_empty() {
            return Err(not_awaited(state).parameter("seat"));
        }
    }
    Ok(keys)
}

/// Hands in the forms that are done.
fn forms(
    place: Place<'_>,
    args: &ResumeArgs,
    host: &mut FolderHost,
    (keys, out): (&[AskKey], &mut Out),
) -> Result<(), Failure> {
    let path = place.edge.cwd.join(host.folder().path());
    for &key in keys {
        let state = host.state().clone();
        let Some(bytes) = kept_answer(&RealDisk, &path, key).map_err(|error| unkept(&error))?
        else {
            continue;
        };
        let name = shown(place.edge, &answer_path(&path, key));
        let Some(checked) = Checked::of(&state, key, (&name, &bytes)) else {
            continue;
        };
        if let Some(line) = checked.unfinished {
            out.note(&format!(
                "note: {} is not handed in: when it is done, take its line {line} out, or use --answer FILE",
                plain(&name)
            ));
            continue;
        }
        checked.refuse(args.as_is, out)?;
        if plan::awaited(&state).contains(&key) {
            hand_in(
                place,
                host,
                ((key, state.words.len()), &checked.reply, &bytes),
                out,
            )?;
        }
    }
    Ok(())
}

/// Hands in what stands in a file, or on stdin for `-`.
fn given(
    place: Place<'_>,
    (args, source): (&ResumeArgs, &Path),
    host: &mut FolderHost,
    (keys, out): (&[AskKey], &mut Out),
) -> Result<(), Failure> {
    let state = host.state().clone();
    let key = one(&state, keys)?;
    let bytes = read(source)?;
    let name = source.display().to_string();
    let Some(checked) = Checked::of(&state, key, (&name, &bytes)) else {
        let message = format!("nothing is written in {}", plain(&name));
        return Err(refused("blank_answer", message)
            .hint("fill in what you want to say below its headings"));
    };
    let mut handed = checked.refuse(args.as_is, out);
    if handed.is_ok() {
        handed = hand_in(
            place,
            host,
            ((key, state.words.len()), &checked.reply, &bytes),
            out,
        );
    }
    if handed.is_err() && source.as_os_str() == "-" {
        keep(place, host, (key, &bytes), out)?;
    }
    handed
}

/// The only ask that an answer can be for.
fn one(state: &State, keys: &[AskKey]) -> Result<AskKey, Failure> {
    match keys {
        [] => Err(not_awaited(state)),
        [key] => Ok(*key),
        [one, other, ..] => Err(refused("missing_parameter", "several people are awaited")
            .parameter("seat")
            .hint(format!(
                "say who answers: --seat {} or --seat {}",
                one.turn.seat, other.turn.seat
            ))),
    }
}

/// Keeps what came on stdin, which nothing else has: in the form where nothing is written in it,
/// else beside it.
fn keep(
    place: Place<'_>,
    host: &FolderHost,
    (key, bytes): (AskKey, &[u8]),
    out: &mut Out,
) -> Result<(), Failure> {
    let path = place.edge.cwd.join(host.folder().path());
    let before = kept_answer(&RealDisk, &path, key)
        .ok()
        .flatten()
        .unwrap_or_default();
    let free =
        std::str::from_utf8(&before).is_ok_and(|text| human::untouched(host.state(), key, text));
    let kept = match std::str::from_utf8(bytes) {
        Ok(text) if free => keep_answer(&RealDisk, &path, key, unfinished(text).as_bytes()),
        Ok(_) | Err(_) => keep_beside(&RealDisk, &path, key, (None, bytes)),
    };
    let kept = kept.map_err(|error| unkept(&error))?;
    let kept = shown(place.edge, &kept);
    out.note(&format!("note: what came is kept in {}", plain(&kept)));
    Ok(())
}

/// What stands in a file, or on stdin for `-`.
fn read(source: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        let message = format!("cannot read {}: {error}", source.display());
        refused("answer", message)
    };
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    let read = if source.as_os_str() == "-" {
        std::io::stdin().take(most).read_to_end(&mut bytes)
    } else {
        let file = std::fs::File::open(source).map_err(|error| failed(&error))?;
        file.take(most).read_to_end(&mut bytes)
    };
    read.map_err(|error| failed(&error))?;
    if bytes.len() > MOST_BYTES {
        return Err(failed(&format!("more than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}
