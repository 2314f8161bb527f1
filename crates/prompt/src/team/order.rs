//! What a run orders its members to do, besides their tasks or in their place.

use agon_wording::{Wording, fence};

/// The most tasks of a plan.
pub const MAX_PLANNED_TASKS: usize = 12;

// About 15,000 tokens: a quarter of the 64,000 from which on an unknown model is thought to lose
// track.
/// Characters of a diff that a reviewer is given; the rest it reads in its folder.
const MAX_DIFF_CHARS: usize = 60_000;
/// Characters of a review that its reviewer is shown again.
const MAX_REVIEW_CHARS: usize = 16_000;
/// The lines of which a review ends with one.
const VERDICT_LINES: &str =
    "`Verdict: merge`, `Verdict: merge after fixes` or `Verdict: do not merge`";

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

/// Orders a planner to make the plan for `goal`. `fault` is what was wrong with the plan before.
pub fn plan_order(salt: &str, goal: &str, fault: Option<&str>) -> Order {
    let mut order = Wording::from_format(
        "Make the plan for this goal:\n\n{}\n\n\
         Each task is done by one worker in a folder of its own that begins from what is done by then, \
         and is reviewed and merged for itself. Tasks that do not need each other are worked on at the \
         same time: let them touch different files. At most {} tasks, as few as will do. A \
         spec says what is wanted, in which files, and by which check it is seen.\n\n\
         End with one JSON object, alone, of this form; `needs` has the places of earlier tasks, from 1:\n\n\
         {\"tasks\": [{\"title\": \"…\", \"spec\": \"…\", \"needs\": []}]}",
        &[&fence(salt, "goal", &"goal", goal), &MAX_PLANNED_TASKS],
    );
    if let Some(fault) = fault {
        order.push(&Wording::from_format(
            "\n\nWhat came before could not be used:\n{}",
            &[&fence(salt, "fault", &"finding", fault)],
        ));
    }
    Order::with_form(order)
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

/// Orders a reviewer to review `diff`, the change for a task; without one, the change in its folder.
pub fn review_order(salt: &str, title: &str, spec: &str, diff: Option<&str>) -> Order {
    let change = match diff {
        None => Wording::from_literal("It is too large to be shown here: read it in your folder."),
        Some(diff) => {
            let cut: String = diff.chars().take(MAX_DIFF_CHARS).collect();
            let rest = match cut.len() < diff.len() {
                true => "\n\nThe diff was cut here: the rest is in your folder.",
                false => "",
            };
            let cut = fence(salt, "diff", &"diff", &cut);
            Wording::from_format("This is the change:\n\n{}{}", &[&cut, &rest])
        }
    };
    let wanted = fence(salt, "task", &"task", &format!("{title}\n\n{spec}"));
    Order::new(Wording::from_format(
        "Review a change that another member made. Your folder has it. This was wanted:\n\n{}\n\n\
         {}\n\n\
         The last line of your reply is {}.",
        &[&wanted, &change, &VERDICT_LINES],
    ))
}

/// Asks a reviewer for the line that its review lacks; `review` is what it wrote.
pub fn verdict_order(salt: &str, title: &str, review: &str) -> Order {
    let cut: String = review.chars().take(MAX_REVIEW_CHARS).collect();
    Order::with_form(Wording::from_format(
        "You reviewed a change that another member made for this task:\n\n{}\n\n\
         Your review has no verdict. This is what you wrote:\n\n{}\n\n\
         Reply with one line alone, which follows from your review: {}.",
        &[
            &fence(salt, "task", &"task", title),
            &fence(salt, "review", &"review", &cut),
            &VERDICT_LINES,
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
