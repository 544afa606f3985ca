//! carom-testkit
