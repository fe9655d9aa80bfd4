//! Loop 4: integration and end-to-end tests, and what others said on the pull request. Pure.
