//! Each way in which a real tool's call fails: the cause that the user reads, and how often the tool
//! was asked.
//!
//! Some of the ways run each time. With `AGON_TEST_FULL=1` it is every tool in every way, printed as
//! a table.

use agon_testkit::{Answer, is_full};

use crate::real::table::Table;
use crate::support::Ran;

const TOOLS: [&str; 5] = ["claude", "codex", "gemini", "opencode", "copilot"];

/// What goes wrong.
#[derive(Clone, Copy)]
enum Fault {
    /// The model service answers so.
    Service(fn() -> Answer),
    /// Nobody listens at the address of the model service.
    Refused,
    /// This stands in the tool's place on PATH; `$TOOL` is the tool itself.
    Program(&'static str),
}

/// A way to fail, and what is expected of it.
struct Way {
    name: &'static str,
    fault: Fault,
    /// One of these is in what the user reads. Nothing: the debate must succeed.
    says: &'static [&'static str],
    /// The most often that Agon may call the tool: once for a cause that will not change.
    most_calls: usize,
    /// Whether the sample of each run has it, and of which tool.
    sample: Option<&'static str>,
}

const WAYS: [Way; 12] = [
    Way {
        name: "usage limit",
        fault: Fault::Service(|| {
            Answer::Says(
                429,
                "You exceeded your current quota, please check your plan and billing details.",
            )
        }),
        says: &["quota", "limit", "billing"],
        // Codex is told no more than that it is to slow down.
        most_calls: 3,
        sample: None,
    },
    Way {
        name: "login",
        fault: Fault::Service(|| Answer::Status(401)),
        says: &["log in", "logged in", "login", "key"],
        most_calls: 1,
        sample: None,
    },
    Way {
        name: "model refused",
        fault: Fault::Service(|| {
            Answer::Says(
                404,
                "The model `mock-model` does not exist or you do not have access to it.",
            )
        }),
        says: &["model"],
        // Once more without the model that Agon chose.
        most_calls: 2,
        sample: Some("codex"),
    },
    Way {
        name: "policy",
        fault: Fault::Service(|| {
            Answer::Says(
                400,
                "This request was blocked: it appears to violate our usage policy.",
            )
        }),
        says: &["policy", "declined", "refused"],
        most_calls: 1,
        sample: Some("copilot"),
    },
    Way {
        name: "overload",
        fault: Fault::Service(|| Answer::Says(529, "Overloaded")),
        says: &["verload", "529", "unavailable", "not available"],
        most_calls: 3,
        sample: None,
    },
    Way {
        name: "context too long",
        fault: Fault::Service(|| {
            Answer::Says(400, "prompt is too long: 210000 tokens > 200000 maximum")
        }),
        says: &["too long"],
        most_calls: 1,
        sample: Some("claude"),
    },
    Way {
        name: "network",
        fault: Fault::Refused,
        says: &["nothing answers"],
        most_calls: 3,
        sample: None,
    },
    Way {
        name: "crash",
        fault: Fault::Program(
            "case $1 in --version|auth|login) exec \"$TOOL\" \"$@\";; esac; kill -SEGV $$",
        ),
        says: &["SIGSEGV", "signal", "crash"],
        most_calls: 3,
        sample: Some("gemini"),
    },
    Way {
        name: "half output",
        fault: Fault::Service(|| Answer::Cut),
        says: &[
            "cut",
            "broke",
            "connection",
            "incomplete",
            "middle",
            "stream",
            "terminated",
            "network",
        ],
        most_calls: 3,
        sample: None,
    },
    Way {
        name: "noise around the document",
        fault: Fault::Program(
            "case $1 in --version|auth|login) exec \"$TOOL\" \"$@\";; esac; \
             printf '\\357\\273\\277\\033]0;title\\007\\033[32mLoaded the settings.\\033[0m\\n'; \
             \"$TOOL\" \"$@\"; code=$?; printf '\\nA new version is available.\\n'; exit $code",
        ),
        says: &[],
        most_calls: 1,
        sample: None,
    },
    Way {
        name: "hang",
        fault: Fault::Service(|| Answer::HangMid),
        says: &["no reply in time"],
        most_calls: 3,
        sample: None,
    },
    Way {
        name: "empty",
        fault: Fault::Service(|| Answer::Empty),
        says: &["empty", "no response"],
        most_calls: 3,
        sample: None,
    },
];

/// What the user read of the lost turn, as one line.
fn said(ran: &Ran) -> String {
    let lines = ran.stderr.lines().chain(ran.stdout.lines());
    let told = lines.filter(|line| {
        ["no reply", "lost", "error", "hint:", "did not"]
            .iter()
            .any(|sign| line.contains(sign))
    });
    let told: Vec<&str> = told.map(str::trim).collect();
    told.join(" | ")
}

/// Lets a tool fail in a way as challenger of a debate of one round: the line of the table, as an
/// error where it is not as expected.
fn fails(tool: &str, way: &Way) -> Option<Result<String, String>> {
    let other = if tool == "codex" { "claude" } else { "codex" };
    let refused = match way.fault {
        Fault::Refused => tool,
        Fault::Service(_) | Fault::Program(_) => "",
    };
    let table = Table::but_refused(&[tool, other], refused)?;
    match way.fault {
        Fault::Service(answer) => table.models.set("r1.cha", answer()),
        Fault::Program(script) => table.stand_in(tool, script),
        Fault::Refused => {}
    }
    let ran = table.quick_on_screen([other, tool, other], &["--timeout", "40"]);
    let requests = table
        .turns()
        .iter()
        .filter(|turn| *turn == "r1.cha")
        .count();
    let calls = table.calls("r1.cha");
    let said = said(&ran);
    // OpenCode asks its service again without end and without a word; Copilot does for longer than
    // this where a limit is used up.
    let is_patient = tool == "opencode" || (tool == "copilot" && way.name == "usage limit");
    let is_silent = is_patient && said.contains("no reply in time");
    let line = format!(
        "{tool:9} {:26} code {:?}, {calls} calls, {requests} requests, {:.0} s: {said}",
        way.name,
        ran.code,
        ran.took.as_secs_f64(),
    );
    let known = said.to_lowercase();
    let has = |word: &&str| known.contains(&word.to_lowercase());
    let is_told = way.says.iter().any(has) || (is_silent && way.most_calls > 1);
    let is_right = table.place.left().is_empty()
        && calls <= way.most_calls
        && (is_told != way.says.is_empty())
        && (ran.code == Some(0)) == way.says.is_empty();
    Some(if is_right { Ok(line) } else { Err(line) })
}

#[test]
fn each_way_to_fail_is_told_with_its_cause() {
    let mut wrong = Vec::new();
    for way in &WAYS {
        let tools = TOOLS
            .iter()
            .filter(|tool| is_full() || way.sample == Some(**tool));
        for tool in tools {
            match fails(tool, way) {
                Some(Ok(line)) => eprintln!("{line}"),
                Some(Err(line)) => {
                    eprintln!("WRONG {line}");
                    wrong.push(line);
                }
                None => return,
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
