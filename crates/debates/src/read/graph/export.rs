//! Exports a graph to another format.

use agon_argue::format::{GraphWithNames, WriteError, aif, apx, bag, dot, i23, mermaid, tgf};
use agon_caller::{Code, Failure};
use agon_report::{graph, graph_drawing};

use super::source::{Graph, GraphSource};
use crate::request::{BaseWeights, GraphFormat};

/// Returns the graph in `format`.
///
/// # Errors
///
/// If the format cannot write one of the names.
pub(crate) fn text(source: &GraphSource, format: GraphFormat) -> Result<String, Failure> {
    let weighted = || {
        Ok::<_, Failure>(GraphWithNames {
            graph: source.qbaf(BaseWeights::Scored)?,
            names: source.names.clone(),
        })
    };
    let unnamed = |error: WriteError| {
        Failure::from_error(Code::Name, &error)
            .hint("use aif, mermaid or dot, which can write any name")
            .parameter("format")
    };
    Ok(match format {
        GraphFormat::I23 => i23_with_names(source),
        GraphFormat::Apx => {
            let named = GraphWithNames {
                graph: source.af(),
                names: source.names.clone(),
            };
            apx::write(&named).map_err(unnamed)?
        }
        GraphFormat::Tgf => tgf::write(&weighted()?).map_err(unnamed)?,
        GraphFormat::Bag => bag::write(&weighted()?).map_err(unnamed)?,
        GraphFormat::Aif => aif::write(&aif_with_texts(source, &weighted()?)),
        GraphFormat::Mermaid => match &source.graph {
            Graph::Debate(both) => graph::mermaid(&graph_drawing(&both.0, &both.1.spec.topic)),
            Graph::Attacks(_) | Graph::Weighted(_) => mermaid::write(&weighted()?),
        },
        GraphFormat::Dot => match &source.graph {
            Graph::Debate(both) => graph::dot(&graph_drawing(&both.0, &both.1.spec.topic)),
            Graph::Attacks(_) | Graph::Weighted(_) => dot::write(&weighted()?),
        },
    })
}

/// Returns attacks between numbers, with the names as comments.
fn i23_with_names(source: &GraphSource) -> String {
    let mut text = i23::write(&source.af());
    if let Graph::Attacks(_) = source.graph {
        return text;
    }
    for (at, name) in source.names.iter().enumerate() {
        // Remove line breaks, because they would end the comment.
        let name: String = name.chars().filter(|c| !c.is_control()).collect();
        text.push_str(&format!("# {} {name}\n", at + 1));
    }
    text
}

/// Returns the statements with their texts, if they have any.
fn aif_with_texts(source: &GraphSource, named: &GraphWithNames<agon_argue::Qbaf>) -> aif::Aif {
    let mut file = aif::Aif::from_graph(named);
    if let Some(debate) = source.debate() {
        for (node, known) in file.nodes.iter_mut().zip(debate.nodes()) {
            node.text.clone_from(&known.text);
        }
    }
    file
}
