//! The sources of the recorded debate's citations.

/// The file list of the sample project, and each cited file.
pub(super) const BLOBS: [&[u8]; 8] = [
    include_bytes!("../../../demo/manifest"),
    include_bytes!("../../../demo/project/README.md"),
    include_bytes!("../../../demo/project/docs/adr-1.md"),
    include_bytes!("../../../demo/project/docs/benchmark.md"),
    include_bytes!("../../../demo/project/docs/oncall.md"),
    include_bytes!("../../../demo/project/docs/roadmap.md"),
    include_bytes!("../../../demo/project/errands/store.py"),
    include_bytes!("../../../demo/project/errands/worker.py"),
];
