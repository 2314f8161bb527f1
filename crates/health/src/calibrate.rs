//! From which length of a prompt on a model begins to miss what stands in it, measured.

mod ask;
mod conclusions;
mod describe;
mod document;
mod estimate;
mod limits_row;
mod plan;
mod record;
mod request;
mod results;
mod run;
mod write;

pub use self::document::{
    CALIBRATION_SCHEMA, CalibrationDoc, CalibrationPlanDoc, CalibrationSpentDoc, DepthRecallDoc,
    FallDoc, LengthRecallDoc, MeasuredLimitDoc, OutcomeCountsDoc, PartRecallDoc, RecallDoc,
};
pub use self::plan::Calibration;
pub use self::request::CalibrationRequest;
pub use self::run::{CalibrationFront, CallProgress};
pub use self::write::write;
