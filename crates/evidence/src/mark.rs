//! Recognizes the pinned folder by a salted hash, so that its path is not written into the record.

/// What tells the folder that a source was pinned from: a path below it is known by this, and the
/// folder itself is not written into the record.
///
/// It is not a secret. The salt stands in the record beside the hash, so a reader of the record can
/// try folders that are likely, such as that of a project in a home for a list of names, and sees which
/// one it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMark {
    /// What the folder is told in: the hash of the manifest, so that one folder has another mark
    /// in another debate.
    salt: String,
    hash: String,
}

impl RootMark {
    /// The mark of `folder`, an absolute path, salted with the hash of the source's manifest.
    pub fn for_folder(manifest: &str, folder: &str) -> Self {
        Self {
            salt: manifest.to_owned(),
            hash: hash(manifest, folder),
        }
    }

    /// The mark as it was kept beside this manifest's hash.
    pub fn from_stored(manifest: &str, hash: &str) -> Self {
        Self {
            salt: manifest.to_owned(),
            hash: hash.to_owned(),
        }
    }

    /// What is to be kept of it: 64 hex digits of BLAKE3.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether it is the mark of `folder`.
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

/// Whether a folder is the working copy that a seat's tool reads: one of the project's `name` in a
/// private folder, as `…/agon/private/4711-9021-3f1c9ae0-51835adf-b93deb5a/shop`.
///
/// Those are gone when the debate ends, so they are told by their shape and not by a mark.
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
