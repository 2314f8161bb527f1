//! Reading debates: shown, listed, checked, rendered, searched, removed.

mod checked;
mod chosen;
mod decided;
mod listed;
mod past;
mod records;
mod reports;
mod shown;
