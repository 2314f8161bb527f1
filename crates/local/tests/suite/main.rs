//! Tests of built-in models and their download through the public interface.

mod answering;
mod pulling;
