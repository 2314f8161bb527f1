//! Requires that manifests give the full version of each dependency, so that none is older than the
//! one it was developed with.

use cargo_metadata::{Metadata, semver::VersionReq};

pub(super) fn violations(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in &metadata.packages {
        for dependency in &package.dependencies {
            let req = &dependency.req;
            if dependency.path.is_none() && !is_whole(req) {
                let (name, needed) = (&package.name, &dependency.name);
                found.push(format!(
                    "{name}: `{needed}` is `{req}`: give the full version, as in 1.2.3"
                ));
            }
        }
    }
    found
}

fn is_whole(req: &VersionReq) -> bool {
    matches!(&req.comparators[..], [one] if one.patch.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn a_dependency_that_may_move_is_a_violation() {
        let mut metadata = workspace::members().unwrap();
        let tasks = metadata.packages.iter_mut().find(|it| it.name == "xtask");
        let syn = |it: &&mut cargo_metadata::Dependency| it.name == "syn";
        let needed = tasks.unwrap().dependencies.iter_mut().find(syn).unwrap();
        needed.req = "2.0".parse().unwrap();
        assert_eq!(
            violations(&metadata),
            ["xtask: `syn` is `^2.0`: give the full version, as in 1.2.3"]
        );
    }

    #[test]
    fn a_version_is_whole_with_three_numbers() {
        for whole in ["1.2.3", "=1.2.3", "~1.2.3"] {
            assert!(is_whole(&whole.parse().unwrap()), "{whole}");
        }
        for open in ["*", "1", "1.2", "1.2.*", ">=1.2.3, <2.0.0"] {
            assert!(!is_whole(&open.parse().unwrap()), "{open}");
        }
    }
}
