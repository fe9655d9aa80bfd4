//! Edge: the one door to git. Discovery, tree ids, diffs, what a push would send.
