//! Orders of a run to its members, in addition to their tasks or instead of them.

use agon_wording::{Wording, fence};

/// Maximum tasks of a plan.
pub const MAX_PLANNED_TASKS: usize = 12;

// About 15,000 tokens: a quarter of the 64,000 that an unknown model is assumed to read reliably.
/// Maximum characters of a diff in a prompt; members read the rest in their folder.
const MAX_DIFF_CHARS: usize = 60_000;
/// Maximum characters of a review that its reviewer sees again.
const MAX_REVIEW_CHARS: usize = 16_000;

/// An order to a member, in addition to its task or instead of it.
#[derive(Clone, Debug)]
pub struct Order {
    words: Wording,
    has_form: bool,
}

impl Order {
    /// Creates an order after which a member ends with what its role returns.
    pub fn new(words: Wording) -> Self {
        Self {
            words,
            has_form: false,
        }
    }

    /// Creates an order that defines the end of the reply instead of the role.
    pub fn with_form(words: Wording) -> Self {
        Self {
            words,
            has_form: true,
        }
    }

    /// Joins several orders; `None` if there are none. If one defines the end of the reply, it
    /// applies.
    pub fn join(orders: impl IntoIterator<Item = Self>) -> Option<Self> {
        let orders: Vec<Self> = orders.into_iter().collect();
        let has_form = orders.iter().any(Self::has_form);
        let words = orders.into_iter().map(|order| order.words);
        let words = Wording::join(words, "\n\n");
        (!words.is_empty()).then_some(Self { words, has_form })
    }

    /// Returns the text.
    pub const fn words(&self) -> &Wording {
        &self.words
    }

    /// Returns whether it defines the end of the reply.
    pub const fn has_form(&self) -> bool {
        self.has_form
    }
}

/// The input for a planner.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanBriefing<'a> {
    /// The goal.
    pub goal: &'a str,
    /// The names of the allowed task weights; unknown names are left out.
    pub weights: &'a [&'a str],
    /// A scout's report on the project.
    pub report: Option<&'a str>,
    /// The previous plan and the objections to it.
    pub objections: Option<(&'a str, &'a str)>,
    /// Why the previous reply was unusable.
    pub fault: Option<&'a str>,
}

/// The weights of a task, each with a description of its tasks.
pub const TASK_WEIGHTS: [(&str, &str); 7] = [
    ("quick", "a small, obvious change in a known place"),
    ("standard", "one change in one module"),
    ("heavy", "one change across many modules"),
    (
        "deep",
        "a hard problem in few files, whose cause or solution is not known",
    ),
    ("ui", "one change of the user interface"),
    ("ui-heavy", "a whole part of the user interface"),
    ("docs", "documentation only"),
];

/// Orders a planner to make a plan.
pub fn plan_order(salt: &str, briefing: &PlanBriefing<'_>) -> Order {
    let is_wanted = |name: &str| briefing.weights.contains(&name);
    let weights = TASK_WEIGHTS.iter().filter(|(name, _)| is_wanted(name));
    let weights = weights.map(|(name, about)| Wording::from_format("- `{}`: {}", &[name, about]));
    let mut order = Wording::from_format(
        "Make the plan for this goal:\n\n{}\n\n\
         One worker does each task in its own folder, which starts from the work finished by then. Each \
         task is reviewed and merged separately. Tasks that do not need each other run at the same time, \
         so they should touch different files. Plan at most {} tasks, as few as possible. A spec names \
         the required change, the files, and the command that checks it.\n\n\
         `weight` decides who works on a task:\n{}\n\n\
         `risky` is true for a task that touches money, rights or stored formats, or that cannot be \
         undone; `irreversible` is true for a task that cannot be undone.\n\n\
         End with exactly one JSON object of this form; `needs` has the positions of earlier tasks, from 1:\n\n\
         {\"tasks\": [{\"title\": \"…\", \"spec\": \"…\", \"needs\": [], \"weight\": \"standard\", \
         \"risky\": false, \"irreversible\": false}]}",
        &[
            &fence(salt, "goal", &"goal", briefing.goal),
            &MAX_PLANNED_TASKS,
            &Wording::join(weights, "\n"),
        ],
    );
    if let Some(report) = briefing.report {
        order.push(&Wording::from_format(
            "\n\nA scout found this in the project; check what you build on:\n{}",
            &[&fence(salt, "report", &"report", report)],
        ));
    }
    if let Some((plan, objections)) = briefing.objections {
        order.push(&Wording::from_format(
            "\n\nThis is the plan so far:\n{}\n\nThese are objections to it. Change the plan where an \
             objection is right, keep the rest, and return the complete plan:\n{}",
            &[
                &fence(salt, "plan", &"plan", plan),
                &fence(salt, "objections", &"objection", objections),
            ],
        ));
    }
    if let Some(fault) = briefing.fault {
        order.push(&Wording::from_format(
            "\n\nYour previous reply was unusable:\n{}",
            &[&fence(salt, "fault", &"finding", fault)],
        ));
    }
    Order::with_form(order)
}

/// Orders a scout to report what a planner needs to know about `goal`.
pub fn scout_order(salt: &str, goal: &str) -> Order {
    Order::new(Wording::from_format(
        "A planner makes a plan for the goal below. Find what it must know about this project: the places \
         that the goal touches, how the project is built and checked, and what depends on these places.\n\n{}",
        &[&fence(salt, "goal", &"goal", goal)],
    ))
}

/// Orders a critic to object to `plan`.
pub fn critic_order(salt: &str, plan: &str) -> Order {
    Order::with_form(Wording::from_format(
        "Object to this plan: say what is wrong with it, what it leaves out, and what will break. If you \
         find nothing, say so and say what you checked.\n\n{}\n\n\
         End with your objections as plain text, the most serious first: for each one the fault, the place \
         in your folder that shows it, and whether it must be resolved before the plan is carried out.",
        &[&fence(salt, "plan", &"plan", plan)],
    ))
}

/// A role that checks a change before the merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checker {
    /// The role.
    pub role: &'static str,
    /// The order about the change.
    order: &'static str,
    /// The last line of the reply if the change may be merged.
    pub passes: &'static str,
    /// The possible last lines of the reply if not.
    pub fails: &'static [&'static str],
}

/// Every role that checks changes.
pub const CHECKERS: [Checker; 4] = [
    Checker {
        role: "reviewer",
        order: "Review a change that another member made.",
        passes: "Verdict: merge",
        fails: &["Verdict: merge after fixes", "Verdict: do not merge"],
    },
    Checker {
        role: "validator",
        order: "Another member says that this change does its task. Treat each requirement of the task as a \
                claim, and find out whether it is true.",
        passes: "Verdict: done",
        fails: &["Verdict: not done"],
    },
    Checker {
        role: "qa",
        order: "Another member made a change that users will see. Find what would confuse or hinder them.",
        passes: "Verdict: ready",
        fails: &["Verdict: not ready"],
    },
    Checker {
        role: "auditor",
        order: "Audit a change that another member made: check it against the rules of the project, and \
                find its effects on security, privacy, licenses and secrets.",
        passes: "Verdict: kept",
        fails: &["Verdict: broken"],
    },
];

impl Checker {
    /// Returns the checker of a role.
    pub fn for_role(role: &str) -> Option<&'static Self> {
        CHECKERS.iter().find(|it| it.role == role)
    }

    /// Returns the possible last lines of its reply.
    fn verdict_lines(&self) -> Wording {
        let fails = self.fails.iter();
        let fails = fails.map(|word| Wording::from_format("`{}`", &[word]));
        let fails = Wording::join(fails, " or ");
        Wording::from_format("`{}` or {}", &[&self.passes, &fails])
    }

    /// Returns the verdict of `reply`: whether the change may be merged. None if the last line is
    /// not exactly one of the checker's verdicts. Marks of Markdown, a full stop at the end and
    /// case do not matter.
    pub fn verdict(&self, reply: &str) -> Option<bool> {
        // Skip lines of Markdown marks only, such as the end of a code block.
        let last = reply
            .lines()
            .rev()
            .map(normalize_line)
            .find(|it| !it.is_empty())?;
        let is_last = |verdict: &&str| verdict.to_lowercase() == last;
        if is_last(&self.passes) {
            return Some(true);
        }
        self.fails.iter().any(is_last).then_some(false)
    }
}

/// Returns a line in lower case, without Markdown marks and a final full stop.
fn normalize_line(line: &str) -> String {
    let text = line.replace(['*', '`'], "").to_lowercase();
    let text = text.trim();
    text.strip_suffix('.').unwrap_or(text).to_owned()
}

/// The part of a diff shown to the member that checks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownDiff {
    /// The diff or its beginning.
    pub text: String,
    /// Whether it was cut.
    pub is_cut: bool,
}

impl ShownDiff {
    /// Cuts a diff to the part that is shown.
    pub fn cut(diff: &str) -> Self {
        let text: String = diff.chars().take(MAX_DIFF_CHARS).collect();
        Self {
            is_cut: text.len() < diff.len(),
            text,
        }
    }
}

/// A change in the prompt of a member that checks it.
#[derive(Clone, Copy, Debug)]
pub struct ChangeBriefing<'a> {
    /// The title of the task.
    pub title: &'a str,
    /// The spec.
    pub spec: &'a str,
    /// The diff; `None` if the member must read it in the folder.
    pub diff: Option<&'a ShownDiff>,
    /// The gates that passed, one per line.
    pub gates: &'a str,
}

/// Orders a member to check a change.
pub fn check_order(salt: &str, checker: &Checker, briefing: &ChangeBriefing<'_>) -> Order {
    let change = match briefing.diff {
        None => Wording::from_literal("It is too large to show here: read it in your folder."),
        Some(diff) => {
            let rest = match diff.is_cut {
                true => "\n\nThe diff was cut here: the rest is in your folder.",
                false => "",
            };
            let shown = fence(salt, "diff", &"diff", &diff.text);
            Wording::from_format("This is the change:\n\n{}{}", &[&shown, &rest])
        }
    };
    let gates = match briefing.gates.is_empty() {
        true => Wording::from_literal("No gate ran on it."),
        false => Wording::from_format(
            "Agon ran these gates on it, and they passed:\n{}",
            &[&fence(salt, "gates", &"gates", briefing.gates)],
        ),
    };
    let wanted = format!("{}\n\n{}", briefing.title, briefing.spec);
    Order::new(Wording::from_format(
        "{} Your folder contains it. This was the task:\n\n{}\n\n{}\n\n{}\n\n\
         The last line of your reply must be {}.",
        &[
            &checker.order,
            &fence(salt, "task", &"task", &wanted),
            &change,
            &gates,
            &checker.verdict_lines(),
        ],
    ))
}

/// Asks a member that checked a change for the missing last line of its reply, `review`.
pub fn verdict_order(salt: &str, checker: &Checker, title: &str, review: &str) -> Order {
    let cut: String = review.chars().take(MAX_REVIEW_CHARS).collect();
    Order::with_form(Wording::from_format(
        "You checked a change that another member made for this task:\n\n{}\n\n\
         The last line of your reply is not a verdict. You wrote:\n\n{}\n\n\
         Reply with only one line, which must follow from what you found: {}.",
        &[
            &fence(salt, "task", &"task", title),
            &fence(salt, "review", &"review", &cut),
            &checker.verdict_lines(),
        ],
    ))
}

/// Orders the member that made a change to fix what a check found.
pub fn repair_order(salt: &str, check: &str, outcome: &str, output: &str) -> Order {
    let output = match output.trim().is_empty() {
        true => Wording::from_literal("It printed nothing."),
        false => Wording::from_format(
            "It printed:\n\n{}",
            &[&fence(salt, "output", &"output", output)],
        ),
    };
    Order::new(Wording::from_format(
        "Your turn ended, and Agon ran this check in your folder:\n\n{}\n\n\
         It failed:\n\n{}\n\n{}\n\n\
         Your change is still in your folder. Fix it so that the check passes and the task is still done. \
         Change the check's own files only if the task asks for it.",
        &[
            &fence(salt, "check", &"check", check),
            &fence(salt, "outcome", &"outcome", outcome),
            &output,
        ],
    ))
}

/// Orders a worker to remove the git repositories in its folder; `paths` has one per line.
pub fn remove_repositories_order(salt: &str, paths: &str) -> Order {
    Order::new(Wording::from_format(
        "Your folder contains its own git repositories, so nothing in it could be used. Remove each of \
         these, so that the files beside them count:\n{}",
        &[&fence(salt, "paths", &"paths", paths)],
    ))
}

/// Tells a worker why its task was returned.
pub fn returned_order(salt: &str, note: &str) -> Order {
    Order::new(Wording::from_format(
        "The task was returned to you with this note:\n{}",
        &[&fence(salt, "note", &"note", note)],
    ))
}

/// Orders a worker to solve the conflicts in `files` files.
pub fn solve_conflicts_order(files: usize) -> Order {
    Order::new(Wording::from_format(
        "The work that others finished meanwhile was merged into your folder, and {} files conflict. \
         Resolve each conflict so that both changes are kept, and leave no line that begins with \
         `<<<<<<<`, `=======` or `>>>>>>>`.",
        &[&files],
    ))
}
