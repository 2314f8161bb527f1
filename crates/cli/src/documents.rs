//! The documents that each crate publishes. The test suite includes this file too.

use agon_record::document::Document;

/// The documents of each crate, beginning with the documents of debates.
pub(crate) const DOCUMENTS: [&[Document]; 11] = [
    agon_verdict::documents::DOCUMENTS,
    agon_debates::documents::DOCUMENTS,
    agon_batch::document::DOCUMENTS,
    agon_trial::document::DOCUMENTS,
    agon_seats::documents::DOCUMENTS,
    agon_install::documents::DOCUMENTS,
    agon_install::documents::FILES,
    agon_health::documents::DOCUMENTS,
    agon_teamwork::documents::DOCUMENTS,
    agon_teamwork::documents::FILES,
    agon_caller::documents::DOCUMENTS,
];
