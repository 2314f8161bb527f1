//! Secrets that only the structure around them names.

use crate::places::{assert_kept, assert_taken};

#[test]
fn a_field_of_a_form_that_reads_like_a_file_name_is_a_password() {
    assert_taken(&["user=ops&password=⟦KsqzxrLnwP.Vm⟧&remember=1"]);
    assert_kept(&["user=ops&password=Reset.page&remember=1"]);
}
