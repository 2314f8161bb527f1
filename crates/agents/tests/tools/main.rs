//! Agents over real processes: the fake tools in every mood, and the real ones where installed.
#![expect(clippy::unwrap_used, reason = "tests")]

mod acp;
mod acp_consent;
mod acp_faults;
mod acp_real;
mod common;
mod confined;
mod fake;
mod offers;
mod real;
mod servers;
mod toolbox;
