//! File list and manifests to the checks that a project has. Pure.
