//! carom-solvers
