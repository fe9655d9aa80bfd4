//! Edge: finds, reads, merges and compiles the configuration.
