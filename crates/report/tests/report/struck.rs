//! "What if this had not been said": the browser weighs the graph as `argue` does.
#![expect(clippy::disallowed_methods, reason = "a browser reads a file")]

use std::fs;

use agon_argue::{ArgId, Edge, Gradual, Model, Qbaf};
use agon_report::{PAGE_SCRIPT, html};
use agon_testkit::browser::{Browser, Screen, file_url};
use agon_verdict::verdict::verdict;
use serde_json::{Value, json};

use crate::debates::with_findings;

/// A reproducible source of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        // The generator of Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn share(&mut self) -> f64 {
        self.below(1_001) as f64 / 1_000.0
    }
}

/// A graph, and the points that are struck.
fn random_case(numbers: &mut Numbers) -> (Vec<f64>, Vec<Edge>, Vec<usize>) {
    let count = 3 + numbers.below(28);
    let base: Vec<f64> = (0..count).map(|_| numbers.share()).collect();
    // A tenth of the graphs have cycles; those of debates have none.
    let has_cycles = numbers.below(10) == 0;
    let mut edges = Vec::new();
    for _ in 0..numbers.below(count * 3) {
        let (one, other) = (numbers.below(count), numbers.below(count));
        let (from, to) = match has_cycles {
            true => (one, other),
            false => (one.max(other), one.min(other)),
        };
        let [from, to] = [from, to].map(|at| ArgId(u32::try_from(at).unwrap()));
        if from == to
            || edges
                .iter()
                .any(|edge: &Edge| (edge.from, edge.to) == (from, to))
        {
            continue;
        }
        let edge = match numbers.below(2) {
            0 => Edge::attack(from, to),
            _ => Edge::support(from, to),
        };
        edges.push(edge.with_weight(numbers.share()));
    }
    let struck = (0..numbers.below(4)).map(|_| numbers.below(count));
    (base, edges, struck.collect())
}

#[test]
fn a_thousand_graphs_are_weighed_as_argue_weighs_them() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let page = place.path().join("page.html");
    fs::write(&page, format!("<script>{PAGE_SCRIPT}</script>")).unwrap();
    browser.open(&file_url(&page), Screen::DESK);
    let mut numbers = Numbers(2_466);
    let mut compared = 0;
    while compared < 1_000 {
        let (base, edges, struck) = random_case(&mut numbers);
        let flat: Vec<f64> = edges
            .iter()
            .flat_map(|edge| {
                let sign = match edge.polarity {
                    agon_argue::Polarity::Attack => -1.0,
                    agon_argue::Polarity::Support => 1.0,
                };
                [
                    edge.from.index() as f64,
                    edge.to.index() as f64,
                    sign * edge.weight,
                ]
            })
            .collect();
        let kept: Vec<Edge> = edges
            .iter()
            .filter(|edge| !struck.contains(&edge.from.index()))
            .copied()
            .collect();
        let graph = Qbaf::new(base.clone(), &kept).unwrap();
        let wanted = Model::new(Gradual::QuadraticEnergy).evaluate(&graph);
        if !wanted.status.is_settled() {
            continue;
        }
        let expression = format!(
            "Array.from(agonStrengths({}, {})(new Set({})))",
            json!(base),
            json!(flat),
            json!(struck)
        );
        let found = browser.value(&expression);
        let found = found.as_array().unwrap().iter().map(Value::as_f64);
        for (at, (found, wanted)) in found.zip(&wanted.values).enumerate() {
            let is_struck = struck.contains(&at);
            let near = (found.unwrap() - wanted).abs() < 1e-9;
            assert!(
                near || is_struck,
                "{found:?} is not {wanted} in {expression}"
            );
        }
        compared += 1;
    }
}

#[test]
fn a_struck_point_moves_the_strengths_and_comes_back() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let state = with_findings().state();
    let place = tempfile::tempdir().unwrap();
    let page = place.path().join("report.html");
    fs::write(&page, html(&state, verdict(&state).as_ref(), None)).unwrap();
    browser.open(&file_url(&page), Screen::DESK);
    browser.click("#graph a[href='#cha_001a']");
    browser.click("#strike");
    let said = browser.value("document.querySelector('#what-if p').innerText");
    let said = said.as_str().unwrap();
    assert!(said.starts_with("Without cha_001a: proposer 0."), "{said}");
    assert!(said.contains("the verdict stays as it was"), "{said}");
    let struck = "document.querySelectorAll('.struck').length";
    assert!(
        browser.value(struck).as_u64().unwrap() >= 3,
        "everywhere on the page"
    );
    browser.click("#restore");
    assert_eq!(browser.value(struck), 0);
    assert_eq!(
        browser.value("document.getElementById('what-if').hidden"),
        true
    );
}
