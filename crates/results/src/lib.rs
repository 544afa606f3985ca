//! carom-results
