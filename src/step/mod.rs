//! One action of the agent: what would it do, and what is the answer? Pure.
