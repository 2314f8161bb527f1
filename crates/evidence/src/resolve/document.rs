//! Decides whether the name of a document is a file name.

use crate::extract::{extract_citations, starts_with_host_name};
use crate::known::KnownPaths;

// `swift`, `proto` and `ipynb` have five characters. With a longer limit, more sentences without a
// space after the full stop would look like file names.
/// Maximum length of a file extension, in letters and digits.
const MAX_ENDING: usize = 5;

/// Returns whether the name of a document is a file name, perhaps with line numbers, rather than a
/// title.
///
/// A name without white space is a file name if it has a folder or an extension, so that an
/// invented file does not pass as a book. Names of sites (`kubernetes.io/docs`), products
/// (`Node.js`), numbers (`v1.2`) and standards in capitals (`ISO/IEC`, `HTTP/1.1`) are titles.
pub(super) fn is_file_name(name: &str) -> bool {
    if let [only] = extract_citations(name, &KnownPaths::default()).as_slice()
        && only.citation.file.is_some()
        && only.span == [0, name.len()]
    {
        return true;
    }
    if name.contains(char::is_whitespace) || name.contains("://") || starts_with_host_name(name) {
        return false;
    }
    let (folder, last) = match name.rsplit_once('/') {
        Some((folder, last)) => (Some(folder), last),
        None => (None, name),
    };
    if has_file_extension(last) {
        return folder.is_some() || !is_product_name(last);
    }
    folder.is_some() && name.contains(char::is_lowercase)
}

fn has_file_extension(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let is_short = (1..=MAX_ENDING).contains(&ending.len());
    let letters = || ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_number = || ending.bytes().all(|byte| byte.is_ascii_digit());
    !stem.is_empty() && is_short && letters() && !is_number()
}

/// Returns whether a name is a product's name: a library may be named like a file of its language.
fn is_product_name(name: &str) -> bool {
    name.ends_with(".js") && name.starts_with(char::is_uppercase)
}
