//! Debates and questions over HTTP, through the program.

use std::fs;

use agon_testkit::models::Api;
use agon_testkit::{Answer, FakeModels, Sandbox, Script};

use crate::scenarios::seen::files;
use crate::support::{Place, Ran, TOPIC};

const KEY: &str = concat!("sk-", "made-up-0123456789abcdefghij");

/// Service, what stands behind the server's address, and what is spoken there.
const DIALECTS: [(&str, &str, Api); 3] = [
    ("openai", "/v1", Api::Chat),
    ("anthropic", "/v1", Api::Anthropic),
    ("gemini", "/v1beta", Api::Gemini),
];

/// A model server, and a place in which no tool is installed.
struct Served {
    models: FakeModels,
    place: Place,
}

impl Served {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let env = sandbox.command_env();
        let mut place = Place::new(sandbox, env);
        let set = |place: &mut Place, name: &str, value: &str| {
            place.env.insert(name.to_owned(), value.to_owned());
        };
        set(&mut place, "MODELS_KEY", KEY);
        let config = place.home().join("config").to_string_lossy().into_owned();
        set(&mut place, "AGON_CONFIG_DIR", &config);
        Self {
            models: FakeModels::start(Script::job_store()),
            place,
        }
    }

    /// Writes the user's configuration: servers `one` to `three` that speak this, with a key.
    fn configure(&self, (adapter, path, _): (&str, &str, Api), more: &str) {
        let url = self.models.url();
        let table = |name: &str| {
            format!(
                "[tools.{name}]\ntransports = [\"http\"]\nvendor = \"{name}\"\n\
                 http = {{ adapter = \"{adapter}\", url = \"{url}{path}\", model = \"m-{name}\", \
                 key_env = [\"MODELS_KEY\"], budget = 0{more} }}\n"
            )
        };
        let folder = self.place.home().join("config");
        fs::create_dir_all(&folder).unwrap();
        let tables = ["one", "two", "three"].map(table).concat();
        fs::write(folder.join("config.toml"), tables).unwrap();
    }

    fn debate(&self, seats: [&str; 3], more: &[&str]) -> Ran {
        let [proposer, challenger, judge] = seats;
        let args = [
            "debate",
            TOPIC,
            "--slug",
            "s",
            "--json",
            "--proposer",
            proposer,
        ];
        let seats = ["--challenger", challenger, "--judge", judge];
        self.place.run(&[&args[..], &seats, more].concat())
    }

    /// That the key is in nothing that was said or stored.
    fn kept_quiet(&self, ran: &Ran) {
        assert!(!format!("{ran:?}").contains(KEY), "{ran:#?}");
        let project = self.place.project();
        for path in files(&project) {
            let bytes = fs::read(project.join(&path)).unwrap();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(!text.contains(KEY), "{} has the key", path.display());
        }
    }
}

#[test]
fn every_dialect_fills_every_seat_of_a_duel() {
    for dialect in DIALECTS {
        let served = Served::new();
        served.configure(dialect, "");
        let ran = served.debate(["one", "two", "three"], &[]);
        assert_eq!(ran.code, Some(0), "{}: {ran:#?}", dialect.0);
        assert_eq!(ran.json()["authority"], "full", "{}", dialect.0);
        let requests = served.models.requests();
        assert_eq!(requests.len(), 8, "{}", dialect.0);
        for request in &requests {
            let keyed = request.key.as_deref() == Some(KEY);
            assert!(
                request.api == dialect.2 && request.stream && keyed,
                "{request:?}"
            );
        }
        let models: std::collections::BTreeSet<_> = requests.iter().map(|it| &it.model).collect();
        assert_eq!(
            models.into_iter().collect::<Vec<_>>(),
            ["m-one", "m-three", "m-two"]
        );
        let journal = fs::read_to_string(served.place.folder().join(".agon/journal.jsonl"));
        assert!(journal.unwrap().contains("\"transport\":\"http\""));
        served.kept_quiet(&ran);
        assert_eq!(served.place.left(), Vec::<String>::new());
    }
}

#[test]
fn models_named_by_their_address_debate_and_no_key_goes_there() {
    for (service, path, _) in DIALECTS {
        let mut served = Served::new();
        for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"] {
            served.place.env.insert(name.to_owned(), KEY.to_owned());
        }
        let url = format!("{}{path}", served.models.url());
        let seats = ["a", "b", "c"].map(|model| format!("{service}:{model}@{url}"));
        let ran = served.debate(seats.each_ref().map(String::as_str), &["--quick"]);
        assert!(matches!(ran.code, Some(0 | 7)), "{service}: {ran:#?}");
        let requests = served.models.requests();
        assert!(requests.len() >= 3 && requests.iter().all(|it| it.key.is_none()));
        served.kept_quiet(&ran);
    }
}

#[test]
fn a_key_refused_in_mid_debate_ends_with_4_and_resume_goes_on_from_there() {
    for dialect in DIALECTS {
        let served = Served::new();
        served.configure(dialect, "");
        served.models.set("r1.cha", Answer::Status(401));
        let ran = served.debate(["one", "two", "three"], &[]);
        assert_eq!(ran.ended(), (Some(4), "logged_out".to_owned()), "{ran:#?}");
        let message = ran.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(
            message.contains("the key in MODELS_KEY was rejected"),
            "{message}"
        );
        served.kept_quiet(&ran);
        served.models.set("r1.cha", Answer::Ok);
        let resumed = served.place.run(&["resume", "s", "--json"]);
        assert_eq!(resumed.code, Some(0), "{resumed:#?}");
        assert_eq!(resumed.json()["authority"], "full");
    }
}

/// What a server does with a turn, and what the turn is lost for where it always does.
const FAULTS: [(Answer, &str); 8] = [
    (Answer::RateLimit(Some(0)), "rate_limited"),
    (Answer::Status(500), "unavailable"),
    (Answer::Hang, "timeout"),
    (Answer::HangMid, "timeout"),
    (Answer::Stop, "unavailable"),
    (Answer::Garbage, "unreadable"),
    (Answer::Page, "unreadable"),
    (Answer::Length, "too_large"),
];

#[test]
fn what_passes_is_asked_again_and_what_does_not_loses_the_turn() {
    let dialects = DIALECTS.into_iter();
    let all: Vec<_> = dialects
        .flat_map(|dialect| FAULTS.map(|fault| (dialect, fault)))
        .collect();
    // They mostly wait.
    for some in all.chunks(8) {
        std::thread::scope(|scope| {
            for (dialect, (answer, cause)) in some {
                scope.spawn(|| once_and_always(*dialect, answer, cause));
            }
        });
    }
}

fn once_and_always(dialect: (&str, &str, Api), answer: &Answer, cause: &str) {
    let [once, always] = [1, usize::MAX].map(|times| {
        let served = Served::new();
        served.configure(dialect, ", first_byte_ms = 1000, between_bytes_ms = 1000");
        served.models.set_first("r2.cha", times, answer.clone());
        let ran = served.debate(["one", "two", "three"], &["--no-swap"]);
        (served, ran)
    });
    let (_, ran) = once;
    assert_eq!(ran.code, Some(0), "{} {answer:?}: {ran:#?}", dialect.0);
    let (served, ran) = always;
    assert_eq!(ran.code, Some(0), "{} {answer:?}: {ran:#?}", dialect.0);
    let missing = &served.place.verdict().unwrap()["missing"][0]["cause"];
    assert_eq!(missing, cause, "{} {answer:?}", dialect.0);
    served.kept_quiet(&ran);
}

#[test]
fn an_address_that_only_a_record_names_is_not_asked() {
    let served = Served::new();
    let model = format!("openai:m@{}/v1", served.models.url());
    // Nobody is there, and nobody can be.
    let far = "openai:m@https://models.invalid/v1";
    let ran = served.debate([&model, far, &model], &["--quick", "--detach"]);
    assert_eq!(
        ran.ended(),
        (Some(2), "invalid_parameter".to_owned()),
        "{ran:#?}"
    );
    let ran = served.debate([&model, far, &model], &["--quick"]);
    assert_eq!(ran.code, Some(7), "{ran:#?}");
    let on = served.place.run(&["continue", "s", "1", "--json"]);
    assert_eq!(on.code, Some(4), "{on:#?}");
    assert!(
        on.stdout
            .contains("a URL that only a debate record names is not used"),
        "{on:#?}"
    );
}

#[test]
fn an_address_that_others_could_listen_to_is_refused() {
    let served = Served::new();
    let ran = served.debate(
        ["openai:m@http://models.example/v1", "openai:n", "openai:o"],
        &[],
    );
    assert_eq!(
        ran.ended(),
        (Some(2), "invalid_parameter".to_owned()),
        "{ran:#?}"
    );
    assert!(
        ran.stdout
            .contains("http is allowed only for servers on this machine"),
        "{ran:#?}"
    );
}

#[test]
fn a_service_without_its_key_is_named_with_what_to_set() {
    let served = Served::new();
    let ran = served.debate(["openai:m", "anthropic:m", "gemini:m"], &[]);
    assert_eq!(
        ran.ended(),
        (Some(4), "tool_logged_out".to_owned()),
        "{ran:#?}"
    );
    assert_eq!(
        ran.json()["error"]["hint"],
        "set the key: export OPENAI_API_KEY=…"
    );
}

#[test]
fn a_model_answers_a_question_and_servers_are_listed() {
    let mut served = Served::new();
    let set = format!("Ollama={}", served.models.url());
    served
        .place
        .env
        .insert("AGON_LOOPBACK_SERVERS".to_owned(), set);
    served
        .place
        .env
        .insert("OPENROUTER_API_KEY".to_owned(), KEY.to_owned());
    let listed = served.place.run(&["tools"]);
    let url = served.models.url();
    for line in [
        "model APIs with a key: openrouter:MODEL (OPENROUTER_API_KEY)".to_owned(),
        format!("Ollama on this machine:\n    openai:mock-model:latest@{url}/v1"),
    ] {
        assert!(listed.stdout.contains(&line), "{listed:#?}");
    }
    served.models.set_script(Script::new("It depends."));
    let model = format!("openai:mock-model:latest@{url}/v1");
    let ran = served
        .place
        .run(&["consult", "Tabs or spaces?", "--tool", &model]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("It depends."), "{ran:#?}");
    served.kept_quiet(&ran);
}

#[test]
fn servers_that_nobody_named_are_neither_counted_nor_asked() {
    let served = Served::new();
    served.configure(DIALECTS[0], "");
    let listed = served.place.run(&["tools"]);
    assert!(
        listed.stdout.contains("no tool can debate yet"),
        "{listed:#?}"
    );
    let ran = served.place.run(&["consult", "Tabs or spaces?", "--json"]);
    assert_eq!(
        ran.ended(),
        (Some(4), "too_few_tools".to_owned()),
        "{ran:#?}"
    );
    assert_eq!(served.models.requests(), []);
}

/// The variable that names a real server on this machine, such as `http://127.0.0.1:8080`.
const REAL: &str = "AGON_TEST_SERVER";

#[test]
fn a_real_server_fills_every_seat() {
    let Some(url) = std::env::var(REAL).ok().filter(|url| !url.is_empty()) else {
        eprintln!("skipped: {REAL} names no model server");
        return;
    };
    let mut served = Served::new();
    let servers = format!("llama-server={url}");
    served
        .place
        .env
        .insert("AGON_LOOPBACK_SERVERS".to_owned(), servers);
    let tools = served.place.run(&["tools", "--json"]).json();
    let tools = tools["tools"].as_array().unwrap();
    let model = tools.iter().find(|tool| tool["usable"] == true).unwrap();
    let model = model["tool"].as_str().unwrap();
    let more = ["--quick", "--same-tool", "--timeout", "300"];
    let ran = served.debate([model; 3], &more);
    // Poor text is no fault of ours: the form is what counts.
    assert!(matches!(ran.code, Some(0 | 7)), "{ran:#?}");
    let verdict = served.place.verdict().unwrap();
    for seat in ["proposer", "challenger", "judge"] {
        assert_eq!(verdict["seats"][seat]["tool"], *model, "{verdict}");
    }
    assert_ne!(
        verdict["authority"], "uncontested",
        "both sides speak: {verdict}"
    );
    eprintln!("{model}: {:?}, {}", ran.took, verdict["usage"]);
}
