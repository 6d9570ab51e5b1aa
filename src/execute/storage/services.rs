//! Where the name nodes of an HDFS address listen, as the configuration of Hadoop says it.

use std::path::PathBuf;

use crate::properties::Properties;
use crate::properties::hadoop::{self, Reader};
use crate::source::Sources;
use crate::xml::Limits;

/// Files of a Hadoop configuration; what a later one says counts.
const FILES: [&str; 2] = ["core-site.xml", "hdfs-site.xml"];

/// Host and port of each name node behind `hdfs://host:port` or `hdfs://service`; none where nothing says.
pub(super) fn name_nodes(address: &str) -> Vec<String> {
    let host = address.strip_prefix("hdfs://").unwrap_or(address).trim_end_matches('/');
    if host.contains(':') {
        return vec![host.to_owned()];
    }
    of_service(host, &configuration())
}

/// The folder with the configuration, where the client looks for it too.
fn folder() -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given("HADOOP_CONF_DIR").or_else(|| Some(given("HADOOP_HOME")?.join("etc/hadoop")))
}

fn configuration() -> Properties {
    let (mut sources, mut all) = (Sources::default(), Properties::default());
    let Some(folder) = folder() else { return all };
    for name in FILES {
        let path = folder.join(name);
        // What cannot be read the client has said already.
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let shown = path.to_string_lossy();
        let (_, properties, _) =
            hadoop::read_bytes(&mut sources, &shown, &bytes, Reader::Server, &Limits::default());
        all.entries.extend(properties.entries);
    }
    all
}

/// The name nodes of a service (`dfs.ha.namenodes`).
fn of_service(service: &str, conf: &Properties) -> Vec<String> {
    let value = |name: &str| conf.get(name).map(|entry| entry.value.value.trim().to_owned());
    let ids = value(&format!("dfs.ha.namenodes.{service}")).unwrap_or_default();
    let address = |id: &str| value(&format!("dfs.namenode.rpc-address.{service}.{}", id.trim()));
    ids.split(',').filter_map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_has_the_name_nodes_that_the_configuration_names() {
        let property = |name: &str, value: &str| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        };
        let text = [
            property("dfs.ha.namenodes.all", "one, two,gone"),
            property("dfs.namenode.rpc-address.all.one", "a:8020"),
            property("dfs.namenode.rpc-address.all.two", " b:8021 "),
            property("dfs.namenode.rpc-address.other.one", "c:8020"),
        ];
        let text = format!("<configuration>{}</configuration>", text.concat());
        let (_, conf, _) = hadoop::read_bytes(
            &mut Sources::default(),
            "hdfs-site.xml",
            text.as_bytes(),
            Reader::Server,
            &Limits::default(),
        );
        assert_eq!(of_service("all", &conf), ["a:8020", "b:8021"]);
        assert_eq!(of_service("none", &conf), Vec::<String>::new());
        assert_eq!(name_nodes("hdfs://nn:9000/"), ["nn:9000"]);
    }
}
