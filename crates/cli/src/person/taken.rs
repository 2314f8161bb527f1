//! An answer that comes as a file, on stdin, or in the form.

use std::io::Read;
use std::path::Path;

use agon_debate::human::{self, MOST_BYTES};
use agon_debate::id::{AskKey, Seat};
use agon_debate::state::State;
use agon_engine::host::{FolderHost, Host};
use agon_report::text::plain;
use agon_store::{RealDisk, answer_path, keep_answer, kept_answer};

use super::checked::Checked;
use super::{hand_in, refused, unkept};
use crate::args::ResumeArgs;
use crate::error::Failure;
use crate::output::Out;
use crate::running::{Place, shown};

/// Hands in what `agon resume` was given, or what stands in the form and no terminal asks about.
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
    let state = host.state().clone();
    let path = place.edge.cwd.join(host.folder().path());
    let all = human::awaited(&state);
    let (key, bytes, name) = match &args.answer {
        None if place.edge.terminal && !place.global.json && args.seat.is_none() => return Ok(()),
        None => match written(&path, &all, args.seat)? {
            Some((key, bytes)) => (key, bytes, shown(place.edge, &answer_path(&path, key))),
            None => return Ok(()),
        },
        Some(source) => {
            let key = one(&state, &all, args.seat)?;
            let bytes = read(source)?;
            if source.as_os_str() == "-"
                && let Ok(text) = std::str::from_utf8(&bytes)
            {
                keep_answer(&RealDisk, &path, key, text).map_err(|error| unkept(&error))?;
            }
            (key, bytes, source.display().to_string())
        }
    };
    let Some(checked) = Checked::of(&state, key, (&name, &bytes)) else {
        if args.answer.is_none() {
            return Ok(());
        }
        let message = format!("nothing is written in {}", plain(&name));
        return Err(refused("blank_answer", message)
            .hint("fill in what you want to say below its headings"));
    };
    checked.refuse(args.as_is, out)?;
    hand_in(host, key, &checked.reply)
}

/// The first filled-in form among those of `keys`.
fn written(
    path: &Path,
    keys: &[AskKey],
    seat: Option<Seat>,
) -> Result<Option<(AskKey, Vec<u8>)>, Failure> {
    for &key in keys
        .iter()
        .filter(|key| seat.is_none_or(|seat| key.turn.seat == seat))
    {
        let bytes = kept_answer(&RealDisk, path, key).map_err(|error| unkept(&error))?;
        if let Some(bytes) = bytes {
            return Ok(Some((key, bytes)));
        }
    }
    Ok(None)
}

/// The ask that an answer is for.
fn one(state: &State, keys: &[AskKey], seat: Option<Seat>) -> Result<AskKey, Failure> {
    let mut meant = keys
        .iter()
        .filter(|key| seat.is_none_or(|seat| key.turn.seat == seat));
    match (meant.next(), meant.next()) {
        (Some(&key), None) => Ok(key),
        (None, _) => Err(
            refused("not_awaited", "the debate does not wait for a person there").hint(format!(
                "agon show {} says where it stands",
                plain(&state.spec.slug)
            )),
        ),
        (Some(one), Some(other)) => Err(refused("missing_parameter", "several people are awaited")
            .parameter("seat")
            .hint(format!(
                "say who answers: --seat {} or --seat {}",
                one.turn.seat, other.turn.seat
            ))),
    }
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
