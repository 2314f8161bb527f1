//! The way of a topic: the files that it enters from the command line to the engine's loop, and
//! those that the outcome enters from there to the screen.
//!
//! A static walk. From `main` it follows, in the order of the source, each call that leads to the
//! loop, and each call beside the way that takes the topic and whose result is used on the way:
//! a value carries the topic when its type holds one, or when it is a text that was made of one.
//! A method is known by its name and the number of its values alone, so one that is called as a
//! method of the standard library counts where that is called: give it another name.
//! A file is entered when a function in another file calls into it; what is called in one's own
//! file, and coming back, is not counted.

mod body;
mod program;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use syn::Expr;

use super::source::SourceText;
use body::{Body, Call, Names};
use program::{Function, Program};

/// The crates whose files are counted.
const COUNTED: [&str; 3] = ["app", "cli", "config"];
/// The crates whose types a topic is held in besides.
const HOLDING: [&str; 2] = ["engine", "record"];
/// Where the way begins, for the command that it is measured for.
const START: [&str; 2] = ["cli", "main"];
const COMMAND: &str = "Debate";
/// Where it ends.
const LOOP: [&str; 3] = ["engine", "run", "run_debate"];
/// What is called only where no topic was typed, or no debate about it starts.
const WITHOUT_TOPIC: [[&str; 4]; 3] = [
    ["cli", "command", "debate", "prompt_for_args"],
    ["cli", "command", "debate", "confirm_plan"],
    ["cli", "command", "debate", "play_demo"],
];
/// The field that holds a topic.
const FIELD: &str = "topic";
/// Types that hold one besides those that have such a field: the topic as it was read, and the open
/// debate.
const HOLDERS: [&str; 2] = ["app::topic::Topic", "engine::host::folder::FolderHost"];
/// What a debate is once it is open. Who is given that reads a debate, and passes no topic on.
const OPEN: &str = "record::state::State";
/// What the loop's end is given back as, and what puts it on the screen.
const OUTCOME: &str = "app::outcome::Outcome";
const SCREEN: &str = "cli::output::Out";

/// The files on the way, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Route {
    /// Those that the topic enters, each time that it does.
    pub(super) into: Vec<String>,
    /// Those that the outcome enters, each once.
    pub(super) back: Vec<String>,
}

/// The route through the production sources of the workspace.
///
/// # Errors
/// When a source is not Rust, or the way does not lead from its start to its end.
pub(super) fn route(sources: &[SourceText]) -> Result<Route> {
    let is_read = |it: &&SourceText| {
        let name = it.crate_name();
        COUNTED.contains(&name) || HOLDING.contains(&name)
    };
    let program = Program::read(sources.iter().filter(is_read), &COUNTED)?;
    let start = START.map(str::to_owned);
    let start = program.function(&start).context("there is no `main`")?;
    let mut walk = Walk {
        carriers: containers(&program),
        outcomes: contents(&program),
        bodies: program
            .functions
            .iter()
            .map(|it| Body::of(&it.body, COMMAND))
            .collect(),
        callees: Vec::new(),
        reaching: BTreeSet::new(),
        active: Vec::new(),
        has_arrived: false,
        route: Route::default(),
        program,
    };
    walk.callees = (0..walk.bodies.len()).map(|at| walk.meanings(at)).collect();
    walk.find_reaching();
    walk.route
        .into
        .push(walk.program.functions[start].file.clone());
    let parsed = walk
        .program
        .variants
        .get(&("Command".to_owned(), COMMAND.to_owned()))
        .and_then(|held| held.iter().find_map(|it| walk.program.type_files.get(it)));
    let parsed = parsed.context("the command takes nothing")?.clone();
    walk.route.into.push(parsed);
    walk.follow(start, &BTreeSet::new());
    anyhow::ensure!(walk.has_arrived, "the topic does not come to the loop");
    Ok(walk.route)
}

/// The types that hold a topic, and those that hold one of them.
fn containers(program: &Program) -> BTreeSet<String> {
    let mut found = program.with_field.get(FIELD).cloned().unwrap_or_default();
    found.extend(HOLDERS.map(str::to_owned));
    loop {
        let before = found.len();
        for (name, fields) in &program.fields {
            if name != OPEN && !fields.is_disjoint(&found) {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The outcome, and the types in it that stand beside it.
fn contents(program: &Program) -> BTreeSet<String> {
    let home = program.type_files.get(OUTCOME);
    let mut found = program.fields.get(OUTCOME).cloned().unwrap_or_default();
    found.retain(|it| program.type_files.get(it) == home);
    found.insert(OUTCOME.to_owned());
    found
}

/// What a call means.
enum Callee {
    Loop,
    /// Functions of the crates that are counted; none where it is of another crate.
    Known(Vec<usize>),
}

impl Callee {
    fn known(&self) -> &[usize] {
        match self {
            Self::Loop => &[],
            Self::Known(known) => known,
        }
    }
}

struct Walk {
    program: Program,
    bodies: Vec<Body>,
    /// What each call of each body means.
    callees: Vec<Vec<Callee>>,
    carriers: BTreeSet<String>,
    outcomes: BTreeSet<String>,
    /// The functions from which the loop is reached.
    reaching: BTreeSet<usize>,
    active: Vec<usize>,
    has_arrived: bool,
    route: Route,
}

impl Walk {
    /// What the calls of the function `at` mean.
    fn meanings(&self, at: usize) -> Vec<Callee> {
        let function = &self.program.functions[at];
        let meaning = |call: &Call| {
            if call.is_method {
                let values = call.values.len() - 1;
                return Callee::Known(self.program.methods(&call.path[0], values));
            }
            let path = self.program.full_path(function, &call.path);
            if path == LOOP {
                return Callee::Loop;
            }
            let known = self.program.function(&path);
            Callee::Known(
                known
                    .filter(|_| WITHOUT_TOPIC.iter().all(|it| path != *it))
                    .into_iter()
                    .collect(),
            )
        };
        self.bodies[at].calls.iter().map(meaning).collect()
    }

    fn find_reaching(&mut self) {
        loop {
            let before = self.reaching.len();
            for at in 0..self.bodies.len() {
                // A method's name alone may mean several, and leads on where it means one.
                let reaches = self.callees[at].iter().any(|callee| match callee {
                    Callee::Loop => true,
                    Callee::Known(known) => {
                        matches!(known[..], [one] if self.reaching.contains(&one))
                    }
                });
                if reaches {
                    self.reaching.insert(at);
                }
            }
            if self.reaching.len() == before {
                return;
            }
        }
    }

    /// Follows the calls of a function, of which the parameters `texts` are made of the topic.
    fn follow(&mut self, at: usize, texts: &BTreeSet<String>) {
        if self.active.contains(&at) {
            return;
        }
        self.active.push(at);
        let texts = self.texts(at, texts);
        let used = self.used(at);
        for number in 0..self.bodies[at].calls.len() {
            let call = &self.bodies[at].calls[number];
            if self.has_arrived {
                self.follow_back(at, number);
                continue;
            }
            let place = call.at;
            let callees = match &self.callees[at][number] {
                Callee::Loop => {
                    self.has_arrived = true;
                    continue;
                }
                Callee::Known(known) => known.clone(),
            };
            for callee in callees {
                let call = &self.bodies[at].calls[number];
                let function = &self.program.functions[callee];
                let leads_on = self.reaching.contains(&callee);
                let given = self.given(function, call, &texts);
                if !(leads_on || used.contains(&place) && given.is_some()) {
                    continue;
                }
                let file = function.file.clone();
                if file != self.program.functions[at].file {
                    self.route.into.push(file);
                }
                self.follow(callee, &given.unwrap_or_default());
                if self.has_arrived {
                    break;
                }
            }
        }
        self.active.pop();
    }

    /// The parameters of `function` that `call` gives a text made of the topic; none where it is
    /// given nothing that carries one.
    fn given(
        &self,
        function: &Function,
        call: &Call,
        texts: &BTreeSet<String>,
    ) -> Option<BTreeSet<String>> {
        let values = &call.values[usize::from(call.is_method)..];
        let is_topical =
            |names: &Names| names.fields.contains(FIELD) || !names.found.is_disjoint(texts);
        let topical = function
            .inputs
            .iter()
            .zip(values)
            // A closure is no text, whatever it names: `find` of an iterator is no method of ours.
            .filter(|(input, value)| input.is_text() && !matches!(value, Expr::Closure(_)))
            .filter(|(_, value)| is_topical(&Names::of(value)));
        let texts: BTreeSet<_> = topical.flat_map(|(input, _)| input.names.clone()).collect();
        let owner = function.owner.iter().filter(|_| function.is_method);
        let mut types = function.inputs.iter().flat_map(|it| &it.types).chain(owner);
        let carries = types.any(|it| self.carriers.contains(it));
        (carries || !texts.is_empty()).then_some(texts)
    }

    /// The names in a function that hold what was made of the topic.
    fn texts(&self, at: usize, given: &BTreeSet<String>) -> BTreeSet<String> {
        let mut texts = given.clone();
        loop {
            let before = texts.len();
            for (bound, from) in &self.bodies[at].bindings {
                let places = Body::places(from, COMMAND);
                let calls = self.bodies[at].calls.iter().zip(&self.callees[at]);
                let mut called = calls
                    .filter(|(call, _)| !call.is_method && places.contains(&call.at))
                    .flat_map(|(_, callee)| callee.known());
                if called.any(|&it| !self.program.functions[it].gives_text()) {
                    continue;
                }
                let from = Names::of(from);
                if from.fields.contains(FIELD) || !from.found.is_disjoint(&texts) {
                    texts.extend(bound.iter().cloned());
                }
            }
            if texts.len() == before {
                return texts;
            }
        }
    }

    /// The places of the calls whose results are used on the way: in a function from which the
    /// loop is reached those that come to the calls which lead there, in any other all.
    fn used(&self, at: usize) -> BTreeSet<(usize, usize)> {
        let body = &self.bodies[at];
        if !self.reaching.contains(&at) {
            return body.calls.iter().map(|call| call.at).collect();
        }
        let leads_on = |callee: &Callee| match callee {
            Callee::Loop => true,
            Callee::Known(known) => known.iter().any(|it| self.reaching.contains(it)),
        };
        let calls = body.calls.iter().zip(&self.callees[at]);
        let onward = calls.filter(|(_, callee)| leads_on(callee));
        let mut used: Vec<_> = onward.flat_map(|(call, _)| &call.values).collect();
        let mut names: BTreeMap<String, ()> = BTreeMap::new();
        let mut next = 0;
        while let Some(value) = used.get(next) {
            next += 1;
            for name in Names::of(value).found {
                if names.insert(name.clone(), ()).is_none() {
                    let bound = body.bindings.iter().filter(|(it, _)| it.contains(&name));
                    used.extend(bound.map(|(_, from)| from));
                }
            }
        }
        used.iter()
            .flat_map(|value| Body::places(value, COMMAND))
            .collect()
    }

    /// Follows a call behind the loop that takes, makes or prints an outcome.
    fn follow_back(&mut self, at: usize, number: usize) {
        for callee in self.callees[at][number].known().to_vec() {
            let function = &self.program.functions[callee];
            let inputs = function.inputs.iter().flat_map(|it| &it.types);
            let mut types = inputs.chain(&function.output).chain(&function.owner);
            let is_screen = function.owner.as_deref() == Some(SCREEN);
            let takes = types.any(|it| self.outcomes.contains(it));
            if !(takes || is_screen) {
                continue;
            }
            let file = function.file.clone();
            if file != self.program.functions[at].file && !self.route.back.contains(&file) {
                self.route.back.push(file);
            }
            if takes && !self.active.contains(&callee) {
                self.active.push(callee);
                (0..self.bodies[callee].calls.len()).for_each(|it| self.follow_back(callee, it));
                self.active.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command line and an application with one file between `main` and the loop, with `changes`
    /// to their texts.
    fn routed(changes: &[(&str, &str)]) -> Route {
        let sources = [
            (
                "crates/cli/src/main.rs",
                "mod args; mod command; mod output;
                fn main() { dispatch(&Cli::parse()) }
                fn dispatch(cli: &Cli) { match &cli.command {
                    Command::Resume(args) => command::resume::run(args),
                    Command::Debate(args) => block_on(command::debate::run(args)) } }",
            ),
            (
                "crates/cli/src/args.rs",
                "mod debate; pub use debate::DebateArgs;
                enum Command { Debate(DebateArgs), Resume(ResumeArgs) }",
            ),
            (
                "crates/cli/src/args/debate.rs",
                "pub struct DebateArgs { topic: String }",
            ),
            (
                "crates/cli/src/command/debate.rs",
                "use crate::args::DebateArgs; use crate::output::Out;
                pub fn run(args: &DebateArgs) {
                    let topic = args.topic.join(\" \");
                    let outcome = agon_app::duel::start(topic);
                    print(&outcome)
                }
                fn print(outcome: &agon_app::Outcome) { Out::new().line(outcome) }",
            ),
            (
                "crates/cli/src/output.rs",
                "pub struct Out; impl Out { fn new() -> Self { Self } fn line(&self, it: &str) {} }",
            ),
            (
                "crates/app/src/lib.rs",
                "pub mod duel; mod outcome; mod words; pub use outcome::Outcome;",
            ),
            (
                "crates/app/src/outcome.rs",
                "pub enum Outcome { Ended(u8) }",
            ),
            (
                "crates/app/src/words.rs",
                "pub fn count(text: &str) -> usize { 0 }
                pub fn tidy(text: &str) -> String { text.to_owned() }
                pub fn of(topic: &str) -> Words { Words }",
            ),
            (
                "crates/app/src/duel.rs",
                "use crate::outcome::Outcome; use agon_engine::run::run_debate; use crate::words;
                pub fn start(topic: String) -> Outcome { run_debate(&topic); Outcome::Ended(0) }",
            ),
        ];
        let sources = sources.map(|(path, text)| {
            let text = changes
                .iter()
                .fold(text.to_owned(), |text, (old, new)| text.replace(old, new));
            SourceText::new(path.to_owned(), &text)
        });
        route(&sources).unwrap()
    }

    /// The files of a way in, without the folders that all have.
    fn into(changes: &[(&str, &str)]) -> Vec<String> {
        let route = routed(changes);
        let short = |it: String| it.replace("crates/", "").replace("src/", "");
        route.into.into_iter().map(short).collect()
    }

    const STRAIGHT: [&str; 4] = [
        "cli/main.rs",
        "cli/args/debate.rs",
        "cli/command/debate.rs",
        "app/duel.rs",
    ];

    #[test]
    fn the_way_leads_from_main_to_the_loop_and_the_outcome_to_the_screen() {
        let files = |names: &[&str]| -> Vec<String> {
            names.iter().map(|it| format!("crates/{it}")).collect()
        };
        assert_eq!(
            routed(&[]),
            Route {
                into: files(&[
                    "cli/src/main.rs",
                    "cli/src/args/debate.rs",
                    "cli/src/command/debate.rs",
                    "app/src/duel.rs",
                ]),
                back: files(&["cli/src/output.rs"]),
            }
        );
    }

    #[test]
    fn another_file_that_changes_the_topic_is_a_stop() {
        let stop = [STRAIGHT.as_slice(), &["app/words.rs"]].concat();
        for change in [
            "let topic = words::tidy(&topic); run_debate(&topic)",
            "let text = topic.trim(); run_debate(words::tidy(text))",
            "let words = words::of(&topic); run_debate(words)",
            "let again = vec![words::tidy(&topic)]; run_debate(&again)",
            "let mut topic = topic; topic = words::tidy(&topic); run_debate(topic)",
            "if let Some(it) = words::tidy(&topic).get(1..) { run_debate(it) }",
        ] {
            assert_eq!(into(&[("run_debate(&topic)", change)]), stop, "{change}");
        }
    }

    #[test]
    fn a_file_that_is_entered_twice_is_named_twice() {
        let twice = "let a = words::tidy(&topic); let b = words::tidy(&a); run_debate(b)";
        let stops = [STRAIGHT.as_slice(), &["app/words.rs", "app/words.rs"]].concat();
        assert_eq!(into(&[("run_debate(&topic)", twice)]), stops);
    }

    #[test]
    fn a_stop_behind_a_re_export_is_the_file_that_defines_it() {
        let changes = [
            ("agon_app::duel::start", "agon_app::start"),
            ("mod outcome;", "mod outcome; pub use words::start;"),
            (
                "pub fn tidy",
                "pub fn start(topic: String) -> Outcome { crate::duel::start(topic) } pub fn tidy",
            ),
        ];
        let mut stops = STRAIGHT.to_vec();
        stops.insert(3, "app/words.rs");
        assert_eq!(into(&changes), stops);
    }

    #[test]
    fn who_reads_the_topic_beside_the_way_is_no_stop() {
        let beside = "let words = words::count(&topic); println!(\"{words}\"); run_debate(&topic)";
        assert_eq!(into(&[("run_debate(&topic)", beside)]), STRAIGHT);
    }

    #[test]
    fn a_topic_enters_ten_files_each_once_and_the_outcome_four() {
        let route = route(&crate::source::read_production().unwrap()).unwrap();
        let files = |names: &[&str]| -> Vec<String> {
            names.iter().map(|it| format!("crates/{it}")).collect()
        };
        assert_eq!(
            route,
            Route {
                into: files(&[
                    "cli/src/main.rs",
                    "cli/src/args/debate.rs",
                    "cli/src/args/live.rs",
                    "cli/src/command/debate.rs",
                    "app/src/duel.rs",
                    "app/src/topic.rs",
                    "app/src/duel/setup.rs",
                    "app/src/interviewed.rs",
                    "app/src/precedents.rs",
                    "app/src/run.rs",
                ]),
                back: files(&[
                    "app/src/outcome.rs",
                    "app/src/ending.rs",
                    "cli/src/outcome.rs",
                    "cli/src/output.rs",
                ]),
            }
        );
    }
}
