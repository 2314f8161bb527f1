//! The model in this process, and the models that are pulled for it, tested from outside.

mod answering;
mod pulling;
