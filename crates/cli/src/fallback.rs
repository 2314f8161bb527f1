//! Who debates where nobody is named and no AI tool is here.

use agon_agents::profile::LOCAL;
use agon_config::{Fallback, Settings};

use crate::command::model;
use crate::edge::Edge;
use crate::error::Failure;
use crate::output::Out;
use crate::seating::{Candidate, Ready, Wishes};
use crate::tools::Tools;

/// What a debate of the small model is told before its first call.
const INTRODUCED: &str = "\
No AI tool is here, so the small model in this program debates with itself. It is of demonstration
quality: it shows how a debate runs, and is not to be relied on. `agon tools` says how to get two
real ones, and `agon demo` shows what they make of a question.";

/// Who debates, by what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Those who were named, and AI tools.
    Tools,
    /// Models of a server on this machine.
    Servers,
    /// The model in the program.
    Local,
}

/// Who debates.
pub(crate) struct Chosen {
    pub(crate) who: Who,
    pub(crate) tools: Tools,
    pub(crate) wishes: Wishes,
}

/// Chooses who debates: as it is wished, with AI tools; else, where neither a tool is named nor one
/// is installed, models of a server on this machine, which hears nothing of the project; else the
/// model in the program.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub(crate) async fn choose(
    edge: &Edge,
    settings: &Settings,
    (tools, wishes): (Tools, Wishes),
    out: &mut Out,
) -> Result<Chosen, Failure> {
    let stays = settings.fallback == Some(Fallback::None) || is_named(&wishes);
    // One that is there is told what it lacks, and never passed over in silence.
    let there =
        |candidate: &Candidate| candidate.is_tool && !matches!(candidate.ready, Ready::Missing(_));
    let alone = matches!(settings.context.as_deref(), None | Some("none"));
    if stays || !alone || tools.candidates().iter().any(there) {
        return Ok(as_wished(tools, wishes));
    }
    // A server that the user configured may be one that does not answer.
    let (tools, answering) = tools.and_servers(edge, settings).await?;
    let served = tools
        .candidates()
        .iter()
        .filter(|it| answering.contains(&it.tool) && it.ready == Ready::Yes);
    let served: Vec<_> = served.map(|it| it.tool.to_string()).collect();
    if let Some(first) = served.first() {
        let names = served
            .iter()
            .take(3)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        out.note(&format!(
            "note: no AI tool is installed; a model server on this machine debates: {names}"
        ));
        let of = |at: usize| Some(served.get(at).unwrap_or(first).clone());
        let wishes = seated(wishes, [of(0), of(1), of(2)], served.len() == 1);
        return Ok(Chosen {
            who: Who::Servers,
            tools,
            wishes,
        });
    }
    if cfg!(not(feature = "local-model")) {
        return Ok(as_wished(tools, wishes));
    }
    Ok(Chosen {
        who: Who::Local,
        tools,
        wishes,
    })
}

/// The model in the program on both sides and as the judge, once it is here.
///
/// # Errors
///
/// If it cannot be had.
pub(crate) async fn local(
    edge: &Edge,
    settings: &Settings,
    wishes: Wishes,
    out: &mut Out,
) -> Result<(Tools, Wishes), Failure> {
    out.note(&format!("{INTRODUCED}\n"));
    model::ensure(edge, settings, None, out).await?;
    let names: Vec<_> = LOCAL.parse().into_iter().collect();
    let tools = Tools::detect_own(edge, settings, &names, &names).await?;
    let wishes = seated(wishes, [(); 3].map(|()| Some(LOCAL.to_owned())), true);
    Ok((tools, wishes))
}

fn is_named(wishes: &Wishes) -> bool {
    let sides = [&wishes.proposer, &wishes.challenger];
    let mut seats = sides.into_iter().chain(&wishes.judges);
    seats.any(|wish| wish.tool.is_some() || wish.model.is_some())
}

fn as_wished(tools: Tools, wishes: Wishes) -> Chosen {
    Chosen {
        who: Who::Tools,
        tools,
        wishes,
    }
}

fn seated(
    wishes: Wishes,
    [proposer, challenger, judge]: [Option<String>; 3],
    same: bool,
) -> Wishes {
    let mut wishes = wishes;
    wishes.proposer.tool = proposer;
    wishes.challenger.tool = challenger;
    for wish in &mut wishes.judges {
        wish.tool.clone_from(&judge);
    }
    wishes.same_tool |= same;
    wishes
}
