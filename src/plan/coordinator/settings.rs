//! What the server's configuration decides.

use crate::el::Engine;
use crate::time::ProcessingZone;

/// The settings of a server that change a plan; the defaults are those of `oozie-default.xml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What evaluates expressions.
    pub engine: Engine,
    /// `oozie.processing.timezone`
    pub processing: ProcessingZone,
    /// `oozie.service.coord.normal.default.timeout`, in minutes.
    pub default_timeout_minutes: i32,
    /// `oozie.service.coord.default.max.timeout`, in minutes.
    pub max_timeout_minutes: i32,
    /// `oozie.service.coord.default.concurrency`
    pub default_concurrency: i32,
    /// `oozie.service.coord.default.throttle`
    pub default_throttle: i32,
    /// The queue's size times `oozie.service.coord.materialization.throttling.factor`.
    pub max_throttle: i32,
    /// `oozie.service.coord.check.maximum.frequency`
    pub check_maximum_frequency: bool,
    /// Schemes of URIs that the server handles (`oozie.service.HadoopAccessorService.supported.filesystems` and its
    /// URI handlers); `None` for all.
    pub schemes: Option<Vec<String>>,
    /// The id of a job that has none of its own, which `coord:actionId` shows.
    pub job_id: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engine: Engine::default(),
            processing: ProcessingZone::UTC,
            default_timeout_minutes: 120,
            max_timeout_minutes: 86_400,
            default_concurrency: 1,
            default_throttle: 12,
            max_throttle: 500,
            check_maximum_frequency: true,
            schemes: None,
            job_id: "0000000-000000000000000-oozie-C".to_owned(),
        }
    }
}

/// How many instances one event of one action may have.
pub const MAX_INSTANCES: usize = 250_000;

/// How many instances `latest` and `future` look at before they give up. A server that asks a name node for each of so
/// many is busy for minutes with one action.
pub const MAX_PROBES: usize = 100_000;

/// How many files of datasets one coordinator may include.
pub const MAX_INCLUDES: usize = 1_000;
