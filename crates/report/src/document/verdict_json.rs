//! `verdict.json`: the whole verdict, for programs.

use agon_debate::state::State;
use agon_debate::verdict::verdict;

use super::Document;
use crate::host::json;

pub(super) const DOCUMENT: Document = Document {
    path: "verdict.json",
    about: "the whole verdict, for programs",
    render: |state: &State| Some(json(&verdict(state)?)),
};
