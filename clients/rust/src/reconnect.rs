use std::time::Duration;

/// How a connection that was lost is made again: after a pause that grows with every attempt in a row.
///
/// A frame that was sent and not answered is not sent again. It gets a result with the code `connection_lost`, so that
/// every frame has exactly one result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReconnectPolicy {
    /// How many attempts in a row may fail before the connection is given up; 10 by default.
    pub max_attempts: u32,
    /// The pause before the first attempt; 100 milliseconds by default.
    pub initial_delay: Duration,
    /// By how much each pause is longer than the one before; 2 by default.
    pub multiplier: f64,
    /// The longest pause; 10 seconds by default.
    pub max_delay: Duration,
    /// Which part of a pause is left to chance, so that many clients do not come back at once; 0.2 by default.
    pub jitter: f64,
}

impl Default for ReconnectPolicy {
    fn default() -> Self {
        Self {
            max_attempts: 10,
            initial_delay: Duration::from_millis(100),
            multiplier: 2.0,
            max_delay: Duration::from_secs(10),
            jitter: 0.2,
        }
    }
}

impl ReconnectPolicy {
    /// The pause before an attempt, 1 for the first since the connection was lost.
    ///
    /// At most `max_delay`, and shorter than the regular pause by up to `jitter` of it; `chance` is 0...1.
    pub(crate) fn delay(&self, attempt: u32, chance: f64) -> Duration {
        let growth = self.multiplier.max(1.0).powf(f64::from(attempt.saturating_sub(1)));
        let max_delay = self.max_delay.as_secs_f64();
        let regular = (self.initial_delay.as_secs_f64() * growth).min(max_delay);
        let delay = regular * (1.0 - self.jitter.clamp(0.0, 1.0) * chance);
        Duration::try_from_secs_f64(delay).unwrap_or(self.max_delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let policy = ReconnectPolicy::default();
        let millis: Vec<_> = (1..=10).map(|attempt| policy.delay(attempt, 0.0).as_millis()).collect();
        assert_eq!(millis, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000]);
        assert_eq!(policy.delay(u32::MAX, 0.0).as_millis(), 10_000);
    }

    #[test]
    fn chance_shortens_a_pause_by_a_fifth_at_most() {
        let policy = ReconnectPolicy::default();
        assert_eq!(policy.delay(1, 0.5).as_millis(), 90);
        assert_eq!(policy.delay(20, 1.0).as_millis(), 8_000);
    }

    #[test]
    fn a_policy_beyond_reason_does_not_panic() {
        let policy = ReconnectPolicy { multiplier: f64::NAN, jitter: f64::NAN, ..ReconnectPolicy::default() };
        assert!(policy.delay(3, 0.5) <= policy.max_delay);
    }
}
