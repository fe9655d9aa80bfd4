//! Results as text, markdown and JSON, for people, for the model and for the state files. Pure.
