//! The file beside a work tree's git data that identifies the member working there.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use agon_files::Durable;
use serde::{Deserialize, Serialize};

use crate::id::MemberName;
use crate::store::error::StoreError;
use crate::store::location::TeamLocation;
use crate::store::members::MemberToken;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TokenText {
    schema: String,
    member: MemberName,
    token: MemberToken,
}

/// Maximum size of the file, in bytes.
const MAX_BYTES: u64 = 64 << 10;

const SCHEMA: &str = "agon.member/1";

impl TeamLocation {
    /// Binds a member to this work tree by writing its token where only the user can read it. The
    /// file of an earlier member is replaced in one step.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(super) fn write_token(
        &self,
        member: &MemberName,
        token: &MemberToken,
    ) -> Result<(), StoreError> {
        let path = self.token_file();
        let dir = path.parent().unwrap_or(&path);
        let error = |cause| io_error("write", &path, cause);
        match DirBuilder::new().mode(0o700).create(dir) {
            Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(error(cause)),
            Ok(()) | Err(_) => {}
        }
        let text = TokenText {
            schema: SCHEMA.to_owned(),
            member: member.clone(),
            token: token.clone(),
        };
        let text = serde_json::to_string(&text).map_err(|cause| error(cause.into()))?;
        agon_files::replace(&path, text.as_bytes(), 0o600, Durable::Yes).map_err(error)
    }

    /// Returns the member that is bound to this work tree with its token, or `None`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or Agon did not write it.
    pub fn read_token(&self) -> Result<Option<(MemberName, MemberToken)>, StoreError> {
        let path = self.token_file();
        let text = match agon_files::read_to_string(&path, MAX_BYTES) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(io_error("read", &path, cause)),
        };
        // The parse error is not quoted, because it could contain the token.
        match serde_json::from_str::<TokenText>(&text) {
            Ok(file) if file.schema == SCHEMA => Ok(Some((file.member, file.token))),
            Ok(_) | Err(_) => Err(StoreError::Foreign(path)),
        }
    }

    /// Unbinds the member from this work tree.
    ///
    /// # Errors
    ///
    /// If the file cannot be removed.
    pub fn remove_token(&self) -> Result<(), StoreError> {
        let path = self.token_file();
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                Err(io_error("remove", &path, cause))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

fn io_error(doing: &'static str, path: &Path, cause: io::Error) -> StoreError {
    StoreError::Io {
        doing,
        path: path.to_owned(),
        cause,
    }
}
