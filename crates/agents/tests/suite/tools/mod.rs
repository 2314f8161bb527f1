//! Agents with real processes: the fake tools with every behaviour, and the real tools if installed.
#![expect(clippy::unwrap_used, reason = "tests")]
#![expect(
    clippy::print_stderr,
    reason = "the table of what was tried is for people"
)]

mod acp;
mod acp_consent;
mod acp_faults;
mod acp_real;
mod common;
mod confined;
mod fake;
mod host_text;
mod offers;
mod real;
mod servers;
mod toolbox;
mod work;
