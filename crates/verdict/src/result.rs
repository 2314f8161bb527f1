//! What a calling program gets: small, with a schema, and bounded.

use std::collections::BTreeMap;

use agon_prompt::human;
use agon_prompt::summary;
use agon_record::authority::Authority;
use agon_record::ground::Citations;
use agon_record::id::{AskKey, NodeId, Seat};
use agon_record::moves::OpenQuestion;
use agon_record::score::Score;
use agon_record::spec::FormatName;
use agon_record::state::State;
use agon_record::tally::{self, Total};
use agon_record::text::sanitise_line;
use agon_rules::format::{Phase, debate_phase};
use agon_rules::plan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::verdict::{self, Conceded, FindingCounts, HangsOnBy, Stability, UsageTotals, Verdict};

/// The name and version of the result document.
pub const RESULT_SCHEMA: &str = "agon.result/1";
/// The name and version of the error document.
pub const ERROR_SCHEMA: &str = "agon.error/1";

/// The result of a debate, or how far it has come.
///
/// Texts are on one line and sanitised; long ones are cut and end in `…`, so
/// that the document stays small. `verdict.json` has them whole. What only a verdict can say is null or empty
/// until there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResultDoc {
    /// Always `agon.result/1`.
    #[schemars(extend("const" = RESULT_SCHEMA))]
    pub schema: String,
    /// The debate's unique name.
    pub id: String,
    /// The debate's folder name.
    pub debate: String,
    /// The format.
    #[schemars(with = "String")]
    pub format: FormatName,
    /// Where the debate stands.
    #[schemars(with = "String")]
    pub phase: Phase,
    /// The answer to the topic.
    pub answer: Option<String>,
    /// The seat that argued the better case.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// Why.
    pub why: Option<String>,
    /// The next step.
    pub do_next: Option<String>,
    /// The condition under which the answer changes.
    pub unless: Option<String>,
    /// The points without which the answer would fall.
    pub hangs_on: Vec<NodeId>,
    /// Who says so: the graph or the judge; null when nobody does.
    #[serde(default)]
    pub hangs_on_by: Option<HangsOnBy>,
    /// What a side granted.
    pub conceded: Vec<Conceded>,
    /// What stays open.
    pub open: Vec<OpenQuestion>,
    /// How much of the planned debate stands behind the answer.
    pub authority: Option<Authority>,
    /// Whether the verdict was tried again in other ways.
    pub stability: Option<Stability>,
    /// How many places each side cited, by what the check found.
    #[schemars(with = "BTreeMap<String, Citations>")]
    pub citations: BTreeMap<Seat, Citations>,
    /// Broken rules that stayed in the debate.
    pub findings: FindingCounts,
    /// What the debate has cost so far.
    pub usage: UsageTotals,
    /// What each side's arguments score together; formal debates only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<BTreeMap<String, Total>>")]
    pub totals: Option<BTreeMap<Seat, Total>>,
    /// The arguments, as many of the latest as there is room for; formal debates only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<ArgumentDoc>>,
    /// How many entries of a list there was no room for, by the list's name; left out when none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, u64>,
    /// The people who must answer before it goes on; left out when there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaits: Vec<AwaitedDoc>,
    /// Where it all stands.
    pub paths: Paths,
    /// Whether it is the result of a debate that was started before; left out when it is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
}

/// A person who must answer, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AwaitedDoc {
    /// What is asked, such as `r1.cha#0`.
    #[schemars(with = "String")]
    pub key: AskKey,
    /// The seat in which they sit.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The form to fill in; `agon resume` hands it in.
    pub file: String,
    /// The schema of the moves that are asked for, as `agon schema` prints it.
    pub moves: String,
}

/// An argument of a formal debate, with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArgumentDoc {
    /// The argument.
    pub id: NodeId,
    /// The score it has now; null before it is judged.
    pub score: Option<Score>,
    /// Broken rules of the turn that made it.
    pub findings: u32,
}

/// Where the documents of a debate stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paths {
    /// The debate's folder.
    pub folder: String,
    /// Both sides in prose.
    pub transcript: String,
    /// The whole verdict; null until there is one.
    pub verdict: Option<String>,
}

/// Why a command failed, for a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDoc {
    /// Always `agon.error/1`.
    #[schemars(extend("const" = ERROR_SCHEMA))]
    pub schema: String,
    /// What went wrong.
    pub error: ErrorBody,
}

/// What went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// The kind of error, such as `missing_parameter`.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do about it; empty when there is nothing.
    pub hint: String,
    /// The parameter it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// When to try again, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
}

impl From<ErrorBody> for ErrorDoc {
    fn from(error: ErrorBody) -> Self {
        let schema = ERROR_SCHEMA.to_owned();
        Self { schema, error }
    }
}

/// The schemas of the documents, under the names by which they are asked for.
pub fn document_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("result", verdict::schema_of::<ResultDoc>()),
        ("error", verdict::schema_of::<ErrorDoc>()),
    ]
}

/// The result of the debate in `folder` with this verdict, or how far it has come.
///
/// At most 1,500 o200k tokens and 4,000 bytes: the longest texts are cut first, at a word, and
/// of a list what is left out is counted.
pub fn result_document(state: &State, verdict: Option<&Verdict>, folder: &str) -> ResultDoc {
    let fits = |doc: &ResultDoc| {
        let text = serde_json::to_string(doc).unwrap_or_default();
        // No token is shorter than a byte.
        let few = || text.len() <= MAX_TOKENS || summary::count_tokens(&text) <= MAX_TOKENS;
        text.len() <= MAX_BYTES && few()
    };
    let cut = |(chars, items)| result_within_limits(state, verdict, folder, chars, items);
    let mut doc = cut(LENGTHS[0]);
    for length in &LENGTHS[1..] {
        if fits(&doc) {
            break;
        }
        doc = cut(*length);
    }
    doc
}

// What programs are promised of a result. Held by
// `the_documents_of_a_debate_of_five_rounds_are_small_and_keep_their_schemas` in
// `cli/tests/suite/scenarios/sizes.rs`.
const MAX_BYTES: usize = 4_000;
// What programs are promised: an AI tool reads the result as part of its own work. Held by the same
// test.
const MAX_TOKENS: usize = 1_500;

/// How much of a debate's texts is told: characters of a text, items of a list.
const LENGTHS: [(usize, usize); 9] = [
    (1_000, 20),
    (700, 14),
    (500, 10),
    (350, 8),
    (250, 6),
    (180, 5),
    (120, 4),
    (80, 3),
    (40, 2),
];

fn result_within_limits(
    state: &State,
    verdict: Option<&Verdict>,
    folder: &str,
    chars: usize,
    items: usize,
) -> ResultDoc {
    let short = |text: &str| cut_at_word(text, chars);
    let formal = state.is_scored();
    let granted = verdict.map_or_else(|| verdict::conceded_points(state), |v| v.conceded.clone());
    let counts = [
        ("conceded", granted.len(), items),
        ("open", verdict.map_or(0, |v| v.open.len()), items),
        ("hangs_on", verdict.map_or(0, |v| v.hangs_on.len()), items),
        (
            "arguments",
            if formal { state.nodes().len() } else { 0 },
            2 * items,
        ),
    ];
    let conceded = granted.into_iter().take(items);
    let open = verdict.iter().flat_map(|verdict| &verdict.open).take(items);
    let hangs_on = verdict.iter().flat_map(|verdict| &verdict.hangs_on);
    let short_part = |part: fn(&Verdict) -> Option<&String>| Some(short(part(verdict?)?));
    ResultDoc {
        schema: RESULT_SCHEMA.to_owned(),
        id: state.spec.ulid.to_string(),
        debate: state.spec.slug.clone(),
        format: state.spec.format(),
        phase: debate_phase(state),
        answer: short_part(|verdict| verdict.answer.as_ref()),
        winner: verdict.and_then(|verdict| verdict.winner),
        why: short_part(|verdict| verdict.why.as_ref()),
        do_next: short_part(|verdict| verdict.do_next.as_ref()),
        unless: short_part(|verdict| verdict.unless.as_ref()),
        hangs_on: hangs_on.copied().take(items).collect(),
        hangs_on_by: verdict.and_then(|verdict| verdict.hangs_on_by),
        conceded: conceded
            .map(|granted| Conceded {
                text: short(&granted.text),
                ..granted
            })
            .collect(),
        open: open
            .map(|open| OpenQuestion {
                question: short(&open.question),
                to_settle: short(&open.to_settle),
            })
            .collect(),
        authority: verdict.map(|verdict| verdict.authority),
        stability: verdict.map(|verdict| verdict.stability.clone()),
        citations: verdict::citation_counts(state),
        findings: verdict::finding_counts(state),
        usage: verdict::usage_totals(state),
        totals: formal.then(|| tally::side_totals(state)),
        arguments: formal.then(|| latest_arguments(state, 2 * items)),
        left_out: counts
            .into_iter()
            .filter(|(_, all, most)| all > most)
            .map(|(list, all, most)| (list.to_owned(), (all - most) as u64))
            .collect(),
        awaits: awaited_people(state, folder),
        paths: Paths {
            folder: folder.to_owned(),
            transcript: format!("{folder}/transcript.md"),
            verdict: verdict.map(|_| format!("{folder}/verdict.json")),
        },
        reused: false,
    }
}

/// The people who must answer before the debate in `folder` goes on.
pub fn awaited_people(state: &State, folder: &str) -> Vec<AwaitedDoc> {
    let keys = plan::asks_awaiting_only_person(state).into_iter();
    keys.map(|key| AwaitedDoc {
        key,
        seat: key.turn.seat,
        file: format!("{folder}/{}", human::answer_file_path(key)),
        moves: human::requested_moves_kind(state, key).name().to_owned(),
    })
    .collect()
}

/// `text` on one line, in at most `most` characters; what is cut off ends at a word.
fn cut_at_word(text: &str, most: usize) -> String {
    let short = sanitise_line(text, most);
    // Only a text that was cut ends where the whole one does not.
    if short.chars().count() < most
        || !short.ends_with('…')
        || sanitise_line(text, most + 1) == short
    {
        return short;
    }
    match short.rfind(' ') {
        // A script without spaces, or one long word, is cut where it is.
        Some(at) if 2 * at >= short.len() => format!("{}…", &short[..at]),
        Some(_) | None => short,
    }
}

/// The last `most` arguments.
fn latest_arguments(state: &State, most: usize) -> Vec<ArgumentDoc> {
    let all = state.nodes();
    let latest = all.iter().skip(all.len().saturating_sub(most));
    latest
        .map(|node| {
            let admitted = state.admitted(node.turn);
            let findings = admitted.map_or(0, |admitted| admitted.findings.len());
            ArgumentDoc {
                id: node.id,
                score: tally::current_score(state, node.id),
                findings: u32::try_from(findings).unwrap_or(u32::MAX),
            }
        })
        .collect()
}
