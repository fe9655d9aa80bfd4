//! Rooms and edges in order: one file per line of the product. Reads, decides by the pure rooms, writes.
