//! May this leave? What leaves, the receipts and the policy in; open or shut with a reason out. Pure.
