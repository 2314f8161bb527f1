//! The report as one HTML page with pictures. It makes no network requests and needs no script.

mod pictures;

use agon_report::{PAGE_STYLE, csp_hash, file_head};
use maud::{DOCTYPE, Markup, html};

use crate::report::Report;
use crate::table::{ReportTable, arms_table, head_line, judging_table, notes, pairs_table};
use pictures::{accuracy_picture, calibration_picture, price_picture};

/// The style of the pictures, beside that of a debate's page.
const STYLE: &str = "\
.picture { margin: 1.2rem 0; overflow-x: auto; } \
.picture svg { display: block; width: 100%; max-width: 44rem; height: auto; font-family: var(--sans); } \
.picture text { fill: var(--ink); font-size: 13px; } .picture .faint { fill: var(--faint); } \
.picture .axis { stroke: var(--rule); stroke-width: 1; } \
.picture .range { stroke: var(--support); stroke-width: 3; } \
.picture .dot { fill: var(--support); } .picture .debate { fill: var(--for); } \
.picture .ideal { stroke: var(--faint); stroke-dasharray: 4 4; } \
.tables { overflow-x: auto; } .tables th, .tables td { text-align: right; padding: .25rem .5rem; \
white-space: nowrap; } .tables th:first-child, .tables td:first-child { text-align: left; } \
main.trial > .part { max-width: 64rem; }";

/// Returns the page.
pub fn page(report: &Report) -> String {
    let style = format!("{PAGE_STYLE}\n{STYLE}");
    let policy = format!(
        "default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'",
        csp_hash(&style)
    );
    let title = format!("Trial of {}", report.trial.dataset);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { (file_head(&title, &policy, &style)) }
            body {
                header.masthead {
                    div.kicker { span { "Agon" } span { "A trial" } }
                    h1 { "Is a debate worth its price?" }
                    p.note { (head_line(report)) }
                    p.note { "Tools: " (report.trial.tools.join(", ")) }
                }
                main.trial {
                    (body(report))
                }
                footer {
                    p {
                        "Computed by Agon from the folder of the trial. This page is one file and "
                        "makes no network requests."
                    }
                }
            }
        }
    };
    page.into_string()
}

fn body(report: &Report) -> Markup {
    html! {
        section.part {
            h2 { "Accuracy" }
            p.note { "The share of right answers, with 95% intervals over questions." }
            div.picture { (accuracy_picture(&report.arms)) }
            (table(&arms_table(&report.arms)))
        }
        section.part {
            h2 { "Price" }
            p.note { "Up is better, left is cheaper." }
            div.picture { (price_picture(&report.arms)) }
        }
        @if report.arms.iter().any(|arm| arm.calibration.is_some()) {
            section.part {
                h2 { "Calibration" }
                p.note { "On the dashed line, a confidence of 80% is right 80% of the time." }
                @for arm in &report.arms {
                    @if let Some(calibration) = &arm.calibration {
                        h3 { (arm.arm.name()) }
                        div.picture { (calibration_picture(calibration, arm.arm.name())) }
                    }
                }
            }
        }
        @if !judging_table(&report.arms).rows.is_empty() {
            section.part { h2 { "The judge" } (table(&judging_table(&report.arms))) }
        }
        @if !report.pairs.is_empty() {
            section.part { h2 { "Pairs of arms" } (table(&pairs_table(&report.pairs))) }
        }
        section.part {
            h2 { "What this trial can show" }
            @for note in notes(report) { p.note { (note) } }
        }
    }
}

fn table(table: &ReportTable) -> Markup {
    html! {
        div.tables {
            table {
                thead { tr { @for name in &table.header { th scope="col" { (name) } } } }
                tbody {
                    @for row in &table.rows { tr { @for cell in row { td { (cell) } } } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::sample_report;

    #[test]
    fn the_page_has_every_arm_and_nothing_from_outside() {
        let mut report = sample_report();
        report.trial.dataset = "<script>alert(1)</script>".to_owned();
        let page = page(&report);
        assert!(!page.contains("<script") && !page.contains("http://") && !page.contains("src="));
        for wanted in [
            "Is a debate worth its price?",
            ">duel<",
            "<svg",
            "&lt;script&gt;",
        ] {
            assert!(page.contains(wanted), "{wanted}");
        }
        assert!(!page.contains("NaN") && !page.contains("inf\""), "{page}");
    }
}
