//! Strengths and contributions from published or independent calculations, to nine digits.

use crate::common::{Example, c1, c2, c3, example, g1, g2, t1, t2, t3, t4};
use agon_argue::{Gradual, Measure, Model, Options, Scheme, ShapleyOptions, Status, Strengths};

const COLUMNS: [Gradual; 6] = [
    Gradual::DfQuad,
    Gradual::QuadraticEnergy,
    Gradual::Euler,
    Gradual::EulerTop,
    Gradual::SquaredDfQuad,
    Gradual::Mlp,
];

/// Half of the ninth digit.
const NEAR: f64 = 5.1e-10;

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= NEAR
}

/// Compares one row of a table and returns the number of values.
fn row(example: &Example, name: &str, columns: &[Gradual], expected: &[f64]) -> usize {
    for (semantics, expected) in columns.iter().zip(expected) {
        let strengths = Model::new(*semantics).evaluate(&example.graph);
        assert!(strengths.status.is_settled(), "{name} {}", semantics.name());
        let found = strengths.values[example.id(name).index()];
        assert!(
            near(found, *expected),
            "{name} {}: {found}",
            semantics.name()
        );
    }
    expected.len()
}

#[test]
fn acyclic_strengths_are_the_worked_ones() {
    let rows: &[(Example, &str, [f64; 6])] = &[
        (
            t1(),
            "a",
            [
                0.4,
                0.480769231,
                0.467845590,
                0.467845590,
                0.416666667,
                0.450166003,
            ],
        ),
        (
            t2(),
            "a",
            [0.2, 0.4, 0.721858138, 0.757612406, 0.457142857, 0.595390325],
        ),
        (
            t3(),
            "claim",
            [
                0.907,
                0.700456223,
                0.620476181,
                0.536927571,
                0.676532216,
                0.688867974,
            ],
        ),
        (
            t3(),
            "p2",
            [
                0.58,
                0.449541284,
                0.454525450,
                0.454525450,
                0.538461538,
                0.473658135,
            ],
        ),
        (
            t3(),
            "c1",
            [
                0.06,
                0.331491713,
                0.485506475,
                0.485506475,
                0.315789474,
                0.378825846,
            ],
        ),
        (
            t4(),
            "A1",
            [
                0.862,
                0.719852179,
                0.689380310,
                0.626284899,
                0.719341062,
                0.713851697,
            ],
        ),
        (
            t4(),
            "A2",
            [
                0.85,
                0.664429530,
                0.626284899,
                0.626284899,
                0.705882353,
                0.668187772,
            ],
        ),
        (
            t4(),
            "P2",
            [
                0.08,
                0.185873606,
                0.339943228,
                0.411490446,
                0.271739130,
                0.214165017,
            ],
        ),
    ];
    let mut count = 0;
    for (example, name, expected) in rows {
        for semantics in COLUMNS {
            let status = Model::new(semantics).evaluate(&example.graph).status;
            assert_eq!(status, Status::Exact);
        }
        count += row(example, name, &COLUMNS, expected);
    }
    assert_eq!(count, 48);
}

#[test]
fn cyclic_strengths_are_the_worked_ones() {
    let rows: &[(Example, &str, [f64; 6])] = &[
        (
            c1(),
            "Buy",
            [
                0.99636,
                0.821646443,
                0.717140903,
                0.565321327,
                0.686118913,
                0.789954761,
            ],
        ),
        (
            c1(),
            "Sell",
            [
                0.00338,
                0.362169694,
                0.494889420,
                0.527867691,
                0.389819507,
                0.407213171,
            ],
        ),
        (
            c2(),
            "a",
            [
                8.0 / 13.0,
                0.685797468,
                0.757572801,
                0.757572801,
                0.579795897,
                0.724182916,
            ],
        ),
        (
            c2(),
            "b",
            [
                3.0 / 13.0,
                0.408074941,
                0.500500185,
                0.500500185,
                0.379795897,
                0.420988260,
            ],
        ),
        (
            c3(),
            "a",
            [
                0.6,
                0.562991865,
                0.573165757,
                0.573165757,
                0.618033989,
                0.588319024,
            ],
        ),
        (
            c3(),
            "b",
            [
                0.2,
                0.379662299,
                0.414916802,
                0.414916802,
                0.309016994,
                0.357020641,
            ],
        ),
    ];
    let mut count = 0;
    for (example, name, expected) in rows {
        count += row(example, name, &COLUMNS, expected);
    }
    assert_eq!(count, 36);
}

#[test]
fn weighted_attack_strengths_are_the_worked_ones() {
    let columns = [Gradual::HCategoriser, Gradual::MaxBased, Gradual::CardBased];
    let w1 = || example("a .8 b .6 c .9", "a-b b-a c-b");
    let w2 = || example("a 1 b 1 c 1", "a-b b-c");
    let golden = 0.618033989;
    let silver = 0.414213562;
    let rows: &[(Example, &str, [f64; 3])] = &[
        (w1(), "a", [0.647497913, 0.608, 0.369502519]),
        (w1(), "b", [0.235525217, 0.315789474, 0.165073194]),
        (w2(), "a", [1.0, 1.0, 1.0]),
        (w2(), "b", [0.5, 0.5, 1.0 / 3.0]),
        (w2(), "c", [2.0 / 3.0, 2.0 / 3.0, 3.0 / 7.0]),
        (
            example("a 1 b .5 c .5", "b-a c-a"),
            "a",
            [0.5, 2.0 / 3.0, 0.285714286],
        ),
        (example("a 1", "a-a"), "a", [golden, golden, silver]),
        (example("a 1 b 1", "a-b b-a"), "a", [golden, golden, silver]),
        (example("a 1 b 1", "a-b b-a"), "b", [golden, golden, silver]),
        (
            example("z 0 a .7 b .4", "z-a b-a"),
            "a",
            [0.5, 0.5, 0.291666667],
        ),
    ];
    let mut count = 0;
    for (example, name, expected) in rows {
        count += row(example, name, &columns, expected);
    }
    assert_eq!(count, 30);
}

fn whole_steps_only(semantics: Gradual) -> Model {
    Model {
        semantics,
        options: Options {
            damping: None,
            ..Options::default()
        },
    }
}

fn scheme(strengths: &Strengths) -> Option<Scheme> {
    match strengths.status {
        Status::Converged { scheme, .. } => Some(scheme),
        Status::Exact | Status::Oscillating { .. } | Status::Limit { .. } => None,
    }
}

#[test]
fn what_swings_for_ever_is_reported_and_settles_when_damped() {
    let swinging: &[(Example, Gradual, f64, f64)] = &[
        (g1(), Gradual::DfQuad, 0.213320, 1e-6),
        (g1(), Gradual::QuadraticEnergy, 0.260873, 1e-6),
        (g1(), Gradual::Mlp, 0.420000, 1e-6),
        (g2(), Gradual::Euler, 0.279841724, 1e-9),
    ];
    for (example, semantics, expected, digits) in swinging {
        let status = whole_steps_only(*semantics).evaluate(&example.graph).status;
        assert!(
            matches!(status, Status::Oscillating { period: 2 | 4 | 8 | 16, residual } if residual > 0.1),
            "{}: {status:?}",
            semantics.name()
        );
        let damped = Model::new(*semantics).evaluate(&example.graph);
        assert_eq!(scheme(&damped), Some(Scheme::Damped));
        assert!((damped.values[0] - expected).abs() <= *digits);
        assert!(damped.values[..6].iter().all(|it| *it == damped.values[0]));
    }
}

#[test]
fn the_two_ends_of_the_euler_swing_are_the_worked_ones() {
    let model = |iterations| Model {
        semantics: Gradual::Euler,
        options: Options {
            tolerance: 1e-12,
            iterations,
            damping: None,
        },
    };
    // Before the search for oscillations has enough steps, the graph has not converged; take its
    // last state.
    let one = model(10_000).evaluate(&g2().graph);
    let Status::Oscillating { period, residual } = one.status else {
        panic!("{:?}", one.status);
    };
    let low: f64 = 0.069879759;
    let high: f64 = 0.573398375;
    assert_eq!(period % 2, 0);
    assert!((residual - (high - low)).abs() < 2e-9);
    assert!(near(one.values[0], low) || near(one.values[0], high));
}

#[test]
fn what_settles_in_whole_steps_is_not_damped() {
    let settling = [
        (Gradual::Euler, 0.811306),
        (Gradual::EulerTop, 0.862315),
        (Gradual::SquaredDfQuad, 0.455914),
    ];
    for (semantics, expected) in settling {
        let strengths = Model::new(semantics).evaluate(&g1().graph);
        assert_eq!(scheme(&strengths), Some(Scheme::Synchronous));
        assert!((strengths.values[0] - expected).abs() <= 5.1e-7);
        // Updating in place would make the two sides differ.
        assert!(strengths.values.iter().all(|it| *it == strengths.values[0]));
    }
}

#[test]
fn steps_that_run_out_are_reported() {
    let model = Model {
        semantics: Gradual::QuadraticEnergy,
        options: Options {
            iterations: 3,
            damping: None,
            ..Options::default()
        },
    };
    let status = model.evaluate(&c1().graph).status;
    assert!(matches!(status, Status::Limit { iterations: 3, residual } if residual > 1e-3));
}

const X: [&str; 5] = ["p1", "p2", "c1", "d", "e"];

/// Compares the contributions of the five arguments to the claim and returns their number.
fn contributions(semantics: Gradual, measure: Measure, expected: [f64; 5], digits: f64) -> usize {
    let t3 = t3();
    let found = Model::new(semantics).contributions(&t3.graph, t3.id("claim"), measure);
    assert_eq!(found.status, Status::Exact);
    for (x, expected) in X.iter().zip(expected) {
        let value = found.values[t3.id(x).index()];
        assert!(
            (value - expected).abs() <= digits,
            "{x} {} {measure:?}: {value}",
            semantics.name()
        );
    }
    expected.len()
}

#[test]
fn contributions_are_the_worked_ones() {
    use Gradual::{DfQuad, Euler, QuadraticEnergy as Qe};
    let shapley = Measure::Shapley(ShapleyOptions::default());
    let (removal, intrinsic) = (Measure::Removal, Measure::IntrinsicRemoval);
    let qe_removal = [
        0.193584140,
        0.140675208,
        -0.084160701,
        0.084482092,
        0.014802025,
    ];
    let qe_intrinsic = [
        0.193584140,
        0.125873183,
        -0.168642793,
        0.084482092,
        0.014802025,
    ];
    let qe_shapley = [
        0.167347265,
        0.100766133,
        -0.108346257,
        0.034268356,
        0.006420727,
    ];
    let eb_shapley = [
        0.123206913,
        0.074716311,
        -0.092173630,
        0.009796278,
        0.004930309,
    ];
    let qe_gradient = [0.293603, 0.269360, -0.162212, 0.096789, 0.088963];
    let count = [
        contributions(DfQuad, removal, [0.147, 0.087, -0.03, 0.27, 0.027], NEAR),
        contributions(DfQuad, intrinsic, [0.147, 0.06, -0.3, 0.27, 0.027], NEAR),
        contributions(DfQuad, shapley, [0.259, 0.154, -0.165, 0.135, 0.024], NEAR),
        contributions(
            DfQuad,
            Measure::Gradient,
            [0.21, 0.105, -0.05, 0.3, 0.09],
            NEAR,
        ),
        contributions(Qe, removal, qe_removal, NEAR),
        contributions(Qe, intrinsic, qe_intrinsic, NEAR),
        contributions(Qe, shapley, qe_shapley, NEAR),
        contributions(Qe, Measure::Gradient, qe_gradient, 5.1e-7),
        contributions(Euler, shapley, eb_shapley, NEAR),
    ];
    assert_eq!(count.iter().sum::<usize>(), 45);
}

#[test]
fn slopes_by_the_own_weight_are_the_worked_ones() {
    let t3 = t3();
    let claim = t3.id("claim");
    let slopes = [
        (Gradual::DfQuad, 0.186),
        (Gradual::QuadraticEnergy, 0.599088),
        (Gradual::Euler, 0.880977),
    ];
    for (semantics, expected) in slopes {
        let found = Model::new(semantics).contributions(&t3.graph, claim, Measure::Gradient);
        assert!((found.values[claim.index()] - expected).abs() <= 5.1e-7);
    }
}

#[test]
fn shapley_values_add_up_to_the_worked_sums() {
    let t3 = t3();
    let sums = [
        (Gradual::DfQuad, 0.407),
        (Gradual::QuadraticEnergy, 0.200456223),
        (Gradual::Euler, 0.120476181),
    ];
    for (semantics, expected) in sums {
        let measure = Measure::Shapley(ShapleyOptions::default());
        let found = Model::new(semantics).contributions(&t3.graph, t3.id("claim"), measure);
        assert!(near(found.values.iter().sum(), expected));
    }
}

#[test]
fn ten_weak_attackers_saturate_the_product() {
    let names: Vec<String> = (0..10).map(|at| format!("x{at}")).collect();
    let base: String = names.iter().map(|it| format!("{it} .3 ")).collect();
    let edges: String = names.iter().map(|it| format!("{it}-a ")).collect();
    let many = example(&format!("a 1 {base}"), &edges);
    let found = Model::new(Gradual::DfQuad).evaluate(&many.graph).values[0];
    assert!((1.0 - found - 0.972).abs() < 5e-4);
}

#[test]
fn removal_and_shapley_rank_differently() {
    let t3 = t3();
    let model = Model::new(Gradual::DfQuad);
    let first = |measure| {
        let found = model.contributions(&t3.graph, t3.id("claim"), measure);
        let best = (0..found.values.len())
            .max_by(|&a, &b| found.values[a].total_cmp(&found.values[b]))
            .unwrap();
        t3.names[best].clone()
    };
    let shapley = Measure::Shapley(ShapleyOptions::default());
    assert_eq!([first(Measure::Removal), first(shapley)], ["d", "p1"]);
}
