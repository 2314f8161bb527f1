//! Finds the sets of nodes that can be accepted together.

use agon_argue::{Batsat, LimitHit, Reasoner, SearchLimits, Semantics};
use agon_caller::{Code, Failure, Hint};
use agon_verdict::graph::{AcceptedDoc, GraphDoc};

use super::question::Question;
use super::source::node_names;
use crate::request::Task;

/// Fills in the requested results. Returns true if the search stopped early.
pub(crate) fn solve_by_sets(
    question: &Question<'_>,
    task: Task,
    semantics: Semantics,
    doc: &mut GraphDoc,
) -> Result<bool, Failure> {
    let (request, source) = (question.request, question.left);
    let af = source.af();
    doc.edges = af.attack_count();
    let limits = SearchLimits {
        conflicts: request.work,
    };
    let reasoner: Reasoner<'_, Batsat> = Reasoner::with_limits(&af, limits);
    if task == Task::Acceptance {
        let accepted = reasoner.acceptance(semantics).map_err(limit_hit_failure)?;
        let both = accepted.credulous.into_iter().zip(accepted.skeptical);
        let rows = source.names.iter().zip(both);
        let rows = rows.map(|(id, (some, every))| AcceptedDoc {
            id: id.clone(),
            some,
            every,
        });
        doc.acceptance = Some(rows.collect());
        return Ok(false);
    }
    let mut found = Vec::new();
    let mut complete = true;
    let mut stopped = false;
    for extension in reasoner.extensions(semantics).map_err(limit_hit_failure)? {
        if found.len() >= request.limit {
            complete = false;
            break;
        }
        match extension {
            Ok(set) => found.push(node_names(source, &set)),
            Err(LimitHit) => {
                (complete, stopped) = (false, true);
                break;
            }
        }
    }
    doc.extensions = Some(found);
    doc.complete = Some(complete);
    Ok(stopped)
}

fn limit_hit_failure(hit: LimitHit) -> Failure {
    Failure::from_error(Code::Limit, &hit)
        .hint(Hint::new("search longer with ").flag("work"))
        .parameter("work")
}
