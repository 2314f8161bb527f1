//! What a run orders its members to do, besides their tasks or in their place.

use agon_wording::{Wording, fence};

/// The most tasks of a plan.
pub const MAX_PLANNED_TASKS: usize = 12;

// About 15,000 tokens: a quarter of the 64,000 from which on an unknown model is thought to lose
// track.
/// Characters of a diff that members are shown; the rest they read in their folder.
const MAX_DIFF_CHARS: usize = 60_000;
/// Characters of a review that its reviewer is shown again.
const MAX_REVIEW_CHARS: usize = 16_000;

/// What a member is to do besides its task, or in its place.
#[derive(Clone, Debug)]
pub struct Order {
    words: Wording,
    has_form: bool,
}

impl Order {
    /// An order after which a member ends with what its role returns.
    pub fn new(words: Wording) -> Self {
        Self {
            words,
            has_form: false,
        }
    }

    /// An order that says how the reply ends: the return form of the role does not apply.
    pub fn with_form(words: Wording) -> Self {
        Self {
            words,
            has_form: true,
        }
    }

    /// Several orders as one; none where there are none. If one says how the reply ends, that form wins.
    pub fn join(orders: impl IntoIterator<Item = Self>) -> Option<Self> {
        let orders: Vec<Self> = orders.into_iter().collect();
        let has_form = orders.iter().any(Self::has_form);
        let words = orders.into_iter().map(|order| order.words);
        let words = Wording::join(words, "\n\n");
        (!words.is_empty()).then_some(Self { words, has_form })
    }

    /// Its text.
    pub const fn words(&self) -> &Wording {
        &self.words
    }

    /// Whether it says how the reply ends.
    pub const fn has_form(&self) -> bool {
        self.has_form
    }
}

/// What a planner is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanBriefing<'a> {
    /// The goal.
    pub goal: &'a str,
    /// The weights that a task may have, by name. A name that is not known is left out.
    pub weights: &'a [&'a str],
    /// What was found in the project before.
    pub report: Option<&'a str>,
    /// A plan that came before, and what was objected to it.
    pub objections: Option<(&'a str, &'a str)>,
    /// Why the reply before could not be used.
    pub fault: Option<&'a str>,
}

/// The weights of a task, each with the tasks that have it.
pub const TASK_WEIGHTS: [(&str, &str); 7] = [
    ("quick", "a small, obvious change in a known place"),
    ("standard", "one change in one module"),
    ("heavy", "one change through many modules"),
    (
        "deep",
        "a hard problem in a narrow place, whose cause or way is not known",
    ),
    ("ui", "one change of what users see and operate"),
    ("ui-heavy", "a whole part of what users see and operate"),
    ("docs", "documentation alone"),
];

/// Orders a planner to make a plan.
pub fn plan_order(salt: &str, briefing: &PlanBriefing<'_>) -> Order {
    let is_wanted = |name: &str| briefing.weights.contains(&name);
    let weights = TASK_WEIGHTS.iter().filter(|(name, _)| is_wanted(name));
    let weights = weights.map(|(name, about)| Wording::from_format("- `{}`: {}", &[name, about]));
    let mut order = Wording::from_format(
        "Make the plan for this goal:\n\n{}\n\n\
         Each task is done by one worker in a folder of its own that begins from what is done by then, \
         and is reviewed and merged for itself. Tasks that do not need each other are worked on at the \
         same time: let them touch different files. At most {} tasks, as few as will do. A \
         spec says what is wanted, in which files, and by which check it is seen.\n\n\
         `weight` decides who works on a task:\n{}\n\n\
         `risky` is true for a task that touches money, rights or stored formats, or that does what \
         cannot be undone; `irreversible` is true for a task that does what cannot be undone.\n\n\
         End with one JSON object, alone, of this form; `needs` has the places of earlier tasks, from 1:\n\n\
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
            "\n\nThis is the plan so far:\n{}\n\nThis was objected to it. Change the plan where an \
             objection holds, keep the rest, and return the whole plan:\n{}",
            &[
                &fence(salt, "plan", &"plan", plan),
                &fence(salt, "objections", &"objection", objections),
            ],
        ));
    }
    if let Some(fault) = briefing.fault {
        order.push(&Wording::from_format(
            "\n\nWhat came before could not be used:\n{}",
            &[&fence(salt, "fault", &"finding", fault)],
        ));
    }
    Order::with_form(order)
}

/// Orders a scout to report what a planner needs to know about `goal`.
pub fn report_order(salt: &str, goal: &str) -> Order {
    Order::new(Wording::from_format(
        "A planner makes a plan for the goal below. Find what it must know of this project: the places \
         that the goal touches, how the project is built and checked, what depends on these places.\n\n{}",
        &[&fence(salt, "goal", &"goal", goal)],
    ))
}

/// Orders a critic to object to `plan`.
pub fn objection_order(salt: &str, plan: &str) -> Order {
    Order::with_form(Wording::from_format(
        "Object to this plan: say what is wrong with it, what it leaves out, and what will break. If you \
         find nothing, say so and what you looked at.\n\n{}\n\n\
         End with your objections as plain text, the worst first: for each one the fault, the place in \
         your folder that shows it, and whether it has to be met before the plan is carried out.",
        &[&fence(salt, "plan", &"plan", plan)],
    ))
}

/// A role that checks a change before its merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checker {
    /// Its role.
    pub role: &'static str,
    /// What it is to do with the change.
    order: &'static str,
    /// The last line of its reply if the change may be merged.
    pub passes: &'static str,
    /// The last lines of its reply if not.
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
        order: "Another member says that this change does what was wanted. Take each thing that was \
                wanted as a claim, and find out whether it holds.",
        passes: "Verdict: done",
        fails: &["Verdict: not done"],
    },
    Checker {
        role: "qa",
        order: "Another member made a change that users will meet. Find what they would stumble on.",
        passes: "Verdict: ready",
        fails: &["Verdict: not ready"],
    },
    Checker {
        role: "auditor",
        order: "Audit a change that another member made: hold it against the rules of the project, and \
                look for what it does to security, privacy, licences and secrets.",
        passes: "Verdict: kept",
        fails: &["Verdict: broken"],
    },
];

impl Checker {
    /// The checker of a role.
    pub fn of_role(role: &str) -> Option<&'static Self> {
        CHECKERS.iter().find(|it| it.role == role)
    }

    /// The last lines that its reply may have.
    fn lines(&self) -> Wording {
        let fails = self.fails.iter();
        let fails = fails.map(|word| Wording::from_format("`{}`", &[word]));
        let fails = Wording::join(fails, " or ");
        Wording::from_format("`{}` or {}", &[&self.passes, &fails])
    }

    /// Returns the verdict of `reply`: whether the change may be merged. None if the last line is not
    /// exactly one of the checker's verdicts. Marks of Markdown, a full stop at the end and case do not
    /// matter.
    pub fn verdict(&self, reply: &str) -> Option<bool> {
        // A line with marks alone is the end of a code block.
        let last = reply.lines().rev().map(plain).find(|it| !it.is_empty())?;
        let is_last = |verdict: &&str| verdict.to_lowercase() == last;
        if is_last(&self.passes) {
            return Some(true);
        }
        self.fails.iter().any(is_last).then_some(false)
    }
}

/// A line in lower case, without marks of Markdown and the full stop at its end.
fn plain(line: &str) -> String {
    let text = line.replace(['*', '`'], "").to_lowercase();
    let text = text.trim();
    text.strip_suffix('.').unwrap_or(text).to_owned()
}

/// The diff of a change, as far as those who judge it are shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownDiff {
    /// Its beginning, or all of it.
    pub text: String,
    /// Whether it was cut.
    pub is_cut: bool,
}

impl ShownDiff {
    /// Cuts a diff to what is shown.
    pub fn cut(diff: &str) -> Self {
        let text: String = diff.chars().take(MAX_DIFF_CHARS).collect();
        Self {
            is_cut: text.len() < diff.len(),
            text,
        }
    }
}

/// A change, as a member that checks it is told of it.
#[derive(Clone, Copy, Debug)]
pub struct ChangeBriefing<'a> {
    /// The title of its task.
    pub title: &'a str,
    /// What was wanted.
    pub spec: &'a str,
    /// The change; none if it is to be read in the folder.
    pub diff: Option<&'a ShownDiff>,
    /// The gates that passed on it, in a line each.
    pub gates: &'a str,
}

/// Orders a member to check a change.
pub fn check_order(salt: &str, checker: &Checker, briefing: &ChangeBriefing<'_>) -> Order {
    let change = match briefing.diff {
        None => Wording::from_literal("It is too large to be shown here: read it in your folder."),
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
        "{} Your folder has it. This was wanted:\n\n{}\n\n{}\n\n{}\n\n\
         The last line of your reply is {}.",
        &[
            &checker.order,
            &fence(salt, "task", &"task", &wanted),
            &change,
            &gates,
            &checker.lines(),
        ],
    ))
}

/// Asks a member that checked a change for the last line that its reply lacks; `review` is what it
/// wrote.
pub fn verdict_order(salt: &str, checker: &Checker, title: &str, review: &str) -> Order {
    let cut: String = review.chars().take(MAX_REVIEW_CHARS).collect();
    Order::with_form(Wording::from_format(
        "You checked a change that another member made for this task:\n\n{}\n\n\
         The last line of your reply is not a verdict. This is what you wrote:\n\n{}\n\n\
         Reply with one line alone, which follows from what you found: {}.",
        &[
            &fence(salt, "task", &"task", title),
            &fence(salt, "review", &"review", &cut),
            &checker.lines(),
        ],
    ))
}

/// Orders the member that made a change to repair what a check found.
pub fn repair_order(salt: &str, check: &str, outcome: &str, output: &str) -> Order {
    let output = match output.trim().is_empty() {
        true => Wording::from_literal("It printed nothing."),
        false => Wording::from_format(
            "This is what it printed:\n\n{}",
            &[&fence(salt, "output", &"output", output)],
        ),
    };
    Order::new(Wording::from_format(
        "Your turn ended, and Agon ran this check in your folder:\n\n{}\n\n\
         It failed:\n\n{}\n\n{}\n\n\
         Your change is still in your folder. Repair it so that the check passes and the task is still \
         met. Change the check's own files only if the task asks for it.",
        &[
            &fence(salt, "check", &"check", check),
            &fence(salt, "outcome", &"outcome", outcome),
            &output,
        ],
    ))
}

/// Orders a worker to remove the git repositories in its folder; `paths` has one a line.
pub fn repositories_order(salt: &str, paths: &str) -> Order {
    Order::new(Wording::from_format(
        "Your folder has git repositories of its own, so nothing in it could be taken. Remove each of \
         these, and the files beside it count:\n{}",
        &[&fence(salt, "paths", &"paths", paths)],
    ))
}

/// Tells a worker why its task came back.
pub fn returned_order(salt: &str, note: &str) -> Order {
    Order::new(Wording::from_format(
        "It came back to you with this note:\n{}",
        &[&fence(salt, "note", &"note", note)],
    ))
}

/// Orders a worker to solve the conflicts in `files` files.
pub fn unsolved_order(files: usize) -> Order {
    Order::new(Wording::from_format(
        "What the others did meanwhile was merged into your folder, and {} files conflict: solve each \
         so that both changes are kept, and leave no line that begins with `<<<<<<<`, `=======` or \
         `>>>>>>>`.",
        &[&files],
    ))
}
