use super::*;

/// A call with the parameters `tools`, `challenger` and `model_challenger`, and one command.
#[derive(Debug)]
struct Call;

impl Words for Call {
    fn flag(&self, flag: &Flag) -> Option<String> {
        let name = match flag.name.as_str() {
            "tool" => "tools",
            "challenger" => "challenger",
            "model-challenger" => "model_challenger",
            _ => return None,
        };
        let value = flag.value.iter().map(|value| format!(" {value}"));
        Some(format!("{name}{}", value.collect::<String>()))
    }

    fn command(&self, command: &Command) -> Option<String> {
        match command.line.as_str() {
            "team status" => Some("`task` with op list".to_owned()),
            _ => (!command.has_flags()).then(|| command.typed()),
        }
    }

    fn between_flags(&self) -> &'static str {
        ", "
    }
}

fn both(hint: &Hint) -> (String, Option<String>) {
    (hint.typed(), hint.worded(&Call))
}

#[test]
fn a_terminal_types_flags_and_a_call_names_parameters() {
    let hint = Hint::new("seat another tool (")
        .flag_with("challenger", "codex")
        .text("), another model (")
        .flag_with("model-challenger", "MODEL")
        .text(")")
        .or("accept it with ")
        .flag("same-tool");
    let typed = "seat another tool (--challenger codex), another model (--model-challenger MODEL), \
                 or accept it with --same-tool";
    let called = "seat another tool (challenger codex), another model (model_challenger MODEL)";
    assert_eq!(both(&hint), (typed.to_owned(), Some(called.to_owned())));
}

#[test]
fn flags_in_a_row_are_given_together() {
    let hint = flag_with("challenger", "b").flag_with("model-challenger", "B");
    let typed = "--challenger b --model-challenger B";
    let called = "challenger b, model_challenger B";
    assert_eq!(both(&hint), (typed.to_owned(), Some(called.to_owned())));
    assert_eq!(hint.flag("judge").worded(&Call), None);
}

#[test]
fn a_command_with_flags_is_left_out_of_a_call() {
    let hint = quoted("team status")
        .text(" shows them")
        .then(command("tools doctor x --deep").text(" tells more"));
    let typed = "`agon team status` shows them; agon tools doctor x --deep tells more";
    let called = "`task` with op list shows them";
    assert_eq!(both(&hint), (typed.to_owned(), Some(called.to_owned())));
    assert_eq!(
        command("list").text(" has all").worded(&Call).as_deref(),
        Some("agon list has all")
    );
}

#[test]
fn the_steps_that_are_left_keep_their_joints() {
    let (a, no) = (Hint::new("a"), flag("none"));
    for (hint, called) in [
        (no.clone().or("b").then("c"), Some("b; c")),
        (a.clone().or(no.clone()).then("c"), Some("a; c")),
        (a.clone().then(no.clone()).or("c"), Some("a; c")),
        (
            a.clone().then(no.clone()).then(no.clone()).or("c"),
            Some("a; c"),
        ),
        (a.clone().or(no.clone()).or("c"), Some("a, or c")),
        (a.clone().join("; or ", no.clone()).then("c"), Some("a; c")),
        (a.join("\n", no.clone().then("c")), Some("a\nc")),
        (no.clone().then(no), None),
        (Hint::default().then("c"), Some("c")),
        (Hint::default(), None),
    ] {
        assert_eq!(hint.worded(&Call).as_deref(), called, "{}", hint.typed());
    }
}

#[test]
fn a_step_is_replaced_by_a_text() {
    let way = Hint::new("seat another with ").flag("substitute");
    let hint = Hint::new("log in").join("; or ", way.clone());
    assert_eq!(
        hint.replace_step(&way, "agon debate x --substitute")
            .typed(),
        "log in; or agon debate x --substitute"
    );
}
