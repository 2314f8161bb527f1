//! What a run orders its members to do, besides their tasks or in their place.

use agon_wording::{Wording, fence};

/// The most tasks of a plan.
pub const MAX_PLANNED_TASKS: usize = 12;

// About 15,000 tokens: a quarter of the 64,000 from which on an unknown model is thought to lose
// track.
/// Characters of a diff that a reviewer is given; the rest it reads in its folder.
const MAX_DIFF_CHARS: usize = 60_000;

/// Orders a planner to make the plan for `goal`. `fault` is what was wrong with the plan before.
pub fn plan_order(salt: &str, goal: &str, fault: Option<&str>) -> Wording {
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
    order
}

/// Orders a critic to object to `plan`.
pub fn objection_order(salt: &str, plan: &str) -> Wording {
    Wording::from_format(
        "Object to this plan: say what is wrong with it, what it leaves out, and what will break, each \
         with the place in your folder that shows it. Say which objections would have to be met before \
         it is carried out. Where you find nothing, say so and what you looked at.\n\n{}",
        &[&fence(salt, "plan", &"plan", plan)],
    )
}

/// Orders a reviewer to review `diff`, the change for a task; without one, the change in its folder.
pub fn review_order(salt: &str, title: &str, spec: &str, diff: Option<&str>) -> Wording {
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
    Wording::from_format(
        "Review a change that another member made. Your folder has it. This was wanted:\n\n{}\n\n\
         {}\n\n\
         The last line of your reply is `Verdict: merge`, `Verdict: merge after fixes` or \
         `Verdict: do not merge`.",
        &[&wanted, &change],
    )
}

/// Orders a worker to remove the git repositories in its folder; `paths` has one a line.
pub fn repositories_order(salt: &str, paths: &str) -> Wording {
    Wording::from_format(
        "Your folder has git repositories of its own, so nothing in it could be taken. Remove each of \
         these, and the files beside it count:\n{}",
        &[&fence(salt, "paths", &"paths", paths)],
    )
}

/// Tells a worker why its task came back.
pub fn returned_order(salt: &str, note: &str) -> Wording {
    Wording::from_format(
        "It came back to you with this note:\n{}",
        &[&fence(salt, "note", &"note", note)],
    )
}

/// Orders a worker to solve the conflicts in `files` files.
pub fn unsolved_order(files: usize) -> Wording {
    Wording::from_format(
        "What the others did meanwhile was merged into your folder, and {} files conflict: solve each \
         so that both changes are kept, and leave no line that begins with `<<<<<<<`, `=======` or \
         `>>>>>>>`.",
        &[&files],
    )
}
