//! The documents about sessions.

use agon_record::document::Document;

use crate::calibrate;
use crate::{ContextDoc, SESSION_HEALTH_SCHEMA};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = &[
    Document::with_output_schema::<calibrate::CalibrationDoc>(
        "calibration",
        calibrate::CALIBRATION_SCHEMA,
        "from which length of a prompt on a model misses what stands in it: agon context calibrate",
    ),
    Document::with_output_schema::<ContextDoc>(
        "context",
        SESSION_HEALTH_SCHEMA,
        "whether the contexts of sessions are still good: agon context",
    ),
];
