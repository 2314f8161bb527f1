//! The parts of a debate's page that are replaced one by one while it runs.

use agon_caller::system::now_ms;
use agon_report::{PAGE_SECTIONS, debate_page};
use maud::{Markup, html};
use sha2::{Digest as _, Sha256};

use super::{actions, head, under_way};
use crate::loaded::Loaded;
use crate::site::Site;

/// A part of the page.
pub(crate) struct Slot {
    /// Its name in the page.
    pub(crate) id: &'static str,
    /// Changes if and only if the part changes.
    pub(crate) hash: String,
    pub(crate) body: Markup,
    /// Whether it belongs into `main`.
    pub(crate) is_content: bool,
}

impl Slot {
    /// Returns a part that `render` makes for a time in milliseconds since 1970.
    ///
    /// The script counts on by itself, so the time alone does not change the part.
    fn ticking(id: &'static str, render: impl Fn(u64) -> Markup) -> Self {
        let fixed = Self::new(id, true, render(0));
        Self {
            body: render(now_ms()),
            ..fixed
        }
    }

    fn new(id: &'static str, is_content: bool, body: Markup) -> Self {
        // With the name, because several parts may be empty, and a part that becomes empty must be
        // sent.
        let digest = Sha256::digest(format!("{id} {}", body.0));
        // 64 bits, because only the parts of one page are compared.
        let hash = digest.iter().take(8).map(|byte| format!("{byte:02x}"));
        Self {
            id,
            hash: hash.collect(),
            body,
            is_content,
        }
    }

    pub(crate) fn markup(&self) -> Markup {
        html! { div.slot data-slot=(self.id) data-hash=(self.hash) { (self.body) } }
    }
}

/// Returns all parts of the page; those without content are empty.
pub(crate) fn slots(site: &Site, loaded: &Loaded) -> Vec<Slot> {
    let page = debate_page(&loaded.state, loaded.verdict.as_ref(), None);
    let contents = html! {
        nav.contents aria-label="Contents" {
            div {
                a href="#answer" { "Answer" }
                @for section in &page.sections { a href={ "#" (section.id) } { (section.title) } }
            }
        }
    };
    let masthead = html! {
        div.masthead {
            p.kicker { span { (page.kind) } }
            (page.masthead)
        }
    };
    // While the debate runs, its reader wants to steer it; at rest, to read the answer first.
    let (steer, then) = match loaded.run_state.is_live() {
        true => (actions::forms(site, loaded), html! {}),
        false => (html! {}, actions::forms(site, loaded)),
    };
    let mut slots = vec![
        Slot::new("contents", false, contents),
        Slot::new("masthead", true, masthead),
        Slot::ticking("status", |now_ms| {
            head::status_bar(loaded, page.lead.as_deref(), now_ms)
        }),
        Slot::ticking("under-way", |now_ms| under_way::calls(loaded, now_ms)),
        Slot::new("steer", true, steer),
        Slot::new("answer", true, page.answer.clone()),
        Slot::new("then", true, then),
    ];
    for (id, _) in PAGE_SECTIONS {
        let section = page.sections.iter().find(|section| section.id == id);
        let body = section.map_or_else(|| html! {}, agon_report::PageSection::markup);
        slots.push(Slot::new(id, true, body));
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_alone_does_not_change_the_hash_of_a_part() {
        let render = |now_ms: u64| html! { p { (now_ms) } };
        let slot = Slot::ticking("status", render);
        assert_eq!(slot.hash, Slot::new("status", true, render(0)).hash);
        assert_ne!(slot.body.0, render(0).0, "it shows the time of now");
    }
}
