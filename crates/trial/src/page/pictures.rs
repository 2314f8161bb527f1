//! The pictures of a report, as SVG.

use maud::{Markup, html};

use crate::report::ArmReport;
use crate::stats::calibration::Calibration;
use crate::stats::float;

const WIDTH: f64 = 640.0;
/// The left and right ends of the axis.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 600.0;
const ROW: f64 = 34.0;

/// Returns the place of a share on the axis across.
fn across(share: f64) -> f64 {
    LEFT + share.clamp(0.0, 1.0) * (RIGHT - LEFT)
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

fn dot_class(arm: &ArmReport) -> &'static str {
    match arm.arm.is_debate() {
        true => "debate",
        false => "dot",
    }
}

/// Returns the accuracy of each arm with its interval.
pub(super) fn accuracy_picture(arms: &[ArmReport]) -> Markup {
    let height = ROW * float(arms.len()) + 36.0;
    let y = |row: usize| ROW * (float(row) + 0.5);
    let bottom = ROW * float(arms.len());
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label="Accuracy of each arm" {
            @for step in 0..=4_u8 {
                @let share = f64::from(step) / 4.0;
                line.axis x1=(across(share)) x2=(across(share)) y1="0" y2=(bottom) {}
                text.faint x=(across(share)) y=(bottom + 20.0) text-anchor="middle" { (percent(share)) }
            }
            @for (row, arm) in arms.iter().enumerate() {
                text x=(LEFT - 12.0) y=(y(row) + 4.0) text-anchor="end" { (arm.arm.name()) }
                line.range x1=(across(arm.accuracy.low)) x2=(across(arm.accuracy.high)) y1=(y(row)) y2=(y(row)) {}
                circle class=(dot_class(arm)) cx=(across(arm.accuracy.value)) cy=(y(row)) r="6" {
                    title { (arm.arm.name()) ": " (percent(arm.accuracy.value)) }
                }
            }
        }
    }
}

/// Returns accuracy over tokens for each question.
pub(super) fn price_picture(arms: &[ArmReport]) -> Markup {
    let (top, bottom) = (20.0, 260.0);
    let most = arms.iter().map(|arm| arm.tokens).fold(1.0, f64::max) * 1.15;
    let down = |share: f64| bottom - share.clamp(0.0, 1.0) * (bottom - top);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} 310")) role="img" aria-label="Accuracy and tokens of each arm" {
            @for step in 0..=4_u8 {
                @let share = f64::from(step) / 4.0;
                line.axis x1=(LEFT) x2=(RIGHT) y1=(down(share)) y2=(down(share)) {}
                text.faint x=(LEFT - 10.0) y=(down(share) + 4.0) text-anchor="end" { (percent(share)) }
                text.faint x=(across(share)) y=(bottom + 20.0) text-anchor="middle" {
                    (format!("{:.0}", share * most))
                }
            }
            text.faint x=(f64::midpoint(LEFT, RIGHT)) y=(bottom + 42.0) text-anchor="middle" {
                "tokens for each question"
            }
            @for arm in arms {
                @let x = across(arm.tokens / most);
                line.range x1=(x) x2=(x) y1=(down(arm.accuracy.low)) y2=(down(arm.accuracy.high)) {}
                circle class=(dot_class(arm)) cx=(x) cy=(down(arm.accuracy.value)) r="6" {}
                text x=(x + 10.0) y=(down(arm.accuracy.value) + 4.0) { (arm.arm.name()) }
            }
        }
    }
}

/// Returns the accuracy of each bin of confidence.
pub(super) fn calibration_picture(calibration: &Calibration, name: &str) -> Markup {
    let (top, bottom) = (15.0, 215.0);
    let down = |share: f64| bottom - share.clamp(0.0, 1.0) * (bottom - top);
    let most = calibration
        .bins
        .iter()
        .map(|bin| bin.count)
        .max()
        .unwrap_or(1);
    html! {
        svg viewBox=(format!("0 0 {WIDTH} 265")) role="img" aria-label=(format!("Calibration of {name}")) {
            line.ideal x1=(across(0.0)) y1=(down(0.0)) x2=(across(1.0)) y2=(down(1.0)) {}
            @for step in 0..=4_u8 {
                @let share = f64::from(step) / 4.0;
                line.axis x1=(LEFT) x2=(RIGHT) y1=(down(share)) y2=(down(share)) {}
                text.faint x=(LEFT - 10.0) y=(down(share) + 4.0) text-anchor="end" { (percent(share)) }
                text.faint x=(across(share)) y=(bottom + 20.0) text-anchor="middle" { (percent(share)) }
            }
            text.faint x=(f64::midpoint(LEFT, RIGHT)) y=(bottom + 42.0) text-anchor="middle" { "confidence" }
            @for bin in &calibration.bins {
                circle.dot cx=(across(bin.confidence)) cy=(down(bin.accuracy))
                    r=(3.0 + 7.0 * (float(bin.count) / float(most)).sqrt()) {
                    title { (bin.count) " answers, " (percent(bin.accuracy)) " right" }
                }
            }
        }
    }
}
