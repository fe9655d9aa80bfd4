//! Edge: where truth is kept. Layout, lock, atomic files, journal, receipts, sessions.
