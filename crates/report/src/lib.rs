//! Renders a debate as documents, pages and terminal lines.
//!
//! Everything here is a pure function of a debate's [`State`]: the documents of its folder
//! ([`render_documents`]), the state file for hosts ([`last_debate_json`]), and the terminal lines
//! ([`screen`]). The crate opens no file and uses no colours.
//!
//! Text from models is data. In Markdown it creates no heading, link, image, fence or HTML. On a
//! terminal it cannot move the cursor or change the direction of writing. See [`text`] and
//! [`markdown`].

/// Appends formatted text to a string.
macro_rules! put {
    ($out:expr, $($format:tt)*) => {
        {
            use std::fmt::Write as _;
            // Writing to a string does not fail.
            $out.write_fmt(format_args!($($format)*)).unwrap_or_default();
        }
    };
}

mod document;
mod drawing;
mod finding;
pub mod graph;
mod html;
mod kind;
mod labels;
mod last_debate;
pub mod markdown;
pub mod review;
pub mod screen;
pub mod text;

pub use document::{
    DOCUMENTS, Document, RecordForm, decision_record_in_form, decision_record_md, pull_request_md,
    readme_md, record_mark, record_title, render_documents, render_documents_since, transcript_md,
    turn_markdown, verdict_md,
};
pub use drawing::{debate_drawing, graph_drawing};
pub use finding::finding_point_index;
pub use html::{
    DebatePage, PAGE_SCRIPT, PAGE_SECTIONS, PAGE_STYLE, PageSection, csp_hash, debate_page,
    file_head, html, point_panel,
};
pub use kind::{REPORT_KINDS, ReportContent, ReportKind, ReportSource};
pub use last_debate::last_debate_json;

#[cfg(doc)]
use agon_record::state::State;
