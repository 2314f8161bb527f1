//! A page as text and `console` blocks, and how a block's output is compared and written again.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

/// A line of a block that stands for any number of lines.
const GAP: &str = "…";

/// A page, in parts.
pub(super) struct Page {
    parts: Vec<Part>,
}

enum Part {
    /// Lines that are kept as they are.
    Text(String),
    /// A command with its output.
    Step(Step),
}

/// A command of a block, and the output that the page shows.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The lines of the command, the first behind `$ `.
    typed: Vec<String>,
    shown: Vec<String>,
}

impl Page {
    pub(super) fn parse(text: &str) -> Self {
        let mut parts = Vec::new();
        let mut lines = text.lines().peekable();
        let mut is_console = false;
        let mut plain = String::new();
        while let Some(line) = lines.next() {
            if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
                parts.push(Part::Text(std::mem::take(&mut plain)));
                let mut typed = vec![command.to_owned()];
                while typed.last().is_some_and(|line| line.ends_with('\\')) {
                    typed.extend(lines.next().map(str::to_owned));
                }
                let is_output = |line: &&str| !line.starts_with("$ ") && !line.starts_with("```");
                let shown = std::iter::from_fn(|| lines.next_if(is_output));
                let shown = shown.map(str::to_owned).collect();
                parts.push(Part::Step(Step { typed, shown }));
                continue;
            }
            if line.starts_with("```") {
                is_console = line == "```console";
            }
            plain.push_str(line);
            plain.push('\n');
        }
        parts.push(Part::Text(plain));
        Self { parts }
    }

    /// The name of the world that the blocks run in.
    pub(super) fn world(&self) -> Option<&str> {
        self.parts.iter().find_map(|part| match part {
            Part::Text(text) => {
                let (_, rest) = text.split_once("<!-- world: ")?;
                Some(rest.split_once(" -->")?.0)
            }
            Part::Step(_) => None,
        })
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.parts.iter().filter_map(|part| match part {
            Part::Step(step) => Some(step),
            Part::Text(_) => None,
        })
    }

    pub(super) fn steps_mut(&mut self) -> impl Iterator<Item = &mut Step> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Step(step) => Some(step),
            Part::Text(_) => None,
        })
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Step(step) => {
                    writeln!(f, "$ {}", step.typed.join("\n"))?;
                    for line in &step.shown {
                        writeln!(f, "{line}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Step {
    /// The command, as a shell takes it.
    pub(super) fn command(&self) -> String {
        self.typed.join("\n")
    }

    /// The exit code that the command ends with: that of a comment `# exit N`, else 0.
    pub(super) fn exit_code(&self) -> i32 {
        let typed = self.typed.last().unwrap();
        let code = typed.rsplit_once("# exit ").map(|(_, code)| code);
        code.map_or(0, |code| code.trim().parse().unwrap())
    }

    /// The first line that differs from what is shown, if one does.
    pub(super) fn difference(&self, printed: &str) -> Option<String> {
        let shown = self.cut(printed);
        // A paragraph may break elsewhere where a time or a sum is longer.
        let (now, then) = (flatten(&shown), flatten(&self.shown));
        (now != then).then(|| {
            format!(
                "--- printed\n{}\n--- shown\n{}",
                shown.join("\n"),
                self.shown.join("\n")
            )
        })
    }

    /// Shows this output instead.
    pub(super) fn record(&mut self, printed: &str) {
        self.shown = self.cut(printed);
    }

    /// The lines of the output that the page shows: without those that its gap stands for.
    ///
    /// `…3+4` on a page that was not recorded yet stands for three lines, a gap and four lines.
    fn cut(&self, printed: &str) -> Vec<String> {
        let lines: Vec<String> = printed
            .trim_end()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        let Some(at) = self.shown.iter().position(|line| line.starts_with(GAP)) else {
            return lines;
        };
        let counts = self.shown[at].trim_start_matches(GAP);
        let (head, tail) = match counts.split_once('+') {
            Some((head, tail)) => (head.parse().unwrap(), tail.parse().unwrap()),
            None => (at, self.shown.len() - at - 1),
        };
        if lines.len() <= head + tail {
            return lines;
        }
        let mut cut = lines[..head].to_vec();
        cut.push(GAP.to_owned());
        cut.extend_from_slice(&lines[lines.len() - tail..]);
        cut
    }
}

/// What differs from run to run, and the name that stands for it.
static PLACEHOLDERS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let patterns = [
        (r"\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b", "ULID"),
        (r"\b\d{4}-\d\d-\d\dT[\d:.]+Z?", "TIME"),
        (r"\b\d{4}-\d\d-\d\d\b", "DAY"),
        (r"\b\d+:\d\d(:\d\d)?\b", "CLOCK"),
        (r"\b\d+(\.\d+)?k\b", "SUM"),
        (r"\$\d+\.\d\d\b", "MONEY"),
        (r"\b\d+(\.\d+)? ?(ms|s|min|seconds?|minutes?)\b", "SPAN"),
        (r"\bjust now\b", "SPAN ago"),
        (r"\bdata [0-9a-f]{6}\b", "data CODE"),
        (r"\b[0-9a-f]{7,64}\b", "HASH"),
        (
            r#""(pid|process|seconds|started_ms|at_ms|elapsed_ms|tokens|duration_ms)": ?\d+"#,
            "\"$1\": N",
        ),
        (r"\bprocess \d+\b", "process N"),
    ];
    let compile = |(pattern, name)| (Regex::new(pattern).unwrap(), name);
    patterns.map(compile).into()
});

/// The words of some lines, with names for times, sums and ids.
fn flatten(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    for (pattern, name) in PLACEHOLDERS.iter() {
        text = pattern.replace_all(&text, *name).into_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
