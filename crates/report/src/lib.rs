//! carom-report
