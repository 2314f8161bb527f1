//! The page in a real browser, where one is installed.
//!
//! With `AGON_TEST_SHOTS` set, pictures of the pages are left in that folder.
#![expect(
    clippy::disallowed_methods,
    reason = "a browser reads a file, and pictures are to be looked at"
)]

use std::fs;

use agon_record::event::{Cause, CauseCode};
use agon_record::finding::Severity;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{Citation, Formal, Moves};
use agon_record::spec::Context;
use agon_record::state::{State, TurnEnd};
use agon_report::html;
use agon_testkit::browser::{Browser, Screen, SideEffects, file_url};
use agon_verdict::verdict::verdict;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::debates::with_findings;
use crate::exchanges::{opened, played, scripted};
use crate::{formal, hostile};
use agon_samples::job_store::{finding, turn};

const ENTER: u32 = 13;
const ESCAPE: u32 = 27;
const RIGHT: u32 = 39;
const DOWN: u32 = 40;

/// The page of `state` with its verdict.
fn page_of(state: &State, narrative: Option<&str>) -> String {
    html(state, verdict(state).as_ref(), narrative)
}

/// A page in a file of its own.
struct Shown {
    place: TempDir,
    browser: Browser,
}

impl Shown {
    /// The page of `state` on a desk's screen; none without a browser.
    fn new(state: &State) -> Option<Self> {
        Self::of(&page_of(state, None))
    }

    fn of(page: &str) -> Option<Self> {
        let mut shown = Self {
            browser: Browser::start()?,
            place: tempfile::tempdir().unwrap(),
        };
        fs::write(shown.place.path().join("report.html"), page).unwrap();
        shown.open("", Screen::DESK);
        Some(shown)
    }

    fn url(&self) -> String {
        file_url(&self.place.path().join("report.html"))
    }

    fn open(&mut self, fragment: &str, screen: Screen) {
        let url = format!("{}{fragment}", self.url());
        self.browser.open(&url, screen);
    }

    fn value(&mut self, expression: &str) -> Value {
        self.browser.value(expression)
    }

    /// The words of the panel; null while it is closed.
    fn panel(&mut self) -> Value {
        self.value("(() => { const it = document.getElementById('panel'); return it.hidden ? null : it.innerText })()")
    }

    /// Nothing was asked for but the page, nothing was said, nothing popped up.
    fn is_quiet(&mut self) {
        let side_effects = self.browser.side_effects();
        let asked = side_effects
            .requests
            .iter()
            .map(|url| url.split('#').next());
        let asked: Vec<_> = asked.flatten().map(str::to_owned).collect();
        let wanted = SideEffects {
            requests: vec![self.url()],
            ..SideEffects::default()
        };
        assert_eq!(
            SideEffects {
                requests: asked,
                ..side_effects
            },
            wanted
        );
    }

    /// Leaves a picture for somebody to look at, where it is wanted.
    fn keep(&mut self, name: &str, whole: bool) {
        let Some(folder) = std::env::var_os("AGON_TEST_SHOTS") else {
            return;
        };
        let folder = std::path::Path::new(&folder);
        let picture = self.browser.picture(whole);
        fs::write(folder.join(format!("{name}.png")), picture).unwrap();
        fs::copy(
            self.place.path().join("report.html"),
            folder.join(format!("{name}.html")),
        )
        .unwrap();
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn a_click_on_a_point_opens_it_whole() {
    let Some(mut shown) = Shown::new(&with_findings().state()) else {
        return;
    };
    assert_eq!(shown.panel(), Value::Null);
    shown.keep("duel", true);
    shown.browser.click("#graph a[href='#pro_001a']");
    let panel = shown.panel();
    for words in [
        "Claim and lease are two steps",
        "src/store.rs:88-104",
        "Warrant",
        "cha_001a",
    ] {
        assert!(text(&panel).contains(words), "{words} in {panel}");
    }
    assert_eq!(shown.value("location.hash"), "#pro_001a");
    assert_eq!(
        shown.value("document.querySelector('#graph .on').getAttribute('href')"),
        "#pro_001a"
    );
    shown.keep("duel-panel", false);
    // A link in the panel leads on.
    shown.browser.click("#panel .heard a[href='#cha_001a']");
    assert!(text(&shown.panel()).contains("Points about it"));
    assert_eq!(shown.value("location.hash"), "#cha_001a");
    shown.browser.click("#close");
    assert_eq!(shown.panel(), Value::Null);
    assert_eq!(shown.value("location.hash"), "");
    shown.is_quiet();
}

#[test]
fn the_graph_is_walked_with_keys() {
    let Some(mut shown) = Shown::new(&with_findings().state()) else {
        return;
    };
    let focused = "document.activeElement.getAttribute('href')";
    // Of all boxes one takes part in the order of tabs.
    let tabbed =
        "[...document.querySelectorAll('#graph .node')].filter((it) => it.tabIndex === 0).length";
    assert_eq!(shown.value(tabbed), 1);
    shown.value("document.querySelector('#graph .node[tabindex=\"0\"]').focus()");
    let first = shown.value(focused);
    shown.browser.press("ArrowDown", DOWN);
    let second = shown.value(focused);
    assert_ne!(first, second);
    shown.browser.press("ArrowRight", RIGHT);
    let third = shown.value(focused);
    assert_ne!(second, third);
    assert_eq!(shown.value(tabbed), 1);
    shown.browser.press("Enter", ENTER);
    assert_eq!(shown.value("location.hash"), third);
    let id = text(&third).trim_start_matches('#').to_owned();
    assert!(text(&shown.panel()).contains(&id));
    shown.browser.press("Escape", ESCAPE);
    assert_eq!(shown.panel(), Value::Null);
    assert_eq!(shown.value(focused), third);
    shown.is_quiet();
}

#[test]
fn a_link_to_a_point_opens_it() {
    let Some(mut shown) = Shown::new(&played(4).state()) else {
        return;
    };
    shown.open("#opp_002", Screen::DESK);
    let panel = shown.panel();
    assert!(text(&panel).contains("opp_002"), "{panel}");
    assert!(text(&panel).contains("Scores"), "{panel}");
    for nothing in ["#", "#opp_999", "#%00<b>", "#answer"] {
        shown.open(nothing, Screen::DESK);
        assert_eq!(shown.panel(), Value::Null, "{nothing}");
    }
    shown.is_quiet();
}

#[test]
fn without_scripts_everything_is_there() {
    let Some(mut shown) = Shown::new(&with_findings().state()) else {
        return;
    };
    shown.browser.allow_scripts(false);
    shown.open("#pro_001a", Screen::DESK);
    shown.browser.allow_scripts(true);
    // Folds are open, or open with a click; nothing waits for a script to show it.
    let hidden = "[...document.querySelectorAll('main *')].filter((it) => it.hidden && !it.matches('.tools, .folds')).length";
    assert_eq!(shown.value(hidden), 0);
    let seen = "document.getElementById('pro_001a').getBoundingClientRect().top";
    let top = shown.value(seen).as_f64().unwrap();
    assert!((0.0..900.0).contains(&top), "{top}");
    shown.keep("no-script", false);
    shown.is_quiet();
}

#[test]
fn a_page_fits_a_phone() {
    for (name, state) in [
        ("duel", with_findings().state()),
        ("formal", played(4).state()),
        ("hostile", hostile_everywhere()),
    ] {
        let Some(mut shown) = Shown::new(&state) else {
            return;
        };
        shown.open("", Screen::PHONE);
        shown.value("document.querySelectorAll('details').forEach((it) => it.open = true)");
        let width = shown.value("document.documentElement.scrollWidth");
        assert_eq!(width, 320, "{name}");
        shown.keep(&format!("{name}-phone"), name != "hostile");
        shown.browser.click("#graph .node");
        let panel = "document.getElementById('panel').getBoundingClientRect()";
        assert_eq!(shown.value(&format!("{panel}.width")), 320, "{name}");
        assert_eq!(
            shown.value("document.documentElement.scrollWidth"),
            320,
            "{name}"
        );
        shown.keep(&format!("{name}-phone-panel"), false);
        shown.is_quiet();
    }
}

#[test]
fn points_named_in_running_text_are_links() {
    let Some(mut shown) = Shown::new(&with_findings().state()) else {
        return;
    };
    let named =
        "[...document.querySelectorAll('.rows p a.id')].map((it) => it.getAttribute('href'))";
    let named = shown.value(named);
    assert!(!named.as_array().unwrap().is_empty(), "{named}");
    let first = named[0].as_str().unwrap().to_owned();
    shown
        .browser
        .click(&format!(".rows p a.id[href='{first}']"));
    assert!(text(&shown.panel()).contains(first.trim_start_matches('#')));
    shown.is_quiet();
}

#[test]
fn the_contents_stay_in_sight_and_rounds_are_folded() {
    let Some(mut shown) = Shown::new(&with_findings().state()) else {
        return;
    };
    shown.value("window.scrollTo(0, 2000)");
    let top = "document.querySelector('.contents').getBoundingClientRect().top";
    assert_eq!(shown.value(top), 0);
    let open = "document.querySelectorAll('details.round[open]').length";
    assert_eq!(shown.value(open), 0);
    // A link to a turn unfolds its round.
    shown.open("#turn-r1.cha", Screen::DESK);
    assert_eq!(shown.value(open), 1);
    shown.is_quiet();
}

#[test]
fn a_phone_sees_the_whole_picture_and_reads_the_list() {
    let Some(mut shown) = Shown::new(&with_findings().state()) else {
        return;
    };
    shown.open("", Screen::PHONE);
    let fits = "(() => { const it = document.getElementById('frame'); return it.scrollWidth <= it.clientWidth })()";
    assert_eq!(shown.value(fits), true);
    assert_eq!(shown.value("document.querySelector('.index').open"), true);
    shown.is_quiet();
}

/// How far every kind of text stands out from what is behind it, at least.
const CONTRAST: &str = "(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const bytes = (colour) => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data;
    };
    const light = (colour) => {
        const [r, g, b] = [...bytes(colour)].slice(0, 3).map((c) => c / 255)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (it) => {
        for (; it; it = it.parentElement) {
            const rect = it.matches('.node') && it.querySelector('rect');
            const colour = rect ? getComputedStyle(rect).fill : getComputedStyle(it).backgroundColor;
            if (bytes(colour)[3] === 255) return colour;
        }
        return 'white';
    };
    let least = [99, ''];
    for (const it of document.querySelectorAll('body *')) {
        const own = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!own || !it.checkVisibility()) continue;
        const style = getComputedStyle(it);
        const colour = it.matches('text') ? style.fill : style.color;
        const [a, b] = [light(colour), light(behind(it))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < least[0]) least = [ratio, it.outerHTML.slice(0, 120)];
    }
    return least;
})()";

#[test]
fn text_stands_out_in_both_themes() {
    let Some(mut shown) = Shown::new(&played(4).state()) else {
        return;
    };
    let paper = "getComputedStyle(document.body).backgroundColor";
    shown.open("#opp_002", Screen::DESK);
    let light = shown.value(paper);
    let told = shown.value(CONTRAST);
    assert!(told[0].as_f64().unwrap() >= 4.5, "{told}");
    shown.keep("formal", true);
    shown.open("#opp_002", Screen::DESK.dark());
    assert_ne!(shown.value(paper), light);
    let told = shown.value(CONTRAST);
    assert!(told[0].as_f64().unwrap() >= 4.5, "{told}");
    shown.keep("formal-dark-panel", false);
    shown.browser.press("Escape", ESCAPE);
    shown.keep("formal-dark", true);
    // The button goes the other way.
    shown.browser.click("#theme");
    assert_eq!(shown.value(paper), light);
    shown.is_quiet();
}

#[test]
fn a_printed_page_has_everything_unfolded() {
    let Some(mut shown) = Shown::new(&with_findings().state()) else {
        return;
    };
    let mut printed = |is_open: bool| {
        let fold =
            format!("document.querySelectorAll('details').forEach((it) => it.open = {is_open})");
        shown.value(&fold);
        shown.browser.print().len()
    };
    let (folded, unfolded) = (printed(false), printed(true));
    assert!(folded * 20 > unfolded * 19, "{folded} and {unfolded} bytes");
    if let Some(folder) = std::env::var_os("AGON_TEST_SHOTS") {
        shown.open("", Screen::DESK);
        let path = std::path::Path::new(&folder).join("duel.pdf");
        fs::write(path, shown.browser.print()).unwrap();
    }
}

/// Everything that might get out of where text stands, and a mark if it does.
const ESCAPES: &str = "<script>window.canary=1</script><img src=x onerror=window.canary=2>\
    <svg onload=window.canary=3><a href=javascript:window.canary=4>x</a>\
    </script><script>window.canary=5</script></style><style>*{display:none}</style></title>\
    <script>alert(6)</script>\" onmouseover=window.canary=7 autofocus onfocus=window.canary=7 x=\" \
    ' onclick='window.canary=8' --> ]]> <!-- {{ 7*7 }} ${window.canary=9} {% x %} #{x} \
    url(http://127.0.0.1:1/a.png) @import 'http://127.0.0.1:1/b.css'; \
    <iframe srcdoc='<script>parent.canary=10</script>'></iframe><meta http-equiv=refresh content='0;url=http://127.0.0.1:1'>\
    <base href=http://127.0.0.1:1/><link rel=stylesheet href=http://127.0.0.1:1/c.css>\
    <object data=http://127.0.0.1:1></object><form id=panel action=http://127.0.0.1:1><input name=hidden></form>\
    <article class=point id=pro_001a></article> \u{202e}desrever\u{2066} \u{2028} \u{2029} \u{0} \u{1b}[2J &lt;script&gt; &#60;b&#62;";

/// A duel in which every field that may hold free text holds what would do harm.
fn hostile_everywhere() -> State {
    let long = "w".repeat(100_000);
    let text = format!("{ESCAPES} {long}");
    let mut state = hostile::saying(ESCAPES);
    for seating in state.seats.values_mut() {
        seating.model = Some(text.clone());
        seating.version = Some(text.clone());
        seating.vendor.clone_from(&text);
        seating.transport.clone_from(&text);
    }
    let spec = &mut state.spec;
    spec.slug.clone_from(&text);
    spec.agon.clone_from(&text);
    spec.ruleset.clone_from(&text);
    if let Some(formal) = spec.kind.as_formal_mut() {
        formal.scope = Some(text.clone());
    }
    spec.context = Context::File {
        path: text.clone(),
        text: text.clone(),
    };
    let mut broken = finding(&text, Severity::Error, &text);
    broken.message.clone_from(&text);
    broken.hint.clone_from(&text);
    for turn in state.turns.values_mut() {
        for ask in &mut turn.asks {
            ask.sent_back = Some(vec![broken.clone()]);
        }
        let Some(TurnEnd::Admitted(admitted)) = &mut turn.end else {
            continue;
        };
        admitted.findings.push(broken.clone());
        if let Moves::Opening(opening) = &mut admitted.moves {
            let grounds = opening.arguments.iter_mut().flat_map(|it| &mut it.grounds);
            for (ground, url) in grounds.zip(ADDRESSES.iter().cycle()) {
                ground.citation = Some(Citation {
                    url: Some((*url).to_owned()),
                    anchor: Some(text.clone()),
                    output: Some(text.clone()),
                    ..Citation::default()
                });
            }
            opening.arguments[0].claim.clone_from(&text);
        }
    }
    let lost = TurnEnd::Lost {
        cause: Cause {
            code: CauseCode::Failed,
            detail: text,
        },
        findings: vec![broken],
    };
    state.turns.get_mut(&turn("r0.cha")).unwrap().end = Some(lost);
    state
}

/// Addresses of which the last alone is one of the web.
const ADDRESSES: [&str; 6] = [
    "javascript:window.canary=11",
    " \u{1}javascript:window.canary=12",
    "data:text/html,<script>window.canary=13</script>",
    "//127.0.0.1:1/d",
    "https://x.org/\" onclick=\"window.canary=14",
    "https://example.org/a?b=c&d=e#f",
];

#[test]
fn hostile_text_in_every_field_does_nothing() {
    let pages = [
        page_of(&hostile_everywhere(), Some(ESCAPES)),
        page_of(&formal::saying(ESCAPES), Some(ESCAPES)),
    ];
    for page in pages {
        let Some(mut shown) = Shown::of(&page) else {
            return;
        };
        shown.value("document.querySelectorAll('details').forEach((it) => it.open = true)");
        let nodes = shown.value(
            "[...document.querySelectorAll('#graph .node')].map((it) => it.getAttribute('href'))",
        );
        for node in nodes.as_array().unwrap().iter().take(6) {
            shown
                .browser
                .click(&format!("#graph .node[href='{}']", text(node)));
            assert!(text(&shown.panel()).contains("<script>window.canary=1</script>"));
        }
        assert_eq!(shown.value("typeof window.canary"), "undefined");
        // Elements and attributes are those of the templates.
        let strangers = "[...document.querySelectorAll('iframe, object, form, input, img, base, link, meta[http-equiv=refresh], body script, body style')].length";
        assert_eq!(shown.value(strangers), 0);
        let handlers = "[...document.querySelectorAll('*')].flatMap((it) => [...it.attributes]).filter((it) => it.name.startsWith('on') || it.name === 'style' || it.name === 'autofocus').length";
        assert_eq!(shown.value(handlers), 0);
        let doubled = "[...document.querySelectorAll('[id]')].map((it) => it.id).filter((id, at, all) => all.indexOf(id) !== at)";
        assert_eq!(shown.value(doubled), json!([]));
        let links = shown.value("[...new Set([...document.querySelectorAll('a')].map((it) => it.getAttribute('href')).filter((it) => !it.startsWith('#')))]");
        let web = page.contains("example.org").then_some(ADDRESSES[5]);
        assert_eq!(links, json!(web.into_iter().collect::<Vec<_>>()));
        let hidden = "getComputedStyle(document.body).display";
        assert_eq!(shown.value(hidden), "block");
        shown.keep("hostile", false);
        shown.is_quiet();
    }
}

/// A debate of `exchanges` exchanges, which repeat what the script has.
fn large(exchanges: u16) -> State {
    let mut debate = opened("This house would read every change before it is merged");
    debate.speak(turn("theses.judge"), scripted("theses.judge", None));
    for seat in ["prop", "opp"] {
        let at = format!("r0.{seat}");
        debate.speak(turn(&at), scripted(&at, None));
    }
    for exchange in 1..exchanges {
        for seat in [Seat::Proposition, Seat::Opposition] {
            let Moves::Formal(Formal::Rebuttal(mut said)) =
                scripted(&format!("r1.{}", seat.short_name()), None)
            else {
                panic!("a rebuttal");
            };
            let of = |seat: Seat, back: u16| NodeId {
                seat,
                round: exchange.saturating_sub(back).max(1),
                place: None,
            };
            let other = seat.opponent().unwrap();
            if exchange > 1 {
                for (attack, back) in said.attacks.iter_mut().zip([1, 7]) {
                    attack.target_id = of(other, back);
                }
                for (defend, back) in said.defends.iter_mut().zip([2, 30]) {
                    defend.target_id = of(seat, back);
                }
            }
            let at = turn(&format!("r{exchange}.{}", seat.short_name()));
            debate.speak(at, Moves::Formal(Formal::Rebuttal(said)));
        }
    }
    debate.state()
}

#[test]
fn five_thousand_points_open_and_answer_a_click() {
    let state = large(2_498);
    assert_eq!(state.nodes().len(), 5_000);
    let page = page_of(&state, None);
    let Some(mut shown) = Shown::of(&page) else {
        return;
    };
    let times = "(() => { const it = performance.getEntriesByType('navigation')[0]; return [it.domInteractive, it.loadEventEnd].map(Math.round) })()";
    let times = shown.value(times);
    eprintln!("{} bytes, ready and loaded after {times} ms", page.len());
    let said = "document.querySelector('#explore > .note').innerText";
    assert!(text(&shown.value(said)).contains("The other 4760 are in the list"));
    shown.browser.click("#graph .node");
    assert!(text(&shown.panel()).contains("argument"));
    // A point that is not in the picture opens as well.
    shown.open("#opp_1234", Screen::DESK);
    assert!(text(&shown.panel()).contains("opp_1234"));
    shown.keep("large", false);
    // A chapter of the transcript is there as soon as it is unfolded, or linked to.
    let chapters = "[...document.querySelectorAll('.chapter')].filter((it) => !it.querySelector('noscript')).length";
    assert_eq!(shown.value(chapters), 1);
    shown
        .browser
        .click(".chapter[data-first='0'] > summary, .chapter > summary");
    shown.browser.side_effects();
    assert_eq!(shown.value(chapters), 2);
    let articles = "document.querySelectorAll('.chapter article.point').length";
    let unfolded = shown.value(articles).as_u64().unwrap();
    assert!((190..=210).contains(&unfolded), "{unfolded}");
    shown.is_quiet();
    shown.browser.allow_scripts(false);
    shown.open("", Screen::DESK);
    shown.browser.allow_scripts(true);
    assert_eq!(shown.value(articles), 5_000);
    shown.is_quiet();
}
