//! carom-io
