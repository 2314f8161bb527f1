//! Recognizes the pinned folder by a salted hash of its path, so that the record does not contain
//! the path.

/// A salted hash that identifies the pinned folder without storing its path in the record.
///
/// It is not a secret. The record contains the salt beside the hash, so a reader can test likely
/// folders, such as a project in the home folders of a list of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMark {
    /// The salt: the hash of the manifest, so that a folder has a different mark in each debate.
    salt: String,
    hash: String,
}

impl RootMark {
    /// Computes the mark of `folder`, an absolute path, salted with the hash of the source's
    /// manifest.
    pub fn for_folder(manifest: &str, folder: &str) -> Self {
        Self {
            salt: manifest.to_owned(),
            hash: hash(manifest, folder),
        }
    }

    /// Restores a stored mark; `manifest` is the hash of the manifest beside it.
    pub fn from_stored(manifest: &str, hash: &str) -> Self {
        Self {
            salt: manifest.to_owned(),
            hash: hash.to_owned(),
        }
    }

    /// Returns the stored part of the mark: 64 hexadecimal digits of BLAKE3.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Returns whether this is the mark of `folder`.
    pub(crate) fn matches_folder(&self, folder: &str) -> bool {
        hash(&self.salt, folder) == self.hash
    }
}

fn hash(salt: &str, folder: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(salt.as_bytes()).update(&[0]);
    hasher.update(folder.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// Returns whether a folder is a seat's working copy of the project `name`: a folder in a private
/// folder, such as `…/agon/private/4711-9021-3f1c9ae0-51835adf-b93deb5a/shop`.
///
/// These folders are deleted when the debate ends, so they are recognized by their shape, not by a
/// mark.
pub(crate) fn is_seat_copy(folder: &str, name: &str) -> bool {
    let mut parts = folder.rsplit('/');
    let own = if name.is_empty() { "project" } else { name };
    let is_own = parts.next() == Some(own);
    let private = parts.next().unwrap_or("");
    let is_hex = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_hexdigit());
    let place = parts.next().unwrap_or("");
    is_own
        && private.split('-').count() >= 4
        && private.split('-').all(is_hex)
        && (place == "private" && parts.next() == Some("agon") || place.starts_with("agon-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_of_a_seat_is_told_by_its_shape() {
        for (folder, expected) in [
            (
                "/var/cache/agon/private/4711-90-3f1c9ae0-51835adf-b93deb5a/shop",
                true,
            ),
            ("/tmp/agon-1000/4711-90-3f1c9ae0-51835adf/shop", true),
            ("/tmp/agon-1000/4711-90-3f1c9ae0-51835adf/other", false),
            ("/tmp/agon-1000/copies/shop", false),
            ("/srv/4711-90-3f1c9ae0-51835adf/shop", false),
            ("/srv/shop", false),
        ] {
            assert_eq!(is_seat_copy(folder, "shop"), expected, "{folder}");
        }
    }
}
