//! Computes how strong each node is, what affects it, and what a lead depends on.

use agon_argue::{
    ArgId, Contributions, FlipLimits, Gradual, Measure, Model, NoFlip, Qbaf, ShapleyOptions,
    Strengths,
};
use agon_caller::{Code, Failure, Hint};
use agon_verdict::graph::{
    ContributionDoc, ContributionsDoc, FlipDoc, GraphDoc, LeadDoc, MIDDLE, StrengthDoc,
};
use agon_verdict::verdict::{MARGIN, MAX_POINTS, leading_position};

use super::question::Question;
use super::source::{GraphSource, node_names, supports};
use crate::request::{BaseWeights, MeasureName, Task};

/// Maximum number of nodes for exact Shapley values, which take at most a second.
const MAX_EXACT: u32 = 20;

// With the default work this is 0.3 s of computing, or all sets of three among 100 nodes. A step takes
// 25 ns.
/// Number of arguments and edges that one unit of work may compute.
const STEPS: u64 = 6;

/// Fills in the requested results. Returns true if the search stopped early.
pub(crate) fn solve_by_strength(
    question: &Question<'_>,
    task: Task,
    semantics: Gradual,
    doc: &mut GraphDoc,
) -> Result<bool, Failure> {
    let (request, source) = (question.request, question.left);
    let graph = source.qbaf(request.base)?;
    let model = Model::new(semantics);
    doc.edges = if semantics.uses_supports() {
        graph.edge_count()
    } else {
        graph.edges().filter(|edge| !supports(edge)).count()
    };
    match task {
        Task::Contributions => {
            fill_contributions(question, &model, &graph, doc)?;
            Ok(false)
        }
        Task::Flip => {
            let (a, b) = compared_nodes(question)?;
            fill_flip_sets(question, &model, &graph, a, b, doc)
        }
        Task::Strength | Task::Extensions | Task::Acceptance => {
            fill_strengths(question, &model, &graph, doc)
        }
    }
}

fn fill_strengths(
    question: &Question<'_>,
    model: &Model,
    graph: &Qbaf,
    doc: &mut GraphDoc,
) -> Result<bool, Failure> {
    let (whole, left) = (question.whole, question.left);
    let now = model.evaluate(graph);
    doc.status = Some(now.status.into());
    let before = match question.struck {
        [] => None,
        _ => {
            let graph = whole.qbaf(question.request.base)?;
            Some((model.evaluate(&graph), graph))
        }
    };
    doc.strengths = Some(strength_rows(question, graph, &now, before.as_ref()));
    let Some(debate) = left.debate() else {
        return Ok(false);
    };
    let equal = model.evaluate(&left.qbaf(BaseWeights::All(MIDDLE))?);
    let winner = leading_position(debate, &now).winner;
    let first = whole.debate().zip(before.as_ref());
    doc.lead = Some(LeadDoc {
        winner,
        before: first.map_or(winner, |(debate, (before, _))| {
            leading_position(debate, before).winner
        }),
        equal: leading_position(debate, &equal).winner,
    });
    if winner.is_none() || before.is_some() {
        return Ok(false);
    }
    let [a, b] = debate.position_ids();
    fill_flip_sets(question, model, graph, a, b, doc)
}

/// Returns a row for each node of the whole graph, in order.
fn strength_rows(
    question: &Question<'_>,
    graph: &Qbaf,
    now: &Strengths,
    before: Option<&(Strengths, Qbaf)>,
) -> Vec<StrengthDoc> {
    let whole = question.whole;
    let mut at_left = 0;
    let rows = whole.names.iter().enumerate().map(|(at, id)| {
        let struck = u32::try_from(at).is_ok_and(|at| question.struck.contains(&ArgId(at)));
        let strength = (!struck).then(|| now.values[at_left]);
        let base = match before {
            Some((_, whole)) => whole.base_weights()[at],
            None => graph.base_weights()[at],
        };
        at_left += usize::from(!struck);
        StrengthDoc {
            id: id.clone(),
            title: whole.node_title(at).to_owned(),
            citations: whole.node_citations(at),
            base,
            citation_weight: whole.node_citation_weight(at, question.request.base),
            strength,
            before: before.map(|(before, _)| before.values[at]),
        }
    });
    rows.collect()
}

/// Returns the two nodes to compare.
fn compared_nodes(question: &Question<'_>) -> Result<(ArgId, ArgId), Failure> {
    let (request, source) = (question.request, question.left);
    let positions = source.debate().map(|debate| debate.position_ids());
    let named = |name: &Option<String>, parameter| {
        name.as_deref()
            .map(|name| source.find(name, parameter))
            .transpose()
    };
    let (topic, against) = (
        named(&request.topic, "topic")?,
        named(&request.against, "against")?,
    );
    let missing = || {
        let message = "`flip` needs two nodes to compare";
        Failure::new(Code::MissingParameter, message)
            .hint(
                Hint::new("name them with ")
                    .flag_with("topic", "ID")
                    .flag_with("against", "ID"),
            )
            .parameter("topic")
    };
    match (topic, against, positions) {
        (Some(a), Some(b), _) if a == b => {
            let message = "a node cannot be compared with itself";
            Err(Failure::new(Code::Topic, message).parameter("against"))
        }
        (Some(a), Some(b), _) => Ok((a, b)),
        (Some(a), None, Some([one, other])) => Ok((a, if a == one { other } else { one })),
        (None, _, Some([one, other])) => Ok((one, other)),
        (Some(_) | None, _, None) => Err(missing()),
    }
}

fn fill_flip_sets(
    question: &Question<'_>,
    model: &Model,
    graph: &Qbaf,
    a: ArgId,
    b: ArgId,
    doc: &mut GraphDoc,
) -> Result<bool, Failure> {
    let source = question.left;
    let task = question.request.task == Some(Task::Flip);
    let limits = FlipLimits {
        size: MAX_POINTS,
        evaluations: question.request.work,
        steps: Some(question.request.work.saturating_mul(STEPS)),
        margin: MARGIN,
        sets: if task {
            question.request.limit.saturating_add(1)
        } else {
            1
        },
    };
    let found = model.flip_sets(graph, a, b, limits).map_err(|error| {
        let (one, other) = (&source.names[a.index()], &source.names[b.index()]);
        let message = match error {
            NoFlip::Tied => format!("{one} and {other} are equally strong: neither leads"),
            NoFlip::Unsettled => format!("the strengths of {one} and {other} do not converge"),
        };
        Failure::new(Code::NoLead, message)
    })?;
    let mut sets: Vec<_> = found
        .sets
        .iter()
        .map(|set| node_names(source, set))
        .collect();
    if task {
        let more = sets.len() > question.request.limit;
        sets.truncate(question.request.limit);
        doc.complete = Some(found.complete && !more);
    } else {
        doc.complete = Some(found.complete);
    }
    let trails = if found.winner == a { b } else { a };
    doc.flip = Some(FlipDoc {
        leads: source.names[found.winner.index()].clone(),
        trails: source.names[trails.index()].clone(),
        sets,
        size: MAX_POINTS,
        searched: found.searched,
    });
    Ok(!found.complete)
}

fn fill_contributions(
    question: &Question<'_>,
    model: &Model,
    graph: &Qbaf,
    doc: &mut GraphDoc,
) -> Result<(), Failure> {
    let (request, source) = (question.request, question.left);
    let topics = match (&request.topic, source.debate()) {
        (Some(topic), _) => vec![source.find(topic, "topic")?],
        (None, Some(debate)) => debate.position_ids().to_vec(),
        (None, None) => {
            let message = "`contributions` needs a node";
            return Err(Failure::new(Code::MissingParameter, message)
                .hint(Hint::new("name it with ").flag_with("topic", "ID"))
                .parameter("topic"));
        }
    };
    let name = request.measure.unwrap_or(MeasureName::Removal);
    let measure = match name {
        MeasureName::Removal => Measure::Removal,
        MeasureName::Intrinsic => Measure::IntrinsicRemoval,
        MeasureName::Shapley => Measure::Shapley(ShapleyOptions {
            exact_up_to: MAX_EXACT,
            ..ShapleyOptions::default()
        }),
        MeasureName::Gradient => Measure::Gradient,
    };
    let lists = topics.into_iter().map(|topic| {
        let found = model.contributions(graph, topic, measure);
        ContributionsDoc {
            topic: source.names[topic.index()].clone(),
            measure: name.name().to_owned(),
            status: found.status.into(),
            values: contribution_rows(source, &found),
        }
    });
    doc.contributions = Some(lists.collect());
    Ok(())
}

/// Returns the nonzero contributions, the largest first.
fn contribution_rows(source: &GraphSource, found: &Contributions) -> Vec<ContributionDoc> {
    let mut values: Vec<_> = source
        .names
        .iter()
        .zip(&found.values)
        .enumerate()
        .filter(|(_, (_, value))| **value != 0.0)
        .map(|(at, (id, value))| ContributionDoc {
            id: id.clone(),
            value: *value,
            error: found.errors.as_ref().map(|errors| errors[at]),
        })
        .collect();
    values.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    values
}
