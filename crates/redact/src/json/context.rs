//! Which string of a JSON value says what another one is.

use std::ops::Range;

// Names of settings have some 40 characters. Each element of a list is read with its label, so a
// long one would cost its length every time.
/// Bytes of a key or a name that is read with a value.
const MAX_LABEL: usize = 200;

/// Ends of the keys of a member that holds the name of a setting, in lower case.
const NAME_KEYS: [&[u8]; 3] = [b"name", b"key", b"variable"];
/// Ends of the keys of the member that holds its value.
const VALUE_KEYS: [&[u8]; 4] = [b"value", b"content", b"data", b"default"];

/// Keys of the member that holds what the key of the object itself names, in lower case:
/// `"api_key": {"value": …, "sensitive": true}`.
const PLAIN_KEYS: [&[u8]; 7] = [
    b"value",
    b"content",
    b"data",
    b"default",
    b"plain",
    b"plaintext",
    b"current",
];

/// Keys of the members that hold what Terraform has drawn for a resource.
const DRAWN_KEYS: [&[u8]; 2] = [b"result", b"bcrypt_hash"];

/// An object or a list that is being read.
pub(super) struct OpenBracket {
    is_object: bool,
    /// The key of the member that is read; of a list, that of the member which it is the value of.
    key: Option<Range<usize>>,
    /// The key of the member that the object is the value of.
    outer: Option<Range<usize>>,
    /// Which string, by number, is a value whose name has not come yet.
    pub(super) unnamed: Option<usize>,
    /// What the next string is the value of: the name that an object gives in a member of its own, or
    /// the option before it in a list of arguments.
    name: Option<Range<usize>>,
    /// The kind of what the object or one around it describes, if it is one that is drawn.
    pub(super) drawn: Option<Range<usize>>,
    /// Whether a name was read as the value that has just ended.
    is_fresh: bool,
    /// Whether the element before was taken out: it may have been an option, so that the next is not
    /// known to be of the list's kind.
    is_after_tag: bool,
}

impl OpenBracket {
    /// An object that is the value of the member with that key.
    pub(super) const fn object(outer: Option<Range<usize>>) -> Self {
        Self {
            is_object: true,
            key: None,
            outer,
            unnamed: None,
            name: None,
            drawn: None,
            is_fresh: false,
            is_after_tag: false,
        }
    }

    /// A list that is the value of the member with that key.
    pub(super) const fn list(key: Option<Range<usize>>) -> Self {
        Self {
            is_object: false,
            key,
            outer: None,
            unnamed: None,
            name: None,
            drawn: None,
            is_fresh: false,
            is_after_tag: false,
        }
    }

    /// Whether the name of the value that comes next was read.
    pub(super) const fn has_name(&self) -> bool {
        self.is_object && self.name.is_some()
    }

    pub(super) const fn is_object(&self) -> bool {
        self.is_object
    }

    pub(super) fn key(&self) -> Option<Range<usize>> {
        self.key.clone()
    }

    /// Begins the member with that key.
    pub(super) fn begin_member(&mut self, key: &Range<usize>) {
        self.key = (key.len() <= MAX_LABEL).then(|| key.clone());
    }

    /// Ends a value; the option before it counts for one element only.
    pub(super) fn end_value(&mut self) {
        if !self.is_object && !self.is_fresh {
            self.name = None;
        }
        self.is_fresh = false;
    }

    /// The string that says what the one at `inner`, the `number`th, is.
    pub(super) fn label_of(
        &mut self,
        bytes: &[u8],
        inner: &Range<usize>,
        number: usize,
    ) -> Option<Range<usize>> {
        let value = bytes.get(inner.clone()).unwrap_or_default();
        let is_name = value.len() <= MAX_LABEL && value.iter().all(is_name_byte);
        if self.is_object {
            let key = self.key.clone()?;
            let word = bytes.get(key.clone()).unwrap_or_default();
            if word == b"type" && value == b"random_password" {
                self.drawn = Some(inner.clone());
            } else if DRAWN_KEYS.contains(&word) && self.drawn.is_some() {
                return self.drawn.clone();
            }
            if is_name && ends_with_any(word, &NAME_KEYS) {
                self.name = Some(inner.clone());
            } else if ends_with_any(word, &VALUE_KEYS)
                && let Some(name) = self.name.take()
            {
                return Some(name);
            } else if PLAIN_KEYS
                .iter()
                .any(|plain| word.eq_ignore_ascii_case(plain))
                && self.outer.is_some()
            {
                self.unnamed = Some(number);
                return self.outer.clone();
            } else if PLAIN_KEYS
                .iter()
                .any(|plain| word.eq_ignore_ascii_case(plain))
            {
                self.unnamed = Some(number);
            }
            return Some(key);
        }
        let key = self.key.clone().filter(|_| !self.is_after_tag);
        self.is_after_tag = value.starts_with(b"[redacted:");
        let label = self.name.take().or(key);
        if is_name && value.starts_with(b"-") {
            self.name = Some(inner.clone());
            self.is_fresh = true;
        }
        label
    }
}

const fn is_name_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'/')
}

fn ends_with_any(word: &[u8], ends: &[&[u8]]) -> bool {
    ends.iter().any(|end| {
        let at = word.len().checked_sub(end.len());
        at.is_some_and(|at| word[at..].eq_ignore_ascii_case(end))
    })
}
