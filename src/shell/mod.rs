//! Command text to the simple commands in it, wrappers unwrapped, each with its span. Pure.
