//! URIs of the catalogue: `hcat://server:port/database/table/key=value;key=value`, and the functions over them.
//!
//! Follows `HCatURI`, `HCatURIParser` and `HCatELFunctions`.

use percent_encoding::percent_decode_str;

/// A parsed URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HcatUri {
    pub(crate) database: String,
    pub(crate) table: String,
    /// In order; a doubled key keeps its first place and its last value.
    pub(crate) partitions: Vec<(String, String)>,
}

impl HcatUri {
    /// Reads a URI, whose path counts as `URI.getPath` decodes it; the error says what is missing.
    pub(crate) fn parse(uri: &str) -> Result<HcatUri, String> {
        let rest = uri.find("://").map_or("", |at| &uri[at + 3..]);
        let mut path = rest;
        // More than one server: `hcat://a:1,hcat://b:2/db/…`.
        while let Some(at) = path.find("hcat://") {
            path = &path[at + "hcat://".len()..];
        }
        let Some(slash) = path.find('/').filter(|at| *at > 0) else {
            let missing =
                if path.is_empty() || path.starts_with('/') { "server and port" } else { "database" };
            return Err(format!("the {missing} is missing"));
        };
        let path = path[slash..].split(['?', '#']).next().unwrap_or_default();
        let path = percent_decode_str(path).decode_utf8_lossy();
        // Java leaves out what is empty at the end.
        let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        let (database, table, partitions) = match parts.as_slice() {
            [_, database, table] => (*database, *table, ""),
            [_, database, table, partitions] => (*database, *table, *partitions),
            _ => return Err("the path is not of the form `/database/table/key=value;…`".to_owned()),
        };
        if database.is_empty() || table.is_empty() {
            let missing = if database.is_empty() { "database" } else { "table" };
            return Err(format!("the {missing} is missing"));
        }
        let mut found: Vec<(String, String)> = Vec::new();
        for part in partitions.split(';').filter(|part| !part.is_empty()) {
            let (key, value) = part
                .trim_end_matches('=')
                .split_once('=')
                .filter(|(_, value)| !value.contains('='))
                .ok_or_else(|| format!("`{part}` is no partition of the form `key=value`"))?;
            match found.iter_mut().find(|(known, _)| *known == key) {
                Some(pair) => pair.1 = value.to_owned(),
                None => found.push((key.to_owned(), value.to_owned())),
            }
        }
        Ok(HcatUri { database: database.to_owned(), table: table.to_owned(), partitions: found })
    }

    /// The value of a partition key.
    pub(crate) fn partition(&self, key: &str) -> Option<&str> {
        self.partitions.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str())
    }

    /// `(key=='value' AND …)`; only Pig doubles the sign.
    pub(crate) fn filter(&self, kind: &str) -> String {
        let sign = if kind.eq_ignore_ascii_case("pig") { "==" } else { "=" };
        let pairs: Vec<String> = self.partitions.iter().map(|(k, v)| format!("{k}{sign}'{v}'")).collect();
        format!("({})", pairs.join(" AND "))
    }

    /// `'key=value,…'`
    pub(crate) fn partition_string(&self) -> String {
        let pairs: Vec<String> = self.partitions.iter().map(|(k, v)| format!("{k}={v}")).collect();
        format!("'{}'", pairs.join(","))
    }

    /// `key='value',…`
    pub(crate) fn export(&self) -> String {
        let pairs: Vec<String> = self.partitions.iter().map(|(k, v)| format!("{k}='{v}'")).collect();
        pairs.join(",")
    }
}

/// The URIs in a text, found as the server's pattern `oozie.hcat.uri.regex.pattern` finds them.
pub(crate) fn split_uris(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match match_at(bytes, at) {
            Some(end) => {
                found.push(&text[at..end]);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The end of `([a-z]+://[\w.\-]+:\d+[,]*)+/\w+/\w+/?[\w+=;\-]*` from `start`.
fn match_at(bytes: &[u8], start: usize) -> Option<usize> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let run = |from: usize, accept: &dyn Fn(u8) -> bool| {
        from + bytes[from..].iter().take_while(|byte| accept(**byte)).count()
    };
    let some = |from: usize, accept: &dyn Fn(u8) -> bool| Some(run(from, accept)).filter(|end| *end > from);
    let literal = |from: usize, text: &[u8]| bytes[from..].starts_with(text).then(|| from + text.len());
    let server = |from: usize| {
        let at = some(from, &|b| b.is_ascii_lowercase())?;
        let at = literal(at, b"://")?;
        let at = some(at, &|b| word(b) || b == b'.' || b == b'-')?;
        let at = literal(at, b":")?;
        let at = some(at, &|b| b.is_ascii_digit())?;
        Some(run(at, &|b| b == b','))
    };
    let mut at = server(start)?;
    while let Some(next) = server(at) {
        at = next;
    }
    for _ in 0..2 {
        at = some(literal(at, b"/")?, &word)?;
    }
    at = literal(at, b"/").unwrap_or(at);
    Some(run(at, &|b| word(b) || matches!(b, b'+' | b'=' | b';' | b'-')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_read() {
        let uri = HcatUri::parse("hcat://h:9083/db1/clicks/ds=20240228;region=us").unwrap();
        assert_eq!((uri.database.as_str(), uri.table.as_str()), ("db1", "clicks"));
        assert_eq!(uri.partition("region"), Some("us"));
        assert_eq!(uri.filter("pig"), "(ds=='20240228' AND region=='us')");
        assert_eq!(uri.filter("hive"), "(ds='20240228' AND region='us')");
        assert_eq!(uri.partition_string(), "'ds=20240228,region=us'");
        assert_eq!(uri.export(), "ds='20240228',region='us'");
        let uri = HcatUri::parse("hcat://h:9083/db1/t%C3%A9/ds=2024%20x/").unwrap();
        assert_eq!((uri.table.as_str(), uri.partition("ds")), ("té", Some("2024 x")));
        assert!(HcatUri::parse("hcat://h:9083/db1/t/ds=2024%2F02").is_err());
        for wrong in
            ["hcat://h:1", "hcat://h:1/db", "hcat:///db/t/a=b", "hcat://h:1/db/t/a", "hcat://h:1//t/a=b"]
        {
            assert!(HcatUri::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn lists_are_split_by_the_servers_pattern() {
        let list = "hcat://h:9083/db/t/a=1;b=2,hcat://h:9083/db/t/a=2;b=2";
        assert_eq!(split_uris(list), ["hcat://h:9083/db/t/a=1;b=2", "hcat://h:9083/db/t/a=2;b=2"]);
        assert_eq!(split_uris("hdfs://nn/x"), Vec::<&str>::new());
        assert_eq!(split_uris("hcat://h:9083/db/t/a=1.5"), ["hcat://h:9083/db/t/a=1"]);
    }
}
