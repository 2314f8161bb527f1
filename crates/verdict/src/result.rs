//! The result document for calling programs: small, limited in size, and with a schema.

use std::collections::BTreeMap;

use agon_record::answer_file::answer_file_path;
use agon_record::authority::Authority;
use agon_record::decision::DecisionDoc;
use agon_record::format::Judging;
use agon_record::ground::Citations;
use agon_record::id::{AskKey, NodeId, Seat};
use agon_record::moves::{AgreedPoint, Disagreement, OpenQuestion, Quality};
use agon_record::score::Score;
use agon_record::spec::ReplacedDoc;
use agon_record::spec::{FormatName, ToolName};
use agon_record::state::State;
use agon_record::tally::{self, Total};
use agon_record::text::sanitise_line;
use agon_rules::format::{Phase, debate_phase, requested_moves_kind};
use agon_rules::plan;
use agon_tokens::count_tokens;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::fixed_line::fixed_line;
use crate::verdict::{
    self, Conceded, FindingCounts, OneSided, Stability, Support, Unsupported, UsageTotals, Verdict,
};

/// The schema name and version of the result document.
pub const RESULT_SCHEMA: &str = "agon.result/1";

/// The result of a debate, or its progress.
///
/// Texts are sanitised and on one line. To keep the document small, list entries without room are
/// left out and counted in `left_out`; `agon show --section synthesis` prints them. Only if that is
/// not enough are the answer and its reasons cut, with `…` at the end. `verdict.json` has
/// everything. Fields that need a verdict are null or empty until there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResultDoc {
    /// Always `agon.result/1`.
    #[schemars(extend("const" = RESULT_SCHEMA))]
    pub schema: String,
    /// The debate's unique name.
    pub id: String,
    /// The debate's folder name.
    pub debate: String,
    /// The topic.
    #[serde(default)]
    pub topic: String,
    /// The format.
    #[schemars(with = "String")]
    pub format: FormatName,
    /// The phase of the debate.
    #[schemars(with = "String")]
    pub phase: Phase,
    /// The failure, in the fixed words that programs for other debate tools look for; left out
    /// without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_line: Option<String>,
    /// The answer to the topic.
    pub answer: Option<String>,
    /// The basis of the answer, in one line: the winner, whether the ruling holds with the sides
    /// swapped, missing turns, and any substitute judge.
    #[serde(default)]
    pub headline: Option<String>,
    /// The seat that argued the better case.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The tool in that seat.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub winner_tool: Option<ToolName>,
    /// The claim of the only side that replied; left out if both did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_sided: Option<OneSided>,
    /// The tools that substitutes replaced; left out if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<ReplacedDoc>,
    /// The reason for the answer.
    pub why: Option<String>,
    /// The next step.
    pub do_next: Option<String>,
    /// The condition under which the answer changes.
    pub unless: Option<String>,
    /// Whether the answer was taken, and why; left out until it is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<DecisionDoc>,
    /// The points without which the answer would fail, according to the judge.
    pub hangs_on: Vec<NodeId>,
    /// The fewest points without which the argument graph favors the other side. Empty if it does
    /// already, or if a few are not enough.
    #[serde(default)]
    pub graph_hangs_on: Vec<NodeId>,
    /// Concessions of each side.
    pub conceded: Vec<Conceded>,
    /// Open questions.
    pub open: Vec<OpenQuestion>,
    /// Points that both sides accept.
    #[serde(default)]
    pub agreements: Vec<AgreedPoint>,
    /// Remaining disagreements.
    #[serde(default)]
    pub disagreements: Vec<Disagreement>,
    /// The judge's grades of the debate; null if nothing was judged.
    #[serde(default)]
    pub quality: Option<Quality>,
    /// What Agon enforced and checked, in a sentence; null if there was no room for it.
    #[serde(default)]
    pub rigor: Option<String>,
    /// How far the answer was tested.
    pub authority: Option<Authority>,
    /// The results of the stability trials.
    pub stability: Option<Stability>,
    /// The number of citations of each side, by check result.
    #[schemars(with = "BTreeMap<String, Citations>")]
    pub citations: BTreeMap<Seat, Citations>,
    /// The points with a wrong or missing citation.
    #[serde(default)]
    pub citations_wrong: Vec<NodeId>,
    /// How many points of each side lack evidence; empty if nothing could be cited.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Support>")]
    pub support: BTreeMap<Seat, Support>,
    /// The points that were called unsupported and stayed so.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
    /// Unresolved broken rules.
    pub findings: FindingCounts,
    /// The cost of the debate so far.
    pub usage: UsageTotals,
    /// The total score of each side; formal debates only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<BTreeMap<String, Total>>")]
    pub totals: Option<BTreeMap<Seat, Total>>,
    /// The latest arguments, as many as fit; formal debates only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<ArgumentDoc>>,
    /// The number of entries left out of each list; left out if none were.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, u64>,
    /// The people who must answer before the debate continues; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub awaits: Vec<AwaitedDoc>,
    /// The paths of the documents.
    pub paths: Paths,
    /// Whether this is the result of an earlier identical debate; left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
}

/// A person who must answer, with the form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AwaitedDoc {
    /// The pending call, such as `r1.cha#0`.
    #[schemars(with = "String")]
    pub key: AskKey,
    /// The person's seat.
    #[schemars(with = "String")]
    pub seat: Seat,
    /// The form to fill in; `agon resume` submits it.
    pub file: String,
    /// The name of the requested moves' schema, which `agon schema` prints.
    pub moves: String,
}

/// An argument of a formal debate, with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArgumentDoc {
    /// The argument.
    pub id: NodeId,
    /// The current score; null before it is judged.
    pub score: Option<Score>,
    /// The broken rules of its turn.
    pub findings: u32,
}

/// The paths of a debate's documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paths {
    /// The debate's folder.
    pub folder: String,
    /// The transcript.
    pub transcript: String,
    /// The complete verdict; null until there is one.
    pub verdict: Option<String>,
}

/// Returns the result of the debate in `folder`, or its progress.
///
/// It has at most 1,500 o200k tokens and 6,000 bytes. List entries without room are left out and
/// counted.
pub fn result_document(state: &State, verdict: Option<&Verdict>, folder: &str) -> ResultDoc {
    let mut doc = result_with_text_limit(state, verdict, folder, TEXT_LENGTHS[0]);
    leave_out_entries(&mut doc);
    for &chars in &TEXT_LENGTHS[1..] {
        if fits(&doc) {
            break;
        }
        doc = result_with_text_limit(state, verdict, folder, chars);
        leave_out_entries(&mut doc);
    }
    doc
}

// 1,500 tokens at four bytes each, as in English; other scripts reach `MAX_TOKENS` first. Tested by
// `the_documents_of_a_debate_of_five_rounds_are_small_and_keep_their_schemas` in
// `cli/tests/suite/scenarios/sizes.rs`.
const MAX_BYTES: usize = 6_000;
// The documented limit, since an AI tool reads the result in its own context. Tested by the same
// test.
const MAX_TOKENS: usize = 1_500;

// The demo debate's answer has 166 characters and its longest text 400, so only texts far longer
// than a judge is asked for are cut. With 40 each, even a document with every field full fits.
/// Maximum lengths of the topic, the answer and its reasons, tried in order until all fits.
const TEXT_LENGTHS: [usize; 6] = [1_000, 600, 400, 250, 120, 40];
// As many as `agon show` prints on a screen; callers ask about the latest.
/// Maximum number of a formal debate's arguments in the result.
const MAX_ARGUMENTS: usize = 40;

fn fits(doc: &ResultDoc) -> bool {
    let text = serde_json::to_string(doc).unwrap_or_default();
    // A token has at least one byte, so a short text needs no token count.
    let few = || text.len() <= MAX_TOKENS || count_tokens(&text) <= MAX_TOKENS;
    text.len() <= MAX_BYTES && few()
}

/// Removes the last entry of the largest list until the document fits, and finally the sentence
/// about rigor.
fn leave_out_entries(doc: &mut ResultDoc) {
    while !fits(doc) {
        let sizes = [
            ("agreements", json_size(&doc.agreements)),
            ("disagreements", json_size(&doc.disagreements)),
            ("arguments", doc.arguments.as_ref().map_or(2, json_size)),
            ("open", json_size(&doc.open)),
            ("conceded", json_size(&doc.conceded)),
            ("unsupported", json_size(&doc.unsupported)),
            ("citations_wrong", json_size(&doc.citations_wrong)),
            ("graph_hangs_on", json_size(&doc.graph_hangs_on)),
            ("hangs_on", json_size(&doc.hangs_on)),
        ];
        let largest = sizes.into_iter().rev().max_by_key(|(_, size)| *size);
        // A list of more than two bytes (`[]`) has an entry to remove.
        let Some((list, _)) = largest.filter(|(_, size)| *size > 2) else {
            if doc.rigor.take().is_some() {
                doc.left_out.insert("rigor".to_owned(), 1);
                continue;
            }
            return;
        };
        match list {
            "agreements" => drop(doc.agreements.pop()),
            "disagreements" => drop(doc.disagreements.pop()),
            // Remove the oldest, since callers ask about the latest.
            "arguments" => drop(doc.arguments.as_mut().map(|all| all.remove(0))),
            "open" => drop(doc.open.pop()),
            "conceded" => drop(doc.conceded.pop()),
            "unsupported" => drop(doc.unsupported.pop()),
            "citations_wrong" => drop(doc.citations_wrong.pop()),
            "graph_hangs_on" => drop(doc.graph_hangs_on.pop()),
            _ => drop(doc.hangs_on.pop()),
        }
        *doc.left_out.entry(list.to_owned()).or_default() += 1;
    }
}

fn json_size(part: &impl Serialize) -> usize {
    serde_json::to_string(part).map_or(0, |text| text.len())
}

/// Returns the result with all entries and texts of at most `chars` characters.
fn result_with_text_limit(
    state: &State,
    verdict: Option<&Verdict>,
    folder: &str,
    chars: usize,
) -> ResultDoc {
    let line = |text: &str| sanitise_line(text, usize::MAX);
    let has_scores = state.format_rules().judging == Judging::EachRound;
    let granted = verdict.map_or_else(|| verdict::conceded_points(state), |v| v.conceded.clone());
    let open = verdict.iter().flat_map(|verdict| &verdict.open);
    let agreed = verdict.iter().flat_map(|verdict| &verdict.agreements);
    let differ = verdict.iter().flat_map(|verdict| &verdict.disagreements);
    let hangs_on = verdict.iter().flat_map(|verdict| &verdict.hangs_on);
    let by_graph = verdict.iter().flat_map(|verdict| &verdict.graph_hangs_on);
    let short_part =
        |part: fn(&Verdict) -> Option<&String>| Some(cut_at_word(part(verdict?)?, chars));
    let nodes = state.nodes().len();
    let beyond = nodes.saturating_sub(MAX_ARGUMENTS);
    ResultDoc {
        schema: RESULT_SCHEMA.to_owned(),
        id: state.spec.ulid.to_string(),
        debate: state.spec.slug.clone(),
        topic: cut_at_word(&state.spec.topic, chars),
        format: state.spec.format(),
        phase: debate_phase(state),
        fixed_line: fixed_line(state),
        answer: short_part(|verdict| verdict.answer.as_ref()),
        headline: verdict.map(|verdict| cut_at_word(&verdict.headline, chars)),
        winner: verdict.and_then(|verdict| verdict.winner),
        winner_tool: verdict.and_then(|verdict| verdict.winner_tool.clone()),
        one_sided: verdict.and_then(|verdict| {
            let one_sided = verdict.one_sided.clone()?;
            let claim = cut_at_word(&one_sided.claim, chars);
            Some(OneSided { claim, ..one_sided })
        }),
        replaced: state.replaced.iter().map(ReplacedDoc::from).collect(),
        why: short_part(|verdict| verdict.why.as_ref()),
        do_next: short_part(|verdict| verdict.do_next.as_ref()),
        unless: short_part(|verdict| verdict.unless.as_ref()),
        decided: state.decision().map(|decision| DecisionDoc {
            why: cut_at_word(&decision.why, chars),
            ..DecisionDoc::from(decision)
        }),
        hangs_on: hangs_on.copied().collect(),
        graph_hangs_on: by_graph.copied().collect(),
        conceded: granted
            .into_iter()
            .map(|granted| Conceded {
                text: line(&granted.text),
                ..granted
            })
            .collect(),
        open: open
            .map(|open| OpenQuestion {
                question: line(&open.question),
                to_settle: line(&open.to_settle),
            })
            .collect(),
        agreements: agreed
            .map(|agreed| AgreedPoint {
                point: line(&agreed.point),
                evidence: agreed.evidence.clone(),
            })
            .collect(),
        disagreements: differ
            .map(|differ| Disagreement {
                point: line(&differ.point),
                proposer: line(&differ.proposer),
                challenger: line(&differ.challenger),
            })
            .collect(),
        quality: verdict.and_then(|verdict| verdict.quality),
        rigor: verdict.map(|verdict| line(&verdict.rigor)),
        authority: verdict.map(|verdict| verdict.authority),
        stability: verdict.map(|verdict| verdict.stability.clone()),
        citations: verdict::citation_counts(state),
        citations_wrong: verdict::faulty_points(state),
        support: verdict::support_counts(state)
            .into_iter()
            .map(|(seat, support)| (seat, support.without_ids()))
            .collect(),
        unsupported: verdict::unsupported_points(state),
        findings: verdict::finding_counts(state),
        usage: verdict::usage_totals(state),
        totals: has_scores.then(|| tally::side_totals(state)),
        arguments: has_scores.then(|| latest_arguments(state, MAX_ARGUMENTS)),
        left_out: (has_scores && beyond > 0)
            .then(|| ("arguments".to_owned(), beyond as u64))
            .into_iter()
            .collect(),
        awaits: people_to_answer(state, folder),
        paths: Paths {
            folder: folder.to_owned(),
            transcript: format!("{folder}/transcript.md"),
            verdict: verdict.map(|_| format!("{folder}/verdict.json")),
        },
        reused: false,
    }
}

/// Returns the people who must answer before the debate in `folder` continues.
pub fn people_to_answer(state: &State, folder: &str) -> Vec<AwaitedDoc> {
    let keys = plan::asks_awaiting_only_person(state).into_iter();
    keys.map(|key| AwaitedDoc {
        key,
        seat: key.turn.seat,
        file: format!("{folder}/{}", answer_file_path(key)),
        moves: requested_moves_kind(state, key.turn).name().to_owned(),
    })
    .collect()
}

/// Returns `text` on one line of at most `most` characters, cut at a word.
fn cut_at_word(text: &str, most: usize) -> String {
    let short = sanitise_line(text, most);
    // Not cut: shorter than the limit, without `…`, or the same with room for one more character.
    if short.chars().count() < most
        || !short.ends_with('…')
        || sanitise_line(text, most + 1) == short
    {
        return short;
    }
    match short.rfind(' ') {
        // Cut at the last space unless that loses more than half, as in a script without spaces.
        Some(at) if 2 * at >= short.len() => format!("{}…", &short[..at]),
        Some(_) | None => short,
    }
}

/// Returns the last `most` arguments.
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
