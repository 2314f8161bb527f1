//! The frame of the page: head, content security policy and navigation.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::page::{Page, shorten_to_heading};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// A section of the page with a heading.
pub(super) struct PageSection {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) body: Markup,
}

/// Returns the complete HTML file.
pub(super) fn render_html_file(
    page: &Page<'_>,
    front: &Markup,
    sections: &[PageSection],
) -> String {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; base-uri 'none'; \
         form-action 'none'",
        csp_hash(STYLE),
        csp_hash(SCRIPT)
    );
    let title = shorten_to_heading(&page.state.spec.topic);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                meta name="generator" content="agon";
                title { (title) " · Agon" }
                style { (PreEscaped(STYLE)) }
                script { (PreEscaped(SCRIPT)) }
            }
            body {
                a.skip href="#answer" { "Skip to the answer" }
                nav.contents aria-label="Contents" {
                    div {
                        a href="#answer" { "Answer" }
                        @for section in sections {
                            a href={ "#" (section.id) } { (section.title) }
                        }
                    }
                }
                (front)
                main {
                    @for section in sections {
                        section.part.wide[section.id == "explore"] id=(section.id)
                            aria-labelledby={ "h-" (section.id) } {
                            h2 id={ "h-" (section.id) } { (section.title) }
                            (section.body)
                        }
                    }
                }
                footer {
                    p {
                        "Rendered by Agon from the record of the debate. This page is one file "
                        "and makes no network requests. Text from the tools is shown as plain text."
                    }
                }
                aside #panel aria-label="Selected point" aria-live="polite" tabindex="-1" hidden {
                    div.bar {
                        a.where href="#transcript" { "In the transcript" }
                        button #close type="button" aria-label="Close" { "×" }
                    }
                    div.body {}
                }
            }
        }
    };
    markup.into_string()
}

/// Returns the source expression of an embedded text for a content security policy.
fn csp_hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}
