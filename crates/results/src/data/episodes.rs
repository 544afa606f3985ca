//! Contact episodes: from a begin to its end, with the restitution that came out.

use std::collections::HashMap;

use super::RunData;
use crate::Error;

/// One contact from touch to parting.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// Pair.
    pub pair: String,
    /// Feature of the pair; empty if it has one.
    pub feature: String,
    /// Time of touch (s).
    pub begin: f64,
    /// Time of parting (s); `None` if the contact still held at the end.
    pub end: Option<f64>,
    /// Approach speed at touch (m/s).
    pub approach_speed: f64,
    /// Separation speed over approach speed; `None` while it holds, or if it began without any speed.
    pub restitution: Option<f64>,
    /// Normal impulse (N s); 0 while it holds.
    pub impulse: f64,
    /// Greatest penetration (m); 0 while it holds.
    pub max_penetration: f64,
}

impl RunData {
    /// All episodes, in the order of their begin.
    pub fn episodes(&self) -> Result<Vec<Episode>, Error> {
        let mut episodes: Vec<Episode> = Vec::new();
        let mut open: HashMap<(String, String), usize> = HashMap::new();
        for event in self.events()? {
            let contact = (event.pair.clone(), event.feature.clone());
            match event.kind.as_str() {
                "contact_begin" => {
                    open.insert(contact, episodes.len());
                    episodes.push(Episode {
                        pair: event.pair,
                        feature: event.feature,
                        begin: event.time,
                        end: None,
                        approach_speed: event.approach_speed,
                        restitution: None,
                        impulse: 0.0,
                        max_penetration: 0.0,
                    });
                }
                "contact_end" => {
                    let Some(index) = open.remove(&contact) else { continue };
                    let episode = &mut episodes[index];
                    episode.end = Some(event.time);
                    let ratio = -event.approach_speed / episode.approach_speed;
                    episode.restitution = Some(ratio).filter(|e| e.is_finite());
                    episode.impulse = event.impulse_normal;
                    episode.max_penetration = event.max_penetration;
                }
                _ => {}
            }
        }
        Ok(episodes)
    }
}
