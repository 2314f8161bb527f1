//! The key of the user's pages, in a private file.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use agon_caller::{Caller, Code, Failure, system};
use agon_files::Replacement;
use sha2::{Digest as _, Sha256};

/// The number of hexadecimal digits of a key.
const DIGITS: usize = 64;
// Other computers can try tokens, so it needs at least 128 bits if it is hexadecimal.
/// The least number of characters of a token that the user wrote.
const MIN_TOKEN: usize = 32;

/// The secret that opens the pages: 256 random bits.
///
/// It is the same for every server of a user, so that an open page reconnects to a server that was
/// started again.
#[derive(Clone)]
pub(crate) struct Key(String);

impl Key {
    /// Reads the caller's key, or creates one. Without a folder for it, the key is not saved.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or other users can read it.
    pub(crate) fn read_or_create(caller: &Caller) -> Result<Self, Failure> {
        let Some(folder) = key_folder(caller) else {
            return system::new_salt().map(Self);
        };
        let path = folder.join("web-key");
        match read(&path) {
            Ok(key) => return Ok(Self(key)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(key_failure(&path, &error)),
        }
        let new = system::new_salt()?;
        create(&folder, &path, &new).map_err(|error| key_failure(&path, &error))?;
        // Read it again, because another server may have created it at the same time.
        let key = read(&path).map_err(|error| key_failure(&path, &error))?;
        Ok(Self(key))
    }

    /// Returns the key as it appears in an address.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether `given` is the key. The time this takes does not depend on where they
    /// differ.
    pub(crate) fn matches(&self, given: &str) -> bool {
        Sha256::digest(given) == Sha256::digest(&self.0)
    }

    /// Reads the key of a server that other computers can reach from a file of the user.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, other users can read it, or the key is too short.
    pub(crate) fn read_from(path: &Path) -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            let message = format!("cannot use the token in {}: {error}", path.display());
            Failure::new(Code::Store, message)
                .parameter("token_file")
                .hint("create it with: (umask 077; openssl rand -hex 32 > FILE)")
        };
        let text = read_private(path).map_err(failed)?;
        let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        match text.len() >= MIN_TOKEN && text.bytes().all(is_safe) {
            true => Ok(Self(text)),
            false => Err(failed(io::Error::other(format!(
                "a token has at least {MIN_TOKEN} characters: letters, digits, - and _"
            )))),
        }
    }

    /// Returns the key of people who may only watch. It does not reveal this key.
    pub(crate) fn watching(&self) -> Self {
        Self(self.derive("watch"))
    }

    /// Returns the proof that a form came from a page of this server. It does not reveal the key.
    pub(crate) fn form_proof(&self) -> String {
        self.derive("form")
    }

    fn derive(&self, purpose: &str) -> String {
        let digest = Sha256::digest(format!("{purpose} {}", self.0));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Returns the user's private folder in which the key is.
pub(crate) fn key_folder(caller: &Caller) -> Option<PathBuf> {
    caller.state_dir().or_else(|| caller.data_dir())
}

/// Reads the text of a file that only the user can read.
fn read_private(path: &Path) -> io::Result<String> {
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(io::Error::other("other users can read the file"));
    }
    let bytes = agon_files::read(path, 1_024)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

fn read(path: &Path) -> io::Result<String> {
    let text = read_private(path)?;
    let is_key = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match is_key {
        true => Ok(text),
        false => Err(io::Error::other("the file does not contain a key")),
    }
}

/// Creates the file, unless it exists by now.
fn create(folder: &Path, path: &Path, key: &str) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let complete = agon_files::temporary_sibling(path);
    let mut new = Replacement::create(&complete, 0o600)?;
    writeln!(new, "{key}")?;
    new.commit(agon_files::Durable::Yes)?;
    // A link is created whole or not at all, and never replaces a key that is in use.
    let linked = fs::hard_link(&complete, path);
    fs::remove_file(&complete).ok();
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn key_failure(path: &Path, error: &io::Error) -> Failure {
    let message = format!("cannot use the key in {}: {error}", path.display());
    Failure::new(Code::Store, message).hint("delete the file; Agon then creates a new key")
}
