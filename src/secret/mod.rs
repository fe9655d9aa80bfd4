//! Bytes to secrets found in them, always redacted. Pure.
