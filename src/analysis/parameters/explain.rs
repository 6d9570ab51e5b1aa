//! Where a value comes from: the chain of layers behind it and behind the values put into it.

use super::job_conf::{JobConf, Layer, Step};

/// How deep the values inside values are followed.
const MAX_DEPTH: usize = 20;
/// How many values one explanation speaks of.
const MAX_PARTS: usize = 1_000;

/// The origin of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The property.
    pub name: String,
    /// Its value; `None` when nothing gives it.
    pub value: Option<String>,
    /// How far inside the asked-for value it stands: 0 for that itself.
    pub depth: usize,
    /// The layers that give it, lowest first; the last one wins.
    pub steps: Vec<Step>,
}

/// Explains a value, then each value that was put into it, in order; each name once.
pub fn explain(conf: &JobConf, name: &str) -> Vec<Explanation> {
    let mut parts: Vec<Explanation> = Vec::new();
    let mut open = vec![(name.to_owned(), 0)];
    while let Some((name, depth)) = open.pop() {
        if parts.len() >= MAX_PARTS || parts.iter().any(|part| part.name == name) {
            continue;
        }
        let steps = conf.steps(&name).to_vec();
        if depth < MAX_DEPTH {
            let uses =
                steps.iter().rev().find(|step| step.layer == Layer::Substitution).map(|step| &step.uses);
            open.extend(uses.into_iter().flatten().rev().map(|used| (used.clone(), depth + 1)));
        }
        let value = conf.get_raw(&name).map(str::to_owned);
        parts.push(Explanation { name, value, depth, steps });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::Given;
    use super::*;
    use crate::source::{Sources, Span};

    #[test]
    fn a_chain_names_every_layer_and_what_was_put_in() {
        let place = Span::new(Sources::new().add("x", ""), 0..0);
        let mut conf = JobConf::new();
        conf.set(Layer::File, Given::new("nn", "hdfs://a"));
        conf.set(Layer::File, Given::new("out", "${nn}/out"));
        conf.set(Layer::Definition, Given::new("out", "${nn}/other"));
        conf.inject_defaults([Given::new("out", "d")]);
        assert!(conf.resolve(place).is_empty());
        let parts = explain(&conf, "out");
        let names: Vec<_> = parts.iter().map(|part| (part.name.as_str(), part.depth)).collect();
        assert_eq!(names, [("out", 0), ("nn", 1)]);
        let layers: Vec<_> = parts[0].steps.iter().map(|step| step.layer.clone()).collect();
        assert_eq!(layers, [Layer::DefaultFile, Layer::File, Layer::Definition, Layer::Substitution]);
        assert_eq!(parts[0].value.as_deref(), Some("hdfs://a/other"));
        assert_eq!(explain(&conf, "none")[0].value, None);
    }

    #[test]
    fn each_name_is_explained_once_and_no_more_than_are_of_use() {
        let conf = |uses: &[(&str, Vec<String>)]| {
            let mut conf = JobConf::new();
            for (name, uses) in uses {
                conf.set_evaluated(Layer::File, Given::new(*name, "written"), "put in", uses.clone());
            }
            conf
        };
        let told = |conf: &JobConf, name: &str| -> Vec<String> {
            explain(conf, name).iter().map(|part| format!("{} {}", part.name, part.depth)).collect()
        };
        let names = |names: &str| names.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let twice = conf(&[("a", names("b c b")), ("b", names("d a")), ("c", names("d"))]);
        assert_eq!(told(&twice, "a"), ["a 0", "b 1", "d 2", "c 1"]);
        let chain: Vec<_> = (0..30).map(|n| (format!("n{n}"), vec![format!("n{}", n + 1)])).collect();
        let chain: Vec<_> = chain.iter().map(|(name, uses)| (&**name, uses.clone())).collect();
        let expected: Vec<_> = (0..=MAX_DEPTH).map(|n| format!("n{n} {n}")).collect();
        assert_eq!(told(&conf(&chain), "n0"), expected);
        let many = conf(&[("a", (0..MAX_PARTS).map(|n| format!("n{n}")).collect())]);
        assert_eq!(told(&many, "a").len(), MAX_PARTS);
        let fewer = conf(&[("a", (0..MAX_PARTS - 1).map(|n| format!("n{n}")).collect())]);
        assert_eq!(told(&fewer, "a").last().map(String::as_str), Some("n998 1"));
    }
}
