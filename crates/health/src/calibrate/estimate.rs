//! What calls take, before they are made.

use agon_agents::profile::{Api, Price};
use agon_calibration::{Cell, Design};
use agon_record::event::Usage;
use agon_record::spec::ToolName;
use agon_seats::price::split_service_name;

/// Tokens of an answer to one question: its number, a value in pieces, and some words around it. What
/// a model thinks comes on top.
const ANSWER_TOKENS: u64 = 20;

/// What calls take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
    pub(super) calls: usize,
    /// Tokens of prompts.
    pub(super) input: u64,
    /// Tokens of answers.
    pub(super) output: u64,
}

impl Estimate {
    pub(super) fn of_cells<'a>(design: &Design, cells: impl Iterator<Item = &'a Cell>) -> Self {
        let output = ANSWER_TOKENS * u64::try_from(design.depths()).unwrap_or_default();
        cells.fold(Self::default(), |sum, cell| Self {
            calls: sum.calls + 1,
            input: sum.input
                + design
                    .lengths()
                    .get(cell.length)
                    .copied()
                    .unwrap_or_default(),
            output: sum.output + output,
        })
    }

    pub(super) fn tokens(&self) -> u64 {
        self.input + self.output
    }

    /// US dollars.
    pub(super) fn cost(&self, price: &Price) -> f64 {
        dollars(price, self.input, self.output)
    }
}

fn dollars(price: &Price, input: u64, output: u64) -> f64 {
    (input as f64 * price.input + output as f64 * price.output) / 1e6
}

/// What a tool charges for a million tokens, where it is a model of a service that is known.
pub(super) fn price(tool: &ToolName) -> Option<Price> {
    let services = Api::all();
    let (service, model) = split_service_name(&services, tool)?;
    // At another address than its own, a service has a price that is not known here.
    let known = service.price(model).filter(|_| !model.contains("@http"));
    known.cloned()
}

/// What a call cost in US dollars: as the tool says, else by the price.
pub(super) fn cost_of_call(usage: &Usage, price: Option<&Price>) -> Option<f64> {
    let said = usage.cost_micros.map(|micros| micros as f64 / 1e6);
    said.or_else(|| Some(dollars(price?, usage.input, usage.output)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_money_are_those_of_the_calls_that_are_left() {
        let design = Design::new(&[2_000, 4_000], 9, 1).unwrap();
        let cells = design.cells();
        let all = Estimate::of_cells(&design, cells.iter());
        assert_eq!((all.calls, all.input, all.output), (8, 24_000, 8 * 180));
        let left = Estimate::of_cells(&design, cells.iter().skip(6));
        assert_eq!((left.calls, left.input), (2, 6_000));
        let price = price(&"openai:gpt-6.2-sol".parse().unwrap()).unwrap();
        let wanted = (24_000.0 * price.input + 1_440.0 * price.output) / 1e6;
        assert!((all.cost(&price) - wanted).abs() < 1e-12);
    }

    #[test]
    fn what_a_tool_says_of_its_cost_comes_before_the_price() {
        let price = Price {
            input: 2.0,
            output: 10.0,
            as_of: String::new(),
        };
        let usage = Usage {
            input: 1_000_000,
            output: 100_000,
            ..Usage::default()
        };
        assert_eq!(cost_of_call(&usage, None), None);
        assert_eq!(cost_of_call(&usage, Some(&price)), Some(3.0));
        let said = Usage {
            cost_micros: Some(500_000),
            ..usage
        };
        assert_eq!(cost_of_call(&said, Some(&price)), Some(0.5));
        assert_eq!(super::price(&"claude".parse().unwrap()), None);
    }
}
