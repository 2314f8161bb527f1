//! Measures an index of many debates: building, checking, rebuilding, listing and searching it.
//!
//! The first argument is the number of debates [default: 10,000].

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints what it measured"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use agon_folder::{Folder, list_debates};
use agon_index::{Index, RefreshLimit, debates_opened_since};
use agon_record::event::{Asked, Event, Given, Outcome, Reply, Usage};
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::Moves;
use agon_record::point;
use agon_record::spec::{Effort, Spec};
use agon_store::RealDisk;
use serde_json::{Value, json};

const AT: u64 = 1_795_291_200_000;

/// Words of different frequency for the topics.
const WORDS: [&str; 48] = [
    "queue",
    "lease",
    "store",
    "index",
    "cache",
    "worker",
    "retry",
    "shard",
    "replica",
    "schema",
    "migration",
    "deadline",
    "transaction",
    "journal",
    "snapshot",
    "checkpoint",
    "stream",
    "batch",
    "latency",
    "throughput",
    "consistency",
    "durability",
    "backup",
    "restore",
    "failover",
    "quorum",
    "leader",
    "follower",
    "partition",
    "compaction",
    "bloom",
    "segment",
    "cursor",
    "token",
    "session",
    "socket",
    "proxy",
    "gateway",
    "router",
    "scheduler",
    "allocator",
    "buffer",
    "kernel",
    "driver",
    "compiler",
    "parser",
    "lexer",
    "linker",
];

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let count: u64 = count.unwrap_or(10_000);
    let parent = tempfile::tempdir_in(".").unwrap();
    let dir = parent.path();
    seconds(
        "search.generate",
        "folders with a closed duel each, synced",
        || {
            for number in 0..count {
                debate(dir, number);
            }
        },
    );
    let journals: u64 = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path().join(".agon/journal.jsonl"))
        .map(|journal| fs::metadata(journal).unwrap().len())
        .sum();
    figure(
        "search.journals",
        journals as f64 / 1e6,
        "MB",
        "of all folders",
    );

    let all = usize::try_from(count).unwrap();
    let list = || {
        let mut index = Index::open_for_list(dir).unwrap();
        let listing = index.list(&|_| false, &mut || {}).unwrap();
        assert_eq!(listing.debates.len(), all);
    };
    let opened = || {
        let found = debates_opened_since(dir, 0, "another topic", &mut BTreeSet::new()).unwrap();
        assert_eq!(found.len(), 0);
    };
    seconds("list.folders", "all debates from their folders", || {
        assert_eq!(list_debates(&RealDisk, dir).unwrap().debates.len(), all);
    });
    seconds(
        "list.opened.cold",
        "the debates on a topic, no index",
        opened,
    );
    seconds("list.cold", "all debates, into an empty index", list);
    seconds("list.taken", "again: the locks were just taken", list);
    std::thread::sleep(std::time::Duration::from_secs(3));
    seconds(
        "list.settling",
        "again: the locks are checked once more",
        list,
    );
    seconds("list.warm", "again: nothing has changed", list);
    seconds("list.opened", "the debates on a topic", opened);
    fs::remove_file(dir.join(".agon/index.db")).unwrap();

    let read = |expected: usize| {
        let mut index = Index::open(dir).unwrap();
        let refreshed = index.refresh(RefreshLimit::All).unwrap();
        assert_eq!((refreshed.read, refreshed.unreadable.len()), (expected, 0));
    };
    seconds(
        "search.build",
        "the index of all folders, from nothing",
        || read(all),
    );
    let file = dir.join(".agon/index.db");
    let size = fs::metadata(&file).unwrap().len();
    figure(
        "search.index",
        size as f64 / 1e6,
        "MB",
        "the index on the disk",
    );
    seconds("search.refresh", "a further search: nothing is new", || {
        read(0)
    });
    debate(dir, count);
    seconds(
        "search.refresh one",
        "a further search: one debate is new",
        || read(1),
    );
    let mut index = Index::open(dir).unwrap();
    index.refresh(RefreshLimit::All).unwrap();
    seconds("search.words", "two words, the best twenty", || {
        assert_eq!(index.search("lease worker", 20).unwrap().len(), 20);
    });
    seconds("search.rare", "a phrase that stands in one debate", || {
        let phrase = format!("\"number {}\"", count / 2);
        assert_eq!(index.search(&phrase, 20).unwrap().len(), 1);
    });
    seconds("search.recall", "decisions near a topic", || {
        let topic = format!("should the lease of the worker move, number {}?", count / 3);
        assert!(!index.find_similar(&topic, 5).unwrap().is_empty());
    });
    seconds("search.usage", "every call, for the ledger", || {
        assert_eq!(index.calls_since(0).unwrap().len(), 5 * (all + 1));
    });
    fs::remove_file(&file).unwrap();
    seconds(
        "search.deleted",
        "deleted in mid-use, the words again",
        || {
            assert_eq!(index.search("lease worker", 20).unwrap().len(), 20);
        },
    );
    drop(index);
    seconds(
        "search.rebuild",
        "the index of all folders, after it was deleted",
        || {
            read(all + 1);
        },
    );
}

fn seconds(name: &str, note: &str, work: impl FnOnce()) {
    let started = Instant::now();
    work();
    figure(name, started.elapsed().as_secs_f64(), "s", note);
}

fn figure(name: &str, value: f64, unit: &str, note: &str) {
    let line = json!({"name": name, "value": value, "unit": unit, "note": note});
    println!("{line}");
}

/// Returns the words of debate `number`, the same in every run.
struct Words(u64);

impl Words {
    fn next(&mut self) -> &'static str {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        // Multiplying two numbers makes some words rare.
        let (one, other) = ((self.0 >> 33) % 48, (self.0 >> 45) % 48);
        WORDS[usize::try_from(one * other / 48).unwrap()]
    }

    fn say(&mut self, count: usize) -> String {
        let words: Vec<_> = (0..count).map(|_| self.next()).collect();
        words.join(" ")
    }
}

fn debate(dir: &Path, number: u64) {
    let mut words = Words(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let topic = format!("Should the {} move, number {number}?", words.say(4));
    let spec = spec(&topic, number);
    let slug = format!("number-{number}");
    let disk = Arc::new(RealDisk);
    let mut folder = Folder::create(disk, dir, &slug, spec, AT + number).unwrap();
    let events: Vec<Event> = turns(&mut words)
        .into_iter()
        .flat_map(|(turn, tool, moves)| call(turn, tool, &moves))
        .chain([Event::Closed {
            outcome: Outcome::Judged,
        }])
        .collect();
    folder.append(AT + number + 1, &events).unwrap();
}

fn spec(topic: &str, number: u64) -> Spec {
    let seating = |tool: &str, vendor: &str| {
        json!({ "tool": tool, "vendor": vendor, "model": null, "effort": "medium",
                "transport": "cli", "version": "1.2.3" })
    };
    serde_json::from_value(json!({
        "ulid": ulid::Ulid::from(u128::from(number) + 1).to_string(),
        "slug": "", "format": "duel", "topic": topic,
        "seats": { "proposer": seating("claude", "anthropic"),
                   "challenger": seating("codex", "openai"), "judge": seating("gemini", "google") },
        "substitutes": [], "rounds": 2, "blind": false, "ask_on_agreement": false,
        "context": { "kind": "none" },
        "caps": { "calls": 12, "tokens": 250_000, "time_ms": 1_800_000, "cost_micros": null, "reasks": 4 },
        "ask_timeout_ms": 240_000, "severities": {}, "same_tool": false,
        "salt": "5a".repeat(32), "agon": "0.1.0", "ruleset": "duel/1",
    }))
    .unwrap()
}

fn turns(words: &mut Words) -> Vec<(&'static str, &'static str, Value)> {
    let ground = |words: &mut Words| {
        json!({ "source": "src/store.rs:88-104", "content": words.say(40), "relevance": words.say(15),
                "citation": { "file": "src/store.rs", "lines": [88, 104], "anchor": words.say(4) } })
    };
    let argument = |words: &mut Words| {
        json!({ "title": words.say(6), "claim": words.say(20), "grounds": [ground(words), ground(words)],
                "warrant": words.say(30), "backing": words.say(20) })
    };
    let objection = |words: &mut Words, target: &str| {
        json!({ "target": target, "kind": "claim", "category": "correctness", "severity": "major",
                "content": words.say(25), "grounds": [ground(words)] })
    };
    let opening = json!({ "kind": "opening", "stance": words.say(8),
        "arguments": [argument(words), argument(words), argument(words)] });
    let challenge = json!({ "kind": "challenge",
        "objections": [objection(words, "pro_001a"), objection(words, "pro_001b")],
        "alternatives": [argument(words)] });
    let response = |words: &mut Words, objection: &str| json!({ "objection": objection, "reply": "rebut", "content": words.say(30), "grounds": [ground(words)] });
    let defense = json!({ "kind": "defense", "position_now": words.say(8),
        "responses": [response(words, "cha_001a"), response(words, "cha_001b")], "arguments": [argument(words)] });
    let ruling = |words: &mut Words, response: &str| json!({ "response": response, "ruling": "sustained", "content": words.say(20), "grounds": [ground(words)] });
    let follow_up = json!({ "kind": "follow_up",
        "assessments": [ruling(words, "pro_002a"), ruling(words, "pro_002b")],
        "objections": [objection(words, "pro_002c")] });
    let quality = json!({ "genuine_disagreement": "high", "evidence": "medium", "challenge_depth": "medium" });
    let verdict = json!({ "kind": "verdict", "winner": "proposer", "answer": words.say(6),
        "why": words.say(40), "do_next": words.say(12), "unless": words.say(12),
        "decisive": ["pro_001a"], "open": [], "assumed_by_both": [], "agreements": [],
        "disagreements": [], "quality": quality });
    vec![
        ("r1.pro", "claude", opening),
        ("r1.cha", "codex", challenge),
        ("r2.pro", "claude", defense),
        ("r2.cha", "codex", follow_up),
        ("verdict.judge", "gemini", verdict),
    ]
}

/// A call, its reply, and the resulting turn.
fn call(turn: &str, tool: &str, moves: &Value) -> [Event; 3] {
    let turn: TurnId = turn.parse().unwrap();
    let key = AskKey { turn, again: 0 };
    let reply = format!("What I think.\n\n```json\n{moves}\n```\n");
    let moves: Moves = serde_json::from_value(moves.clone()).unwrap();
    let ids = point::point_ids(turn, &moves);
    let usage = Usage {
        input: 9_000,
        output: 800,
        cost_micros: Some(21_000),
        ..Usage::default()
    };
    [
        Event::Asked(Asked {
            key,
            tool: tool.parse().unwrap(),
            model: None,
            effort: Effort::Medium,
            timeout_ms: 240_000,
            reserved: 9_000,
            parts: Vec::new(),
            prompt_version: 1,
            session: None,
            sent_parts: None,
            user_inputs: 0,
            past_onset: None,
            seat_findings: Vec::new(),
        }),
        Event::Given(Given {
            key,
            reply: Reply::Text(reply),
            usage,
            took_ms: 41_000,
            clock_ms: 41_000,
            at_ms: None,
            stop_reason: None,
            model: None,
            redacted: 0,
        }),
        Event::Admitted {
            key,
            moves: Box::new(moves),
            ids,
            findings: Vec::new(),
        },
    ]
}
