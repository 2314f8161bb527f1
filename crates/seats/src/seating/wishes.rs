//! The wishes for the seats of a debate.

use agon_record::id::Seat;
use agon_record::spec::{Effort, FormatName, ModelClass, Seating, ToolName};

/// The wish for one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatWish {
    /// The tool.
    pub tool: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The effort.
    pub effort: Effort,
    /// The class of the model, if the effort does not determine it.
    pub class: Option<ModelClass>,
    /// The previous seating, whose model stays unless another one is requested.
    pub before: Option<Seating>,
}

/// The wishes for all seats of a debate.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The format, which names the sides.
    pub format: FormatName,
    /// The sides, in the order of the format.
    pub sides: [SeatWish; 2],
    /// The judges, the first one first; at least one.
    pub judges: Vec<SeatWish>,
    /// Whether the same model may take both sides.
    pub same_tool: bool,
}

impl Wishes {
    /// Returns wishes without any tool, for a debate of `format` with one judge.
    pub fn empty(format: FormatName) -> Self {
        Self {
            format,
            sides: Default::default(),
            judges: vec![SeatWish::default()],
            same_tool: false,
        }
    }

    /// Returns every seat with its wish, the judges last.
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &SeatWish)> {
        let judges = (1..).map(Seat::Judge).zip(&self.judges);
        self.format
            .sides()
            .into_iter()
            .zip(&self.sides)
            .chain(judges)
    }

    /// Returns every seat with its wish, the judges last.
    pub(super) fn seats_mut(&mut self) -> impl Iterator<Item = (Seat, &mut SeatWish)> {
        let sides = self.format.sides().into_iter().zip(&mut self.sides);
        sides.chain((1..).map(Seat::Judge).zip(&mut self.judges))
    }

    /// Returns whether a tool or model is named for any seat.
    pub fn name_any_tool_or_model(&self) -> bool {
        let mut seats = self.seats();
        seats.any(|(_, wish)| wish.tool.is_some() || wish.model.is_some())
    }

    /// Returns the named tools, each once.
    pub fn named_tools(&self) -> Vec<ToolName> {
        let named = self.seats().filter_map(|(_, wish)| wish.tool.as_ref());
        let mut names: Vec<_> = named.filter_map(|name| name.parse().ok()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Returns these wishes with `tools` for the sides and for every judge.
    pub fn with_tools(mut self, [first, second, judge]: [&str; 3]) -> Self {
        for (wish, tool) in self.sides.iter_mut().zip([first, second]) {
            wish.tool = Some(tool.to_owned());
        }
        for wish in &mut self.judges {
            wish.tool = Some(judge.to_owned());
        }
        self
    }
}
