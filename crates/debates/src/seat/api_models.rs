//! Seats models behind API keys if no AI tool is ready and a person accepts the price.

use agon_agents::Environment;
use agon_agents::profile::{Api, Price};
#[cfg(feature = "local-model")]
use agon_caller::hint::flag;
use agon_caller::hint::flag_with;
use agon_caller::{Caller, Hint};
#[cfg(feature = "local-model")]
use agon_caller::{Code, Failure};
use agon_record::spec::ModelClass;
use agon_seats::tools::overview;

use crate::limits::expectation::cost_of_calls;

/// The number of calls in a debate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeatCalls {
    /// Calls of each side.
    pub side: u32,
    /// Calls of the judges.
    pub judge: u32,
}

/// The calls of the default debate: first answers, two rounds, the ruling and its swap.
const USUAL_CALLS: SeatCalls = SeatCalls { side: 3, judge: 2 };

/// A model behind an API key, in a seat.
#[derive(Clone, Debug, PartialEq)]
struct KeyedModel {
    name: String,
    price: Option<Price>,
}

impl KeyedModel {
    fn for_service(api: &Api, class: ModelClass) -> Option<Self> {
        let model = api.classes.as_ref()?.model(class);
        Some(Self {
            name: format!("{}:{model}", api.name),
            price: api.price(model).cloned(),
        })
    }

    /// Returns the cost of `calls`, in US dollars.
    fn cost(&self, calls: u32) -> Option<f64> {
        let price = self.price.as_ref()?;
        Some(cost_of_calls(price, calls))
    }
}

/// The models that would debate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeyedSeats {
    /// The environment variables that hold the keys.
    keys: Vec<String>,
    proposer: KeyedModel,
    challenger: KeyedModel,
    judge: KeyedModel,
}

impl KeyedSeats {
    /// Chooses models of the services with a key: the standard models of two services, judged by
    /// the strong model of a third one, else of the first. With a single service, its strong model
    /// debates its standard one. Returns `None` without a key to a service whose models are known.
    pub(crate) fn find(caller: &Caller) -> Option<Self> {
        let here = Environment::new(caller.vars_os.clone());
        let set = overview::services_with_key(&here);
        let key = |api: &Api| {
            let known = set.iter().find(|known| known.name == api.name)?;
            Some(known.key_env.clone())
        };
        let all = Api::all();
        let offering = all.iter().filter(|api| api.classes.is_some());
        let with_keys: Vec<_> = offering.filter_map(|api| Some((api, key(api)?))).collect();
        let apis: Vec<_> = with_keys.iter().map(|(api, _)| *api).collect();
        let (proposer, challenger, judge) = match apis.as_slice() {
            [] => return None,
            [one] => (
                KeyedModel::for_service(one, ModelClass::Strong)?,
                KeyedModel::for_service(one, ModelClass::Standard)?,
                *one,
            ),
            [one, other, more @ ..] => (
                KeyedModel::for_service(one, ModelClass::Standard)?,
                KeyedModel::for_service(other, ModelClass::Standard)?,
                more.first().copied().unwrap_or(one),
            ),
        };
        Some(Self {
            judge: KeyedModel::for_service(judge, ModelClass::Strong)?,
            keys: with_keys.into_iter().map(|(_, key)| key).take(3).collect(),
            proposer,
            challenger,
        })
    }

    /// Returns the names of the proposer, the challenger and the judge.
    pub(crate) fn names(&self) -> [&str; 3] {
        [&self.proposer, &self.challenger, &self.judge].map(|model| model.name.as_str())
    }

    /// Describes the cost of a default debate.
    pub(crate) fn price(&self) -> String {
        format!(
            "No AI tool is ready here, but {} {} set. A debate of these models is charged to {}, \
             {}.",
            self.keys.join(" and "),
            self.is_or_are(),
            if self.keys.len() == 1 { "it" } else { "them" },
            self.price_of(USUAL_CALLS),
        )
    }

    /// Returns the flags that seat these models.
    pub(crate) fn flags(&self) -> Hint {
        flag_with("proposer", &self.proposer.name)
            .flag_with("challenger", &self.challenger.name)
            .flag_with("judge", &self.judge.name)
    }

    /// Returns a note that these models could debate, and what to add to the command.
    #[cfg(feature = "local-model")]
    pub(crate) fn usage_hint(&self) -> Hint {
        let their = if self.keys.len() == 1 { "its" } else { "their" };
        let price = self.price_of(USUAL_CALLS);
        let add = format!("to let {their} models debate, {price}, add ");
        let keys = self.keys.join(" and ");
        Hint::new(format!("note: {keys} {} set", self.is_or_are()))
            .then(Hint::new(add).append(self.flags()))
    }

    /// Returns the failure if these models could debate but no person can be asked.
    #[cfg(feature = "local-model")]
    pub(crate) fn not_asked_failure(&self) -> Failure {
        let message = format!(
            "no AI tool is installed; {} {} set, but Agon does not use {} without asking",
            self.keys.join(" and "),
            self.is_or_are(),
            if self.keys.len() == 1 { "it" } else { "them" },
        );
        let price = self.price_of(USUAL_CALLS);
        let built_in = flag("allow-download").text(" for a demonstration with the built-in model");
        let hint = Hint::new("add ")
            .append(self.flags())
            .text(format!(" to let these models debate, {price}"))
            .join("; or ", built_in);
        Failure::new(Code::KeysNotUsed, message).hint(hint)
    }

    /// Returns their cost in US dollars; `None` if a price is unknown.
    fn cost(&self, calls: SeatCalls) -> Option<f64> {
        let sides = self.proposer.cost(calls.side)? + self.challenger.cost(calls.side)?;
        Some(sides + self.judge.cost(calls.judge)?)
    }

    /// Returns the question for a person before these `calls` are charged.
    pub(crate) fn question(&self, calls: SeatCalls) -> String {
        format!(
            "No AI tool is ready here, but {} {} set. Let {} and {} debate, judged by {}, {}?",
            self.keys.join(" and "),
            self.is_or_are(),
            self.proposer.name,
            self.challenger.name,
            self.judge.name,
            self.price_of(calls),
        )
    }

    fn is_or_are(&self) -> &'static str {
        if self.keys.len() == 1 { "is" } else { "are" }
    }

    fn price_of(&self, calls: SeatCalls) -> String {
        match self.cost(calls) {
            Some(cost) => format!("for about ${:.2}", cost.max(0.01)),
            None => "at an unknown price".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn seats(keys: &[&str]) -> Option<KeyedSeats> {
        let vars = keys.iter().map(|key| ((*key).into(), "placeholder".into()));
        KeyedSeats::find(&Caller::new(BTreeMap::from_iter(vars), "/"))
    }

    #[test]
    fn each_key_seats_a_model_and_a_third_vendor_judges() {
        assert_eq!(seats(&[]), None);
        assert_eq!(seats(&["OPENROUTER_API_KEY"]), None);
        let all = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];
        assert_eq!(
            seats(&all).unwrap().flags().typed(),
            "--proposer openai:gpt-6.2-sol --challenger anthropic:claude-sonnet-5-5 \
             --judge gemini:gemini-3.1-pro-preview"
        );
        assert_eq!(
            seats(&all[1..2]).unwrap().flags().typed(),
            "--proposer anthropic:claude-opus-5-5 --challenger anthropic:claude-sonnet-5-5 \
             --judge anthropic:claude-opus-5-5"
        );
    }

    #[test]
    fn the_question_names_the_keys_and_what_the_calls_cost() {
        let seats = seats(&["OPENAI_API_KEY", "ANTHROPIC_API_KEY"]).unwrap();
        let cost = |side, judge| seats.cost(SeatCalls { side, judge }).unwrap();
        // 4,300 tokens read at $2 and 2,700 written at $10 a million.
        assert!((cost(1, 0) - 2.0 * 0.0356).abs() < 1e-9, "{}", cost(1, 0));
        assert_eq!(
            seats.question(SeatCalls { side: 3, judge: 2 }),
            "No AI tool is ready here, but OPENAI_API_KEY and ANTHROPIC_API_KEY are set. Let \
             openai:gpt-6.2-sol and anthropic:claude-sonnet-5-5 debate, judged by \
             openai:gpt-6.2-astra, for about $0.50?"
        );
    }
}
