//! Two paths held against each other from their ends: how much they share, and what may be a slip where they part.

/// The known end of a path of a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known<'u> {
    /// Its names, those after the last `${…}` that nothing resolved; `.` and empty ones are left out.
    pub(super) names: Vec<&'u str>,
    /// The first name is the end of a longer one: `${prefix}x.xml`.
    pub(super) is_cut: bool,
    /// What comes before them is not known.
    pub(super) is_open: bool,
}

impl<'u> Known<'u> {
    /// What is known of a URI after its scheme and host.
    pub(super) fn of(uri: &'u str) -> Known<'u> {
        let uri = uri.split(['#', '?']).next().unwrap_or(uri);
        let (path, is_cut) = match uri.rfind("${") {
            Some(at) => {
                let rest = uri[at..].find('}').map_or("", |close| &uri[at + close + 1..]);
                (rest, !rest.is_empty() && !rest.starts_with('/'))
            }
            None => match uri.split_once("://") {
                Some((_, rest)) => (rest.split_once('/').map_or("", |(_, path)| path), false),
                None => (uri, false),
            },
        };
        Known { names: names(path), is_cut, is_open: uri.contains("${") }
    }

    /// Whether it ends with the name of a definition.
    pub(super) fn names_file(&self) -> bool {
        self.names.last().is_some_and(|last| last.ends_with(".xml"))
    }
}

/// The names of a path without `.` and empty ones.
pub(super) fn names(path: &str) -> Vec<&str> {
    path.split('/').filter(|segment| !segment.is_empty() && *segment != ".").collect()
}

/// What may be a slip, or a difference between a repository and where it is deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Oddity {
    /// The path has a folder that the repository has not.
    Extra,
    /// The repository has a folder that the path has not.
    Lacking,
    /// The path has a folder twice.
    Doubled,
    /// Two names stand the other way round.
    Swapped,
    /// A name is nearly another one.
    Misspelt,
}

/// How a path of a cluster fits one of the repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fit {
    /// How many names are the same, from the end.
    pub(super) same: usize,
    /// Where that ends, what both have before it once this is set right; and how many names are the same before that.
    pub(super) oddity: Option<(Oddity, usize)>,
    /// With the oddity: how many names at the end of the path are to be replaced by how many of the repository's.
    pub(super) replaced: (usize, usize),
    /// All names of the path are the same.
    pub(super) is_whole: bool,
    /// All names of the repository's path are the same.
    pub(super) is_all_of_ours: bool,
}

/// Folders that building and deploying drop; a path without them lacks nothing.
const DROPPED: &[&str] =
    &["src", "main", "resources", "oozie", "target", "classes", "conf", "config", "app", "apps"];

/// Holds `theirs`, the names of a URI, against `ours`, those of a file or folder of the repository.
pub(super) fn fit(theirs: &Known<'_>, ours: &[&str]) -> Fit {
    let cut = |index: usize| theirs.is_cut && index + 1 == theirs.names.len();
    let is_same = |their: usize, our: usize| {
        let (one, other) = (theirs.names[theirs.names.len() - 1 - their], ours[ours.len() - 1 - our]);
        one == other || (cut(their) && other.ends_with(one) && !other.ends_with(".xml"))
    };
    let (most, all) = (theirs.names.len(), ours.len());
    let run = |their: usize, our: usize| {
        (0..).take_while(|n| their + n < most && our + n < all && is_same(their + n, our + n)).count()
    };
    let same = run(0, 0);
    let mut fit =
        Fit { same, oddity: None, replaced: (0, 0), is_whole: same == most, is_all_of_ours: same == all };
    // A name that stands twice in a row, and not here, is doubled wherever the paths part.
    let doubled = (0..most.saturating_sub(1)).find(|at| {
        let (near, far) = (theirs.names[most - 1 - at], theirs.names[most - 2 - at]);
        near == far && *at < same && !(at + 1 < all && is_same(at + 1, at + 1))
    });
    if let Some(at) = doubled.filter(|at| at + 1 >= same && most > same) {
        fit.oddity = Some((Oddity::Doubled, run(at + 2, at + 1)));
        fit.replaced = (at + 2, at + 1);
        return fit;
    }
    if fit.is_whole || fit.is_all_of_ours {
        return fit;
    }
    let (their, our) = (theirs.names[most - 1 - same], ours[all - 1 - same]);
    let is_near = !cut(same) && nearness(their, our).is_some();
    let mut found: Vec<(Oddity, usize)> = Vec::new();
    if is_near {
        found.push((Oddity::Misspelt, run(same + 1, same + 1)));
    }
    let swaps = same + 1 < most && same + 1 < all && is_same(same, same + 1) && is_same(same + 1, same);
    if swaps {
        found.push((Oddity::Swapped, run(same + 2, same + 2)));
    }
    let (extra, lacking) = (run(same + 1, same), run(same, same + 1));
    if extra > 0 && !swaps {
        found.push((Oddity::Extra, extra));
    }
    if lacking > 0 && !swaps {
        found.push((if DROPPED.contains(&our) { Oddity::Extra } else { Oddity::Lacking }, lacking));
    }
    fit.oddity = found.into_iter().max_by_key(|(oddity, after)| (*after, *oddity));
    fit.replaced = match fit.oddity {
        Some((Oddity::Misspelt, _)) => (same + 1, same + 1),
        Some((Oddity::Swapped, _)) => (same + 2, same + 2),
        Some((Oddity::Lacking, _)) => (same, same + 1),
        _ => (0, 0),
    };
    fit
}

/// Names longer than this are not compared.
const MAX_COMPARED_CHARS: usize = 100;

/// How near a name is to another one that may be meant, 0 the nearest; none where it is the same or no slip of it.
/// Names that differ in their numbers are two names.
pub(super) fn nearness(found: &str, meant: &str) -> Option<usize> {
    if found == meant {
        return None;
    }
    if found.eq_ignore_ascii_case(meant) {
        return Some(0);
    }
    let bare = |name: &str| {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<Vec<_>>()
    };
    let (one, other) = (bare(found), bare(meant));
    if one == other {
        return Some(1);
    }
    // A name without its ending, or with another one.
    if let Some((stem, "xml")) = meant.rsplit_once('.')
        && let (own, ending) = found.rsplit_once('.').unwrap_or((found, ""))
        && own == stem
        && ending.len() <= 4
    {
        return Some(1);
    }
    let digits = |name: &[char]| name.iter().filter(|c| c.is_numeric()).collect::<String>();
    let length = one.len().max(other.len());
    if digits(&one) != digits(&other) || length > MAX_COMPARED_CHARS {
        return None;
    }
    let most = match length {
        0..=2 => return None,
        // Two letters make `import` of `export`.
        3..=8 => 1,
        _ => 2,
    };
    let distance = distance(&one, &other);
    let is_turned = || {
        let sorted = |name: &[char]| {
            let mut name = name.to_vec();
            name.sort_unstable();
            name
        };
        sorted(&one) == sorted(&other)
    };
    // One letter makes another word of one with three; two that stand the other way round make none.
    (distance <= most && (length > 3 || is_turned())).then_some(distance)
}

/// Whether two names differ by a plural alone, as those of a repository and of a cluster may.
pub(super) fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}

/// Letters put in, left out, taken for others, or turned round with the next one.
fn distance(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut rows = [vec![0; width], (0..width).collect::<Vec<_>>(), vec![0; width]];
    for (i, a) in one.iter().enumerate() {
        rows[2][0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let mut least = (rows[1][j] + usize::from(a != b)).min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(rows[0][j - 1] + 1);
            }
            rows[2][j + 1] = least;
        }
        rows.rotate_left(1);
    }
    rows[1][width - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near_and_other_names_are_not() {
        let near = |found: &str, meant: &str| assert!(nearness(found, meant).is_some(), "{found} {meant}");
        let far = |found: &str, meant: &str| assert_eq!(nearness(found, meant), None, "{found} {meant}");
        near("wrokflow.xml", "workflow.xml");
        near("workflow.xlm", "workflow.xml");
        near("workflow.XML", "workflow.xml");
        near("workflow", "workflow.xml");
        near("workflow.txt", "workflow.xml");
        near("cordinator.xml", "coordinator.xml");
        near("dialy", "daily");
        near("daily_load", "daily-load");
        near("elt", "etl");
        near("laod", "load");
        near("aps", "apps");
        far("daily", "daily");
        far("etl1", "etl2");
        far("job-2023", "job-2024");
        far("dev", "prd");
        far("qa", "dev");
        far("etl", "eta");
        far("import", "export");
        far("workflow.xml", "coordinator.xml");
        far("hourly", "daily");
    }

    #[test]
    fn paths_are_held_against_each_other_from_their_ends() {
        let check = |uri: &str, ours: &str, same: usize, oddity: Option<(Oddity, usize)>| {
            let fit = fit(&Known::of(uri), &names(ours));
            assert_eq!((fit.same, fit.oddity), (same, oddity), "{uri} {ours}");
        };
        check("/u/joe/apps/etl", "apps/etl", 2, None);
        check("/u/joe/aps/etl", "apps/etl", 1, Some((Oddity::Misspelt, 0)));
        check("/u/apps/elt/w.xml", "apps/etl/w.xml", 1, Some((Oddity::Misspelt, 1)));
        check("/u/etl/apps/w.xml", "apps/etl/w.xml", 1, Some((Oddity::Swapped, 0)));
        check("/u/apps/etl/etl/w.xml", "apps/etl/w.xml", 2, Some((Oddity::Doubled, 1)));
        check("/u/apps/apps/etl", "apps/etl", 2, Some((Oddity::Doubled, 0)));
        check("/x/x/workflow.xml", "workflow.xml", 1, None);
        check("/u/apps/more/w.xml", "apps/w.xml", 1, Some((Oddity::Extra, 1)));
        check("/u/apps/w.xml", "apps/etl/w.xml", 1, Some((Oddity::Lacking, 1)));
        check("/u/etl/w.xml", "etl/src/w.xml", 1, Some((Oddity::Extra, 1)));
        check("${x}/etl/w.xml", "a/etl/w.xml", 2, None);
        check("${x}-etl/w.xml", "a/dev-etl/w.xml", 2, None);
        check("${x}w.xml", "a/loop_w.xml", 0, None);
        check("hdfs://nn", "a", 0, None);
    }
}
