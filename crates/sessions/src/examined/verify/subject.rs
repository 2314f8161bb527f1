//! Checks that an act has the finding's subject.

use super::super::words::{collapse, content_words};

/// Returns whether the act has the subject word for word, or each word of it.
pub(super) fn has_subject(act: &str, subject: &str) -> bool {
    let act = collapse(&act.to_lowercase());
    let subject = collapse(&subject.to_lowercase());
    if act.contains(&subject) {
        return true;
    }
    let of_act = content_words(&act);
    let parts = content_words(&subject);
    !parts.is_empty() && parts.iter().all(|it| of_act.contains(it))
}
