use carom_engine::System;
use carom_engine::record::{ContactInfo, Frame, RecordError, Recorder, SearchSample};

/// Keeps what the searches of one areal pair have cost up to each output time.
pub struct SearchLog {
    contact: usize,
    /// Time (s) and counters since the start.
    pub rows: Vec<(f64, SearchSample)>,
}

impl SearchLog {
    /// Of the pair of that name.
    ///
    /// # Panics
    /// If the system has no such pair.
    pub fn new(system: &System, pair: &str) -> Self {
        let info = system.info();
        let of_pair = |contact: &ContactInfo| info.pairs[contact.pair].name == pair;
        Self {
            contact: info.contacts.iter().position(of_pair).expect("a pair of the model"),
            rows: Vec::new(),
        }
    }

    /// A counter over the searches since the output time before, at each output time: times (s) and means.
    pub fn means(&self, counter: impl Fn(&SearchSample) -> u64) -> (Vec<f64>, Vec<f64>) {
        let steps = self.rows.windows(2);
        steps
            .map(|step| {
                let [(_, before), (time, now)] = [step[0], step[1]];
                let tests = (counter(&now) - counter(&before)) as f64;
                (time, tests / (now.searches - before.searches).max(1) as f64)
            })
            .unzip()
    }
}

impl Recorder for SearchLog {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        let of_pair = frame.searches.iter().filter(|sample| sample.contact == self.contact);
        self.rows.extend(of_pair.map(|sample| (frame.time, *sample)));
        Ok(())
    }
}
