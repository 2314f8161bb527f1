//! A debate as documents that people and programs read.
//!
//! Everything here is a pure function of a debate's [`State`]: the files of its
//! folder that are rendered from the record ([`render_documents`]), the state file for
//! hosts ([`last_debate_json`]), and the lines of a terminal ([`screen`]).
//! It opens no file and knows no colour.
//!
//! What a model wrote is data. In Markdown it stays text: it makes no heading,
//! link, image, fence or HTML. On a terminal it moves no cursor and turns no
//! line around. See [`text`] and [`markdown`].

mod document;
mod drawing;
mod finding;
pub mod graph;
mod html;
mod kind;
mod labels;
mod last_debate;
pub mod markdown;
pub mod screen;
pub mod text;

pub use document::{
    DOCUMENTS, Document, decision_record_md, pull_request_md, readme_md, render_documents,
    transcript_md, turn_markdown, verdict_md,
};
pub use drawing::{debate_drawing, graph_drawing};
pub use finding::finding_point_index;
pub use html::html;
pub use kind::{REPORT_KINDS, ReportContent, ReportKind, ReportSource};
pub use last_debate::last_debate_json;

#[cfg(doc)]
use agon_record::state::State;
