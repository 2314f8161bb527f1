//! The frame of every page: head, navigation, style and scripts.

use std::sync::{Arc, LazyLock};

use agon_report::{PAGE_SCRIPT, PAGE_STYLE};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::site::Site;

/// The style sheet of every page: that of a debate's report, with the parts that only a server has.
pub(crate) static STYLE: LazyLock<String> =
    LazyLock::new(|| [PAGE_STYLE, include_str!("web.css")].concat());
/// The scripts: the one of a debate's report, and the one that keeps pages up to date.
pub(crate) const SCRIPTS: [&str; 2] = [PAGE_SCRIPT, include_str!("web.js")];

/// The pages in the navigation: address, name, and whether people who may only watch have it too.
const PAGES: &[(&str, &str, bool)] = &[
    ("/", "Debates", true),
    ("/new", "New debate", false),
    ("/team", "Team", true),
    ("/sessions", "Sessions", false),
    ("/recall", "Decisions", true),
    ("/usage", "Usage", true),
    ("/tools", "Tools", false),
    ("/settings", "Settings", false),
];

/// What differs between the frames of two pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageHead<'a> {
    /// The title, without the program's name.
    pub(crate) title: &'a str,
    /// The address of the page in the navigation; empty if it is not there.
    pub(crate) place: &'a str,
    /// The debate that the page shows and keeps up to date.
    pub(crate) live: Option<LivePage<'a>>,
}

/// A page that the script keeps up to date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LivePage<'a> {
    /// The address of the page.
    pub(crate) address: &'a str,
    /// The last line of the record when the page was made; the script asks for later ones.
    pub(crate) seq: u64,
    /// The run state, such as `running`.
    pub(crate) state: &'a str,
}

impl<'a> PageHead<'a> {
    pub(crate) fn titled(title: &'a str) -> Self {
        Self {
            title,
            ..Self::default()
        }
    }
}

/// Returns a whole page with `body`, which contains an element `#answer` for the link that skips
/// the navigation.
pub(crate) fn render(site: &Arc<Site>, head: &PageHead<'_>, body: &Markup) -> Markup {
    let live = head.live.as_ref();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="same-origin";
                meta name="color-scheme" content="light dark";
                meta name="generator" content="agon";
                link #icon rel="icon" href=(icon("#625d54"));
                title { (head.title) " · Agon" }
                style { (PreEscaped(&*STYLE)) }
                @for script in SCRIPTS { script { (PreEscaped(script)) } }
            }
            body.web data-live=[live.map(|live| live.address)] data-seq=[live.map(|live| live.seq)]
                data-state=[live.map(|live| live.state)] {
                a.skip href="#answer" { "Skip to the content" }
                header.site {
                    a.brand href="/" { "Agon" }
                    nav aria-label="Pages" {
                        @for (address, name, _) in PAGES.iter().filter(|(.., is_shared)| *is_shared || !site.is_watching()) {
                            a href=(address) aria-current=[(*address == head.place).then_some("page")] { (name) }
                        }
                    }
                    span.project title="The project whose debates are shown" { (site.project_name()) }
                    button #theme type="button" hidden aria-label="Change the colours" { "◐" }
                }
                (body)
                p #announced.unseen role="status" aria-live="polite" {}
            }
        }
    }
}

/// Returns an icon of this colour as an address, which contains the picture itself.
fn icon(colour: &str) -> String {
    let colour = colour.replace('#', "%23");
    format!(
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='{colour}'/%3E%3C/svg%3E"
    )
}
