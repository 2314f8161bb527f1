//! What can be asked of debates: one function a use case, a typed request in, a typed document out.
//!
//! What happens while a debate runs goes to a [`front::FrontEnd`], which also speaks for the person
//! behind it. There is no terminal and no command line in here.

pub mod ask;
pub mod documents;
mod failure;
pub mod front;
pub mod limits;
pub mod live;
pub mod past;
mod person;
pub mod read;
pub mod report;
pub mod request;
pub mod run;
pub mod seat;
pub mod sources;
pub mod standing;
pub mod steer;
