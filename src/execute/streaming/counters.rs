//! What a map-reduce job has counted (`TaskCounter`), as `hadoop:counters` reads it.

/// Name, words with which Hadoop prints it.
const RECORDS: [(&str, &str); 7] = [
    ("MAP_INPUT_RECORDS", "Map input records"),
    ("MAP_OUTPUT_RECORDS", "Map output records"),
    ("COMBINE_INPUT_RECORDS", "Combine input records"),
    ("COMBINE_OUTPUT_RECORDS", "Combine output records"),
    ("REDUCE_INPUT_GROUPS", "Reduce input groups"),
    ("REDUCE_INPUT_RECORDS", "Reduce input records"),
    ("REDUCE_OUTPUT_RECORDS", "Reduce output records"),
];

/// Counters of records, in the order of `RECORDS`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Read by mappers.
    pub map_in: u64,
    /// Written by mappers.
    pub map_out: u64,
    /// Read by combiners.
    pub combine_in: u64,
    /// Written by combiners.
    pub combine_out: u64,
    /// Different keys.
    pub groups: u64,
    /// Read by reducers.
    pub reduce_in: u64,
    /// Written by reducers.
    pub reduce_out: u64,
}

impl Counters {
    fn all(mut self) -> [u64; 7] {
        self.fields().map(|field| *field)
    }

    fn fields(&mut self) -> [&mut u64; 7] {
        [
            &mut self.map_in,
            &mut self.map_out,
            &mut self.combine_in,
            &mut self.combine_out,
            &mut self.groups,
            &mut self.reduce_in,
            &mut self.reduce_out,
        ]
    }

    /// For people, as Hadoop prints them.
    pub fn text(self) -> String {
        let all = RECORDS.iter().zip(self.all());
        all.map(|((_, words), count)| format!("{words}={count}\n")).collect()
    }

    /// The last counters that a log of Hadoop's shows; nothing where it shows none.
    pub fn read(log: &str) -> Option<Counters> {
        let mut counters = Counters::default();
        let mut any = false;
        for line in log.lines() {
            let Some((words, count)) = line.trim().split_once('=') else { continue };
            let known = RECORDS.iter().position(|(_, known)| *known == words);
            if let (Some(at), Ok(count)) = (known, count.parse()) {
                *counters.fields()[at] = count;
                any = true;
            }
        }
        any.then_some(counters)
    }

    /// As `hadoop:counters` reads them (`MRStats.toJSON`), under the old name of the group and the new one.
    pub fn json(self) -> String {
        let count = |((name, _), count): (&(&str, &str), u64)| ((*name).to_owned(), count.into());
        let group: serde_json::Map<String, serde_json::Value> =
            RECORDS.iter().zip(self.all()).map(count).collect();
        let json = serde_json::json!({
            "ACTION_TYPE": "MAP_REDUCE",
            "org.apache.hadoop.mapred.Task$Counter": group.clone(),
            "org.apache.hadoop.mapreduce.TaskCounter": group,
        });
        json.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hadoop_prints_is_read() {
        let counters =
            Counters { map_in: 3, map_out: 4, groups: 2, reduce_in: 4, reduce_out: 2, ..Counters::default() };
        let log =
            format!("INFO mapreduce.Job: Counters: 30\n\t\t{}x=y\n", counters.text().replace('\n', "\n\t\t"));
        assert_eq!(Counters::read(&log), Some(counters));
        assert_eq!(Counters::read("nothing=1\n"), None);
    }
}
