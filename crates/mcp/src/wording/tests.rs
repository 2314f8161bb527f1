use agon_caller::hint::{command, flag, flag_with, quoted};
use agon_caller::{Code, FailureKind};

use super::*;
use crate::tool::find_tool;

fn words_of(tool: &str) -> CallWords {
    CallWords::of_tool(find_tool(tool).unwrap())
}

#[test]
fn a_flag_is_the_parameter_of_the_call_and_what_the_call_cannot_do_is_left_out() {
    let seats = flag_with("proposer", "a")
        .flag_with("challenger", "b")
        .flag_with("model-proposer", "A");
    for (tool, hint, wanted) in [
        (
            "debate_start",
            Hint::new("another model (")
                .flag_with("model-challenger", "MODEL")
                .text(")")
                .or(Hint::new("accept it with ").flag("same-tool")),
            Some("another model (model_challenger MODEL)"),
        ),
        (
            "debate_start",
            flag_with("max-calls", 8)
                .text(" leaves room for the whole plan")
                .then(flag("quick").text(" takes 3")),
            Some("max_calls 8 leaves room for the whole plan; depth quick takes 3"),
        ),
        (
            "debate_start",
            seats,
            Some("proposer a, challenger b, model_proposer A"),
        ),
        (
            "debate_start",
            command("resume s --max-calls 20").text(" goes on with more"),
            None,
        ),
        (
            "consult",
            Hint::new("name one of them: ").flag_with("tool", "claude"),
            Some("name one of them: tools claude"),
        ),
        (
            "task",
            Hint::new("look with ")
                .quoted("team task why t3")
                .then(quoted("team status").text(" lists all")),
            Some("look with `task` with op show: `t3`; `task` with op list lists all"),
        ),
        (
            "recall",
            command("list").text(" shows them"),
            Some("agon list shows them"),
        ),
        (
            "recall",
            Hint::new("use ").flag_with("context", "none"),
            None,
        ),
    ] {
        let worded = hint.worded(&words_of(tool));
        assert_eq!(worded.as_deref(), wanted, "{}", hint.typed());
    }
}

#[test]
fn a_failure_names_parameters_and_says_so_if_none_helps() {
    let failure = |hint| {
        let failure = Failure::new(Code::Limit, "no model is named")
            .kind(FailureKind::Usage)
            .parameter("max-calls")
            .hint(hint);
        words_of("debate_start").error_document(failure).error
    };
    let told = failure(flag("timeout").text(" gives it longer"));
    assert_eq!(told.parameter.as_deref(), Some("max_calls"));
    assert_eq!(told.hint, NOTHING_TO_GIVE);
    assert_eq!(failure(flag("again").text(" helps")).hint, "again helps");
}
