"""A small job queue."""
