//! The order in which Java's hash maps list text keys, which shows wherever a map is printed.

/// `java.lang.String.hashCode`, spread as the maps do it.
fn spread(key: &str) -> u32 {
    let hash = key.encode_utf16().fold(0u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
    hash ^ (hash >> 16)
}

/// How the table of a map grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// `java.util.HashMap`: when it holds more than three quarters.
    HashMap,
    /// `java.util.Properties`: when it holds three quarters.
    Properties,
}

/// Sorts entries, which stand in the order in which they were put in, into the order of a map's iteration.
pub(super) fn sort<T>(entries: &mut [(String, T)], growth: Growth) {
    let mut buckets = 16usize;
    let full = |buckets: usize| match growth {
        Growth::HashMap => entries.len() > buckets / 4 * 3,
        Growth::Properties => entries.len() >= buckets / 4 * 3,
    };
    while full(buckets) {
        buckets *= 2;
    }
    entries.sort_by_key(|(key, _)| spread(key) & (buckets - 1) as u32);
}

/// Puts entries into one map: a later value takes the earlier one's place.
pub(super) fn distinct<T>(entries: impl IntoIterator<Item = (String, T)>) -> Vec<(String, T)> {
    let mut map = indexmap::IndexMap::new();
    for (key, value) in entries {
        map.insert(key, value);
    }
    map.into_iter().collect()
}

#[cfg(test)]
#[path = "hash_order_tests.rs"]
mod tests;
