//! What a calling program gets: small, with a schema, and bounded.

use std::collections::BTreeMap;

use agon_record::answer_file::answer_file_path;
use agon_record::authority::Authority;
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

/// The name and version of the result document.
pub const RESULT_SCHEMA: &str = "agon.result/1";

/// The result of a debate, or how far it has come.
///
/// Texts are on one line and sanitised. It stays small: entries of lists that there is no room for
/// are left out whole and counted in `left_out`, and `agon show --section synthesis` has them; only
/// where that is not enough are the answer and its reasons cut, and end in `…`. `verdict.json` has
/// everything. What only a verdict can say is null or empty until there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResultDoc {
    /// Always `agon.result/1`.
    #[schemars(extend("const" = RESULT_SCHEMA))]
    pub schema: String,
    /// The debate's unique name.
    pub id: String,
    /// The debate's folder name.
    pub debate: String,
    /// What was debated.
    #[serde(default)]
    pub topic: String,
    /// The format.
    #[schemars(with = "String")]
    pub format: FormatName,
    /// Where the debate stands.
    #[schemars(with = "String")]
    pub phase: Phase,
    /// How it failed, in the fixed words that programs for other debate tools look for; left out
    /// when it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_line: Option<String>,
    /// The answer to the topic.
    pub answer: Option<String>,
    /// What stands behind the answer, in a line: for whom, whether it stays with the sides swapped,
    /// which turns are missing, who judged where that was not the plan.
    #[serde(default)]
    pub headline: Option<String>,
    /// The seat that argued the better case.
    #[schemars(with = "Option<String>")]
    pub winner: Option<Seat>,
    /// The tool in that seat.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub winner_tool: Option<ToolName>,
    /// The claim of the only side that spoke; left out when both did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_sided: Option<OneSided>,
    /// The tools whose seats substitutes took; left out when there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<ReplacedDoc>,
    /// Why.
    pub why: Option<String>,
    /// The next step.
    pub do_next: Option<String>,
    /// The condition under which the answer changes.
    pub unless: Option<String>,
    /// The points without which the answer would fall, by the judge's account.
    pub hangs_on: Vec<NodeId>,
    /// The fewest points without which the argument graph favours the other side; empty where it
    /// favours the other side already, or no few points turn it.
    #[serde(default)]
    pub graph_hangs_on: Vec<NodeId>,
    /// What a side granted.
    pub conceded: Vec<Conceded>,
    /// What stays open.
    pub open: Vec<OpenQuestion>,
    /// What both sides accept.
    #[serde(default)]
    pub agreements: Vec<AgreedPoint>,
    /// On what they differ to the end.
    #[serde(default)]
    pub disagreements: Vec<Disagreement>,
    /// How good the debate was; null when nothing was judged.
    #[serde(default)]
    pub quality: Option<Quality>,
    /// What code enforced and checked, in a sentence; null where there was no room for it.
    #[serde(default)]
    pub rigor: Option<String>,
    /// How much of the planned debate stands behind the answer.
    pub authority: Option<Authority>,
    /// Whether the verdict was tried again in other ways.
    pub stability: Option<Stability>,
    /// How many places each side cited, by what the check found.
    #[schemars(with = "BTreeMap<String, Citations>")]
    pub citations: BTreeMap<Seat, Citations>,
    /// The points that cite a place at which the words are not, or that is not there.
    #[serde(default)]
    pub citations_wrong: Vec<NodeId>,
    /// How many points of each side rest on reasoning alone; empty where no place could be cited.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Support>")]
    pub support: BTreeMap<Seat, Support>,
    /// The points that were said to be unsupported and stood so to the end.
    #[serde(default)]
    pub unsupported: Vec<Unsupported>,
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

/// The result of the debate in `folder` with this verdict, or how far it has come.
///
/// At most 1,500 o200k tokens and 6,000 bytes: what there is no room for is left out of lists by
/// whole entries, which are counted.
pub fn result_document(state: &State, verdict: Option<&Verdict>, folder: &str) -> ResultDoc {
    let mut doc = whole_result(state, verdict, folder, TEXT_LENGTHS[0]);
    leave_out_entries(&mut doc);
    for &chars in &TEXT_LENGTHS[1..] {
        if fits(&doc) {
            break;
        }
        doc = whole_result(state, verdict, folder, chars);
        leave_out_entries(&mut doc);
    }
    doc
}

// Four bytes a token in English. Where a script takes fewer, the tokens are the bound. Held by
// `the_documents_of_a_debate_of_five_rounds_are_small_and_keep_their_schemas` in
// `cli/tests/suite/scenarios/sizes.rs`.
const MAX_BYTES: usize = 6_000;
// What programs are promised: an AI tool reads the result as part of its own work. Held by the same
// test.
const MAX_TOKENS: usize = 1_500;

// The answer of the demo's debate has 166 characters, its longest text 400: only what is far beyond
// what a judge is asked for is cut. The last makes room where every other field is at its bound.
/// Characters of the topic, the answer and what is said of it, tried one after the other.
const TEXT_LENGTHS: [usize; 6] = [1_000, 600, 400, 250, 120, 40];
// As many as `agon show` has on a screen: the latest are what a caller asks about.
/// The most arguments of a formal debate that are told.
const MAX_ARGUMENTS: usize = 40;

fn fits(doc: &ResultDoc) -> bool {
    let text = serde_json::to_string(doc).unwrap_or_default();
    // No token is shorter than a byte.
    let few = || text.len() <= MAX_TOKENS || count_tokens(&text) <= MAX_TOKENS;
    text.len() <= MAX_BYTES && few()
}

/// Leaves the last entry out of whichever list takes the most room, until the rest fits; where all
/// are empty, the sentence about rigor.
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
        // An empty list has two bytes.
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
            // The latest are kept.
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

/// The result with all entries; its texts have at most `chars` characters.
fn whole_result(state: &State, verdict: Option<&Verdict>, folder: &str, chars: usize) -> ResultDoc {
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
        file: format!("{folder}/{}", answer_file_path(key)),
        moves: requested_moves_kind(state, key.turn).name().to_owned(),
    })
    .collect()
}

/// `text` on one line, in at most `most` characters; one that is cut ends at a word.
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
