//! The arguments of `DistCp` (`OptionsParser`, `DistCpOptionSwitch`), as far as they mean something without a cluster.

use super::Plan;
use crate::execute::files::read::{root, scheme};

/// Options that steer the work of a cluster, with how many words follow.
const WITHOUT_MEANING: [(&str, usize); 16] = [
    ("-m", 1),
    ("-bandwidth", 1),
    ("-strategy", 1),
    ("-log", 1),
    ("-v", 0),
    ("-async", 0),
    ("-direct", 0),
    ("-tmp", 1),
    ("-filelimit", 1),
    ("-sizelimit", 1),
    ("-mapredSslConf", 1),
    ("-numListstatusThreads", 1),
    ("-blocksperchunk", 1),
    ("-copybuffersize", 1),
    ("-useiterator", 0),
    ("-updateRoot", 0),
];

/// Reads arguments. Paths without a scheme lie where the name node is; relative ones in the home of the user.
pub fn read(arguments: &[String], name_node: Option<&str>, user: &str) -> Result<Plan, String> {
    let mut plan = Plan::default();
    let mut paths = Vec::new();
    let mut words = arguments.iter().map(|word| word.trim()).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        match word {
            "-update" => plan.update = true,
            "-overwrite" => plan.overwrite = true,
            "-delete" => plan.delete = true,
            "-i" => plan.ignore = true,
            "-skipcrccheck" => plan.skip_contents = true,
            "-f" => {
                let list = words.next().ok_or("`-f` names no file")?;
                plan.list = Some(full(list, name_node, user)?);
            }
            word if is_preserve(word) => plan.notes.push(format!(
                "`{word}` does not count here: what is copied gets the owner and permissions of whoever copies"
            )),
            "-D" => {
                words.next();
            }
            word if word.starts_with("-D") => {}
            word if word.starts_with('-') => {
                let known = WITHOUT_MEANING.iter().find(|(name, _)| *name == word);
                let Some((_, following)) = known else {
                    return Err(format!(
                        "`{word}` is not understood by the copying of this program; give a command under \
                         `[run.commands]` in ankus.toml, such as `distcp = [\"hadoop\", \"distcp\", \"{{arg}}\"]`"
                    ));
                };
                for _ in 0..*following {
                    words.next().ok_or_else(|| format!("nothing follows `{word}`"))?;
                }
                plan.notes.push(format!("`{word}` does not count here: one process copies file by file"));
            }
            path => paths.push(full(path, name_node, user)?),
        }
    }
    plan.target = paths.pop().ok_or("it names no target")?;
    plan.sources = paths;
    if plan.sources.is_empty() == plan.list.is_none() {
        return Err(match plan.list {
            None => "it names no source".to_owned(),
            Some(_) => "sources are named both by `-f` and one by one".to_owned(),
        });
    }
    if plan.update && plan.overwrite {
        return Err("`-update` and `-overwrite` exclude each other".to_owned());
    }
    if plan.delete && !(plan.update || plan.overwrite) {
        return Err("`-delete` goes with `-update` or `-overwrite` only".to_owned());
    }
    if plan.skip_contents && !plan.update {
        return Err("`-skipcrccheck` goes with `-update` only".to_owned());
    }
    Ok(plan)
}

/// `-p`, and what is kept: `-prbugp`.
fn is_preserve(word: &str) -> bool {
    word.strip_prefix("-p").is_some_and(|kept| kept.chars().all(|letter| "rbugpcaxte".contains(letter)))
}

fn full(path: &str, name_node: Option<&str>, user: &str) -> Result<String, String> {
    if scheme(path).is_some() {
        return Ok(path.to_owned());
    }
    let name_node = name_node.ok_or_else(|| format!("`{path}` has no scheme, and there is no name node"))?;
    let root = root(name_node);
    Ok(if path.starts_with('/') { format!("{root}{path}") } else { format!("{root}/user/{user}/{path}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(text: &str) -> Result<Plan, String> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        read(&words, Some("hdfs://nn:8020/x"), "joe")
    }

    #[test]
    fn arguments_are_read_as_distcp_reads_them() {
        let read = plan("-Da=b -D c=d -update -delete -prbugp -m 20 /a hdfs://other/b c s3a://bucket/t")
            .expect("a plan");
        assert_eq!(read.sources, ["hdfs://nn:8020/a", "hdfs://other/b", "hdfs://nn:8020/user/joe/c"]);
        assert_eq!(read.target, "s3a://bucket/t");
        assert!(read.update && read.delete && !read.overwrite && !read.ignore);
        assert_eq!(read.notes.len(), 2, "{:?}", read.notes);
        assert_eq!(plan("-f /list -i /t").expect("a plan").list.as_deref(), Some("hdfs://nn:8020/list"));
        for (wrong, words) in [
            ("/t", "no source"),
            ("", "no target"),
            ("-update -overwrite /a /t", "exclude each other"),
            ("-delete /a /t", "goes with `-update`"),
            ("-overwrite -skipcrccheck /a /t", "goes with `-update` only"),
            ("-atomic /a /t", "[run.commands]"),
            ("-f /list /a /t", "both by `-f`"),
            ("/a /t -m", "nothing follows"),
        ] {
            let told = plan(wrong).expect_err(wrong);
            assert!(told.contains(words), "{wrong}: {told}");
        }
    }
}
