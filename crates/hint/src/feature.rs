//! What a build without a feature tells a user who needs it.

/// Returns how to get a build with a feature, such as `png`, as a step without a full stop.
///
/// The released packages have every feature, and the small archive `agon-debate-base` names them. A
/// build from source may be older than any release, so it names only the build.
///
/// ```
/// let step = agon_hint::full_build("png");
/// assert!(step.ends_with("`cargo install --path crates/cli --features png`"));
/// ```
pub fn full_build(feature: &str) -> String {
    // Only `cargo xtask package` sets it.
    step(feature, option_env!("AGON_BUILD_COMMIT").is_some())
}

fn step(feature: &str, is_released: bool) -> String {
    let build = format!("build with `cargo install --path crates/cli --features {feature}`");
    match is_released {
        true => format!("install the package `agon-debate` with npm, pip or dpkg, or {build}"),
        false => build,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_released_program_names_a_package() {
        assert!(step("png", true).starts_with("install the package `agon-debate`"));
        assert!(step("png", false).starts_with("build with `cargo install"));
    }
}
