//! Resolves the request, the topic and the configuration of a duel into one value.

use std::collections::BTreeMap;

use agon_caller::{Caller, Failure, Hint, settings};
use agon_config::Settings;
use agon_record::spec::{Effort, FormatName};
use agon_seats::seating::{Wishes, validate_panel_size};
use agon_seats::tools;

use crate::failure::require_given;
use crate::request::topic::Topic;
use crate::request::{SeatsRequest, StartRequest, topic};
use crate::seat::api_models::SeatCalls;
use crate::seat::wishes::WishSources;

// The fewest judges whose majority outvotes one error. Tested by
// `a_deep_debate_seats_a_panel_of_three_and_makes_twelve_calls`.
/// The number of judges in a deep debate.
const DEEP_JUDGES: usize = 3;

/// A resolved duel.
pub(crate) struct ResolvedDuel<'a> {
    /// The request.
    pub request: &'a StartRequest,
    /// The topic and the depth, from its words or the request.
    pub topic: Topic,
    /// The configuration, overridden by the request and the topic.
    pub settings: Settings,
    /// The requested seats, with the tools that the topic names.
    pub seats: SeatsRequest,
    /// The same, with configured defaults for the open seats.
    pub wishes: Wishes,
    /// The number of judges.
    panel: usize,
}

impl<'a> ResolvedDuel<'a> {
    /// Reads the configuration and the topic, and overrides them with the request.
    ///
    /// # Errors
    ///
    /// If the configuration or the topic is invalid, a required parameter is missing, a limit
    /// exceeds what the user allows, or as in [`Self::resolve`].
    pub(crate) fn read(caller: &Caller, request: &'a StartRequest) -> Result<Self, Failure> {
        let configured = settings::read_settings(caller)?;
        let topic = topic::read(&request.topic, &tools::profile_names(&configured)?)?;
        if request.strict {
            require_all_parameters(request, &topic)?;
        }
        settings::refuse_raised_limits(caller, &request.bounds, settings::MAX_CALLS)?;
        Self::resolve(request, topic, configured)
    }

    /// Overrides `configured` with the request and the topic.
    ///
    /// # Errors
    ///
    /// If there are too many judges, or more models than judges.
    fn resolve(
        request: &'a StartRequest,
        mut topic: Topic,
        configured: Settings,
    ) -> Result<Self, Failure> {
        topic.quick |= request.quick;
        topic.thorough |= request.deep;
        let mut seats = request.seats.clone();
        let named = seats.judges.tools.len();
        let least = if topic.thorough { DEEP_JUDGES } else { 1 };
        let panel = validate_panel_size(named, named.max(least), seats.judges.models.len())?;
        for (side, tool) in seats.sides.iter_mut().zip(topic.tools.iter().flatten()) {
            side.tool.get_or_insert_with(|| tool.clone());
        }
        let settings = request.bounds.apply_to(Settings {
            transport: seats.transport.or(configured.transport),
            context: request.context.clone().or(configured.context),
            ..configured
        });
        let mut duel = Self {
            wishes: Wishes::empty(FormatName::Duel),
            request,
            topic,
            settings,
            seats,
            panel,
        };
        duel.apply_depth();
        Ok(duel)
    }

    /// Makes the duel quick, since the built-in model is small, unless a deep one is requested.
    #[cfg(feature = "local-model")]
    pub(crate) fn make_quick(&mut self) {
        self.topic.quick |= !self.topic.thorough;
        self.apply_depth();
    }

    /// Applies the rounds and effort of a quick or deep duel unless requested otherwise, then the
    /// seats.
    fn apply_depth(&mut self) {
        let (rounds, effort) = match (self.topic.quick, self.topic.thorough) {
            (true, _) => (Some(1), Some(Effort::Low)),
            (false, true) => (Some(3), Some(Effort::High)),
            (false, false) => (None, None),
        };
        let asked = self.request.rounds.or(self.topic.rounds);
        self.settings.rounds = asked.or(rounds).unwrap_or(self.settings.rounds);
        self.seats.effort = self.request.seats.effort.or(effort);
        let sources = WishSources {
            settings: &self.settings,
            before: &BTreeMap::new(),
            // Judges use high effort, because a ruling needs more thought than a turn.
            judge_effort: match self.topic.quick {
                true => Effort::Low,
                false => Effort::High,
            },
        };
        self.wishes = sources.wishes(FormatName::Duel, &self.seats, self.panel);
    }

    /// Returns whether a configured judge is to judge.
    pub(crate) fn has_configured_judge(&self) -> bool {
        self.seats.judges.tools.is_empty() && self.settings.judge.is_some()
    }

    /// Returns the planned number of calls of each side and of the judges.
    pub(crate) fn calls(&self) -> SeatCalls {
        let is_quick = self.topic.quick;
        let swap = !is_quick && !self.request.no_swap;
        SeatCalls {
            side: u32::from(self.settings.rounds) + u32::from(!is_quick),
            judge: u32::try_from(self.panel)
                .unwrap_or(u32::MAX)
                .saturating_add(swap.into()),
        }
    }
}

/// Rejects missing parameters if `strict` is set.
fn require_all_parameters(request: &StartRequest, topic: &Topic) -> Result<(), Failure> {
    let [proposer, challenger] = &request.seats.sides;
    let named = topic.tools.is_some();
    let preset = request.quick || request.deep || topic.quick || topic.thorough;
    let seats = &request.seats;
    let given = [
        ("proposer", named || proposer.tool.is_some()),
        ("challenger", named || challenger.tool.is_some()),
        ("judge", !seats.judges.tools.is_empty()),
        (
            "rounds",
            preset || request.rounds.is_some() || topic.rounds.is_some(),
        ),
        ("effort", preset || seats.has_every_effort()),
        ("context", request.context.is_some()),
    ];
    require_given(&given, |missing| Hint::new("add ").flag(missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{JudgesRequest, SeatRequest};

    /// Returns each seat with its tool, model and effort.
    fn seats(duel: &ResolvedDuel<'_>) -> Vec<String> {
        let wishes = &duel.wishes;
        let line = |(seat, wish): (_, &agon_seats::seating::SeatWish)| {
            let [tool, model] = [&wish.tool, &wish.model].map(|it| it.as_deref().unwrap_or("-"));
            format!("{seat} {tool} {model} {}", wish.effort)
        };
        wishes.seats().map(line).collect()
    }

    fn configured() -> Settings {
        let models = [("judge", "opus"), ("proposer", "sonnet")];
        let models = models.map(|(seat, model)| (seat.to_owned(), model.to_owned()));
        Settings {
            proposer: Some("claude".to_owned()),
            judge: Some("gemini".to_owned()),
            rounds: 4,
            model: BTreeMap::from(models),
            ..Settings::default()
        }
    }

    #[test]
    fn a_flag_comes_before_the_topic_and_the_topic_before_the_configuration() {
        let request = StartRequest {
            seats: SeatsRequest {
                sides: [
                    SeatRequest::default(),
                    SeatRequest {
                        tool: Some("copilot".to_owned()),
                        ..SeatRequest::default()
                    },
                ],
                judges: JudgesRequest {
                    models: vec!["flash".to_owned()],
                    ..JudgesRequest::default()
                },
                ..SeatsRequest::default()
            },
            ..StartRequest::default()
        };
        let topic = Topic {
            tools: Some(["codex".to_owned(), "gemini".to_owned()]),
            ..Topic::default()
        };
        let duel = ResolvedDuel::resolve(&request, topic, configured()).unwrap();
        let expected = [
            "proposer codex sonnet medium",
            "challenger copilot - medium",
            "judge gemini flash high",
        ];
        assert_eq!(
            (duel.settings.rounds, seats(&duel)),
            (4, expected.map(str::to_owned).into())
        );
    }

    #[test]
    fn a_depth_sets_what_is_not_asked_for() {
        let deep = StartRequest {
            deep: true,
            ..StartRequest::default()
        };
        let duel = ResolvedDuel::resolve(&deep, Topic::default(), configured()).unwrap();
        let expected = [
            "proposer claude sonnet high",
            "challenger - - high",
            "judge gemini opus high",
            "judge-2 - - high",
            "judge-3 - - high",
        ];
        assert_eq!(
            (duel.settings.rounds, seats(&duel)),
            (3, expected.map(str::to_owned).into())
        );
        assert_eq!(duel.calls(), SeatCalls { side: 4, judge: 4 });
        let quick = StartRequest {
            quick: true,
            rounds: Some(2),
            ..StartRequest::default()
        };
        let duel = ResolvedDuel::resolve(&quick, Topic::default(), configured()).unwrap();
        let expected = [
            "proposer claude sonnet low",
            "challenger - - low",
            "judge gemini opus low",
        ];
        assert_eq!(
            (duel.settings.rounds, seats(&duel)),
            (2, expected.map(str::to_owned).into())
        );
        assert_eq!(duel.calls(), SeatCalls { side: 2, judge: 1 });
    }
}
