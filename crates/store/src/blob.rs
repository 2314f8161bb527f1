//! Stores replies and files that are too large for a journal line, named by their hash.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agon_record::event::{Event, Reply};
use agon_record::state::State;
use blake3::Hash;

use crate::disk::{Disk, DiskError, Durable, read_if_exists, replace_file};
use crate::layout::Layout;

// Four times the longest reply that a tool may give, so that no reply of a tool needs its own file.
/// Maximum length of a reply in the journal itself, in bytes.
pub const INLINE_MAX: usize = 256 * 1024;

/// A blob that the journal names but that is missing or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobFault {
    /// Its name, at most 64 characters.
    pub hash: String,
    /// Whether it is missing, rather than changed.
    pub missing: bool,
}

/// The blobs of one folder.
#[derive(Clone, Copy, Debug)]
pub struct Blobs<'a> {
    /// The disk.
    pub disk: &'a dyn Disk,
    /// The paths of the folder.
    pub layout: &'a Layout,
}

impl Blobs<'_> {
    /// Prepares events for the journal: stores large replies as blobs first, synced to disk.
    ///
    /// # Errors
    ///
    /// If one cannot be written.
    pub fn store_large_replies<'e>(
        &self,
        events: &'e [Event],
    ) -> Result<Cow<'e, [Event]>, DiskError> {
        let mut replies = events.iter().flat_map(event_replies);
        if !replies.any(|reply| text_if_large(reply).is_some()) {
            return Ok(Cow::Borrowed(events));
        }
        let mut events = events.to_vec();
        for reply in events.iter_mut().flat_map(event_replies_mut) {
            if let Some((stored, text)) = to_blob_reply(reply) {
                self.store(text.as_bytes())?;
                *reply = stored;
            }
        }
        Ok(Cow::Owned(events))
    }

    /// Restores the text of large replies in events read from the journal.
    pub(crate) fn restore_event_replies(
        &self,
        events: &mut [Event],
    ) -> Result<Vec<BlobFault>, DiskError> {
        self.restore_replies(events.iter_mut().flat_map(event_replies_mut))
    }

    /// Restores the text of large replies in a state.
    pub(crate) fn restore_state_replies(
        &self,
        state: &mut State,
    ) -> Result<Vec<BlobFault>, DiskError> {
        self.restore_replies(state_replies(state))
    }

    fn restore_replies<'r>(
        &self,
        replies: impl Iterator<Item = &'r mut Reply>,
    ) -> Result<Vec<BlobFault>, DiskError> {
        let mut faults = Vec::new();
        for reply in replies {
            let Reply::Blob { hash, .. } = &*reply else {
                continue;
            };
            match self.load_reply_text(hash)? {
                Ok(text) => *reply = Reply::Text(text),
                Err(fault) => faults.push(fault),
            }
        }
        Ok(faults)
    }

    /// Stores `bytes` under their hash, synced to disk.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn store(&self, bytes: &[u8]) -> Result<(), DiskError> {
        let to = self.path(&blake3::hash(bytes));
        self.layout
            .ensure_dir(self.disk, &self.layout.blobs_dir())?;
        // Write even if the file exists, because it may never have been synced.
        let temp = self.layout.temp_file();
        replace_file(self.disk, &temp, &to, bytes, Durable::Yes)
    }

    /// Returns the bytes stored under `name`; `None` if they are missing or changed.
    pub(crate) fn read_verified(&self, name: &str) -> Result<Option<Vec<u8>>, DiskError> {
        let Ok(hash) = Hash::from_hex(name) else {
            return Ok(None);
        };
        let bytes = read_if_exists(self.disk, &self.path(&hash))?;
        Ok(bytes.filter(|bytes| blake3::hash(bytes) == hash))
    }

    fn load_reply_text(&self, name: &str) -> Result<Result<String, BlobFault>, DiskError> {
        let fault = |missing| {
            let hash = name.chars().take(64).collect();
            Ok(Err(BlobFault { hash, missing }))
        };
        // Accept only a hash, because the name becomes a path.
        let Ok(hash) = Hash::from_hex(name) else {
            return fault(false);
        };
        let Some(bytes) = read_if_exists(self.disk, &self.path(&hash))? else {
            return fault(true);
        };
        if blake3::hash(&bytes) != hash {
            return fault(false);
        }
        String::from_utf8(bytes).map_or_else(|_| fault(false), |text| Ok(Ok(text)))
    }

    fn path(&self, hash: &Hash) -> PathBuf {
        self.layout.blobs_dir().join(hash.to_hex().as_str())
    }
}

/// Replaces the text of large replies in a state by references to blobs.
pub(crate) fn strip_large_replies(state: &mut State) {
    for reply in state_replies(state) {
        if let Some((stored, _)) = to_blob_reply(reply) {
            *reply = stored;
        }
    }
}

fn state_replies(state: &mut State) -> impl Iterator<Item = &mut Reply> {
    let imported = state
        .kind
        .as_formal_mut()
        .map(|formal| &mut formal.imported);
    let asks = state.turns.values_mut().flat_map(|turn| &mut turn.asks);
    let given = asks.filter_map(|ask| Some(&mut ask.given.as_mut()?.reply));
    given.chain(imported.into_iter().flat_map(BTreeMap::values_mut))
}

/// Returns how many texts of the event are too large for a journal line.
pub fn count_large_texts(event: &Event) -> usize {
    let large = event_replies(event).into_iter().filter_map(text_if_large);
    large.count()
}

fn event_replies(event: &Event) -> Vec<&Reply> {
    if let Event::Given(given) = event {
        vec![&given.reply]
    } else if let Event::Imported(imported) = event {
        imported.files.values().collect()
    } else {
        Vec::new()
    }
}

fn event_replies_mut(event: &mut Event) -> Vec<&mut Reply> {
    if let Event::Given(given) = event {
        vec![&mut given.reply]
    } else if let Event::Imported(imported) = event {
        imported.files.values_mut().collect()
    } else {
        Vec::new()
    }
}

fn text_if_large(reply: &Reply) -> Option<&str> {
    match reply {
        Reply::Text(text) if text.len() > INLINE_MAX => Some(text),
        Reply::Text(_) | Reply::Blob { .. } => None,
    }
}

/// Returns the blob reference that replaces a large reply, and the reply's text; `None` for a reply
/// that fits the journal line.
fn to_blob_reply(reply: &Reply) -> Option<(Reply, String)> {
    let text = text_if_large(reply)?.to_owned();
    let stored = Reply::Blob {
        hash: blake3::hash(text.as_bytes()).to_hex().to_string(),
        bytes: text.len() as u64,
    };
    Some((stored, text))
}

/// Reads the blob with the hash `name` of the debate in `folder`; `None` if it is missing or
/// changed.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_blob(disk: &dyn Disk, folder: &Path, name: &str) -> Result<Option<Vec<u8>>, DiskError> {
    let layout = &Layout::new(folder);
    Blobs { disk, layout }.read_verified(name)
}
