//! Renders a program's terminal output as SVG.

// Most fixed-width fonts advance by 0.6 of their size. SVG stretches the text to this width, so
// that columns stay aligned in any font.
const SIZE: f32 = 14.0;
const ADVANCE: f32 = 8.4;
const LEADING: f32 = 20.0;
const MARGIN: f32 = 22.0;
/// Height above the text, for the title.
const BAR: f32 = 38.0;

const GROUND: &str = "#16181d";
const INK: &str = "#e4e2dc";
const FAINT: &str = "#8d8a83";

/// A run of text in one style.
#[derive(Debug, PartialEq, Eq)]
struct Run {
    text: String,
    colour: &'static str,
    is_bold: bool,
}

/// Renders `lines`, which may contain colours, as a terminal with the given title.
pub(super) fn svg(title: &str, lines: &[&str]) -> String {
    let lines: Vec<Vec<Run>> = lines.iter().map(|line| split_runs(line)).collect();
    let columns = |line: &Vec<Run>| {
        line.iter()
            .map(|run| run.text.chars().count())
            .sum::<usize>()
    };
    let widest = lines.iter().map(columns).max().unwrap_or_default();
    let width = widest as f32 * ADVANCE + 2.0 * MARGIN;
    let height = lines.len() as f32 * LEADING + BAR + 2.0 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width:.0}\" \
         height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"{SIZE}\">\n<title>{0}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"9\" fill=\"{GROUND}\"/>\n\
         <text x=\"{MARGIN}\" y=\"26\" fill=\"{FAINT}\">$ {0}</text>\n",
        escape_text(title)
    );
    for (row, line) in lines.iter().enumerate() {
        let y = BAR + MARGIN + row as f32 * LEADING;
        let mut column = 0;
        for run in line {
            let count = run.text.chars().count();
            if !run.text.trim().is_empty() {
                let weight = if run.is_bold {
                    " font-weight=\"700\""
                } else {
                    ""
                };
                out.push_str(&format!(
                    "<text xml:space=\"preserve\" x=\"{:.1}\" y=\"{y:.1}\" textLength=\"{:.1}\" \
                     fill=\"{}\"{weight}>{}</text>\n",
                    MARGIN + column as f32 * ADVANCE,
                    count as f32 * ADVANCE,
                    run.colour,
                    escape_text(&run.text)
                ));
            }
            column += count;
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The runs of a line, split where the style changes.
fn split_runs(line: &str) -> Vec<Run> {
    let (mut colour, mut is_bold) = (INK, false);
    let mut runs = Vec::new();
    for (nth, part) in line.split("\u{1b}[").enumerate() {
        let text = match (nth, part.split_once('m')) {
            (0, _) => part,
            (_, Some((codes, text))) => {
                for code in codes.split(';') {
                    match code {
                        "" | "0" => (colour, is_bold) = (INK, false),
                        "1" => is_bold = true,
                        "2" => colour = FAINT,
                        code => colour = named_colour(code).unwrap_or(colour),
                    }
                }
                text
            }
            (_, None) => "",
        };
        if !text.is_empty() {
            runs.push(Run {
                text: text.to_owned(),
                colour,
                is_bold,
            });
        }
    }
    runs
}

/// The colour for a code, normal or bright.
fn named_colour(code: &str) -> Option<&'static str> {
    Some(match code {
        "31" | "91" => "#f7938a",
        "32" | "92" => "#79d08d",
        "33" | "93" => "#e6b450",
        "34" | "94" => "#86b4ff",
        "35" | "95" => "#cba0f5",
        "36" | "96" => "#74c7d4",
        "30" | "90" => FAINT,
        "37" | "39" | "97" => INK,
        _ => return None,
    })
}

fn escape_text(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_weight_change_where_the_program_says_so() {
        let run = |text: &str, colour, is_bold| Run {
            text: text.to_owned(),
            colour,
            is_bold,
        };
        assert_eq!(
            split_runs("a \u{1b}[1m\u{1b}[32mgood\u{1b}[0m <b> \u{1b}[2mdim"),
            [
                run("a ", INK, false),
                run("good", "#79d08d", true),
                run(" <b> ", INK, false),
                run("dim", FAINT, false),
            ]
        );
    }

    #[test]
    fn text_is_no_markup_and_stands_in_its_column() {
        let picture = svg("x", &["ab\u{1b}[31m<&\u{1b}[0m"]);
        let right = MARGIN + 2.0 * ADVANCE;
        assert!(picture.contains(&format!("x=\"{right:.1}\"")), "{picture}");
        assert!(picture.contains(">&lt;&amp;</text>"), "{picture}");
    }
}
