//! What a build without a feature tells a user who needs it.

/// Returns how to get a build with a feature, such as `png`, as a step without a full stop.
///
/// The released packages have every feature. Only the small archive `agon-debate-base` and builds
/// from source leave some out.
///
/// ```
/// let step = agon_hint::full_build("png");
/// assert!(step.starts_with("install the package `agon-debate` with npm or pip"));
/// assert!(step.ends_with("`cargo install --path crates/cli --features png`"));
/// ```
pub fn full_build(feature: &str) -> String {
    format!(
        "install the package `agon-debate` with npm or pip, or build with \
         `cargo install --path crates/cli --features {feature}`"
    )
}
