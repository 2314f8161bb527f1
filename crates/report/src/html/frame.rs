//! The frame of the page: head, content security policy and navigation.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::{DebatePage, PAGE_SCRIPT, PAGE_STYLE};

/// Returns the start of the head of a page that is one file: its policy, title and style sheet.
pub fn file_head(title: &str, policy: &str, style: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta http-equiv="Content-Security-Policy" content=(policy);
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="referrer" content="no-referrer";
        meta name="color-scheme" content="light dark";
        meta name="generator" content="agon";
        title { (title) " · Agon" }
        style { (PreEscaped(style)) }
    }
}

/// Returns the complete HTML file.
pub(super) fn render_html_file(page: &DebatePage) -> String {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        csp_hash(PAGE_STYLE),
        csp_hash(PAGE_SCRIPT)
    );
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (file_head(&page.title, &policy, PAGE_STYLE))
                script { (PreEscaped(PAGE_SCRIPT)) }
            }
            body {
                a.skip href="#answer" { "Skip to the answer" }
                nav.contents aria-label="Contents" {
                    div {
                        a href="#answer" { "Answer" }
                        @for section in &page.sections {
                            a href={ "#" (section.id) } { (section.title) }
                        }
                    }
                }
                header.masthead {
                    div.kicker {
                        span { "Agon" }
                        span { (page.kind) }
                        button #theme type="button" hidden aria-label="Change the colours" { "◐" }
                    }
                    (page.masthead)
                }
                (page.answer)
                main { @for section in &page.sections { (section.markup()) } }
                footer {
                    p {
                        "Rendered by Agon from the record of the debate. This page is one file "
                        "and makes no network requests. Text from the tools is shown as plain text."
                    }
                }
                (point_panel())
            }
        }
    };
    markup.into_string()
}

/// Returns the panel in which the script shows a chosen point; it is hidden until then.
pub fn point_panel() -> Markup {
    html! {
        aside #panel aria-label="Selected point" aria-live="polite" tabindex="-1" hidden {
            div.bar {
                a.where href="#transcript" { "In the transcript" }
                button #strike type="button" hidden title="See what the graph says without this point" { "Strike" }
                button #close type="button" aria-label="Close" { "×" }
            }
            div.body {}
        }
        div #what-if role="status" aria-label="What if this had not been said" hidden {
            p {}
            button #restore type="button" { "Restore all" }
        }
    }
}

/// Returns the source expression of an embedded text for a content security policy, without the
/// quotes around it.
pub fn csp_hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
