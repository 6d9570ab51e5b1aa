//! Sources as the checks see them: parsed, without unit tests, every path resolved by the imports of its file.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::Visit;

/// A path that code names, from the root of its crate or module on.
#[derive(Debug)]
pub struct Used {
    /// `["crate", "plan", "Plan"]`; a macro ends with `!`, a glob import is `*`.
    pub segments: Vec<String>,
    /// From 1.
    pub line: usize,
}

impl Used {
    /// Whether `path` (`std::io::stdin`) stands anywhere in it, or may be behind a glob import.
    pub fn names(&self, path: &str) -> bool {
        let wanted: Vec<&str> = path.split("::").collect();
        let is_hidden = self.segments.split_last().is_some_and(|(last, before)| {
            last == "*" && wanted.len() > before.len() && wanted.iter().zip(before).all(|(a, b)| a == b)
        });
        is_hidden || self.segments.windows(wanted.len()).any(|part| part == wanted)
    }
}

/// A source file.
#[derive(Debug)]
pub struct Source {
    /// Relative to the package, with `/` between.
    pub path: String,
    /// What the code names outside its unit tests.
    pub used: Vec<Used>,
    /// The modules that are there for tests only, as paths of files without `.rs`.
    test_modules: Vec<String>,
}

impl Source {
    /// Parses a file of the package.
    pub fn parse(path: &str, text: &str) -> Result<Source, String> {
        let file = syn::parse_file(text).map_err(|error| format!("{path}: {error}"))?;
        let mut items = Items::default();
        items.visit_file(&file);
        let tokens: TokenStream = text.parse().map_err(|error| format!("{path}: {error}"))?;
        let module = module_of(path);
        let mut used = Vec::new();
        for (segments, line) in items.imported {
            used.push(Used { segments: resolve(segments, &module, &BTreeMap::new()), line });
        }
        let imports =
            items.names.into_iter().map(|(name, path)| (name, resolve(path, &module, &BTreeMap::new())));
        let imports: BTreeMap<String, Vec<String>> = imports.collect();
        for (segments, line) in paths(tokens, &items.left_out) {
            used.push(Used { segments: resolve(segments, &module, &imports), line });
        }
        // Else each file makes the search for the places of the next one longer.
        proc_macro2::extra::invalidate_current_thread_spans();
        let beside = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let below = folder_of_module(path);
        let test_modules = items.test_modules.into_iter().map(|file| match file {
            TestFile::Named(file) => format!("{beside}/{}", file.trim_end_matches(".rs")),
            TestFile::Module(name) => format!("{below}/{name}"),
        });
        let test_modules = test_modules.collect();
        Ok(Source { path: path.to_owned(), used, test_modules })
    }

    /// The top-level module the file belongs to; none for `lib.rs` and `main.rs`.
    pub fn module(&self) -> Option<&str> {
        let rest = self.path.strip_prefix("src/")?;
        let name = rest.split('/').next()?.trim_end_matches(".rs");
        (name != "lib" && name != "main").then_some(name)
    }
}

/// The sources without the files that unit tests alone use.
pub fn without_tests(sources: Vec<Source>) -> Vec<Source> {
    let tests: BTreeSet<String> = sources.iter().flat_map(|source| source.test_modules.clone()).collect();
    let is_test = |path: &str| {
        let stem = path.trim_end_matches(".rs").trim_end_matches("/mod");
        tests.iter().any(|test| stem == test || stem.starts_with(&format!("{test}/")))
    };
    sources.into_iter().filter(|source| !is_test(&source.path)).collect()
}

/// From where to where a part of a file reaches.
type Part = (LineColumn, LineColumn);

fn part(span: Span) -> Part {
    (span.start(), span.end())
}

/// The items of a file that need their own treatment.
#[derive(Default)]
struct Items {
    /// Parts that are not looked at for paths: imports, which are unfolded, and unit tests.
    left_out: Vec<Part>,
    imported: Vec<(Vec<String>, usize)>,
    /// What a name stands for by an import.
    names: BTreeMap<String, Vec<String>>,
    test_modules: Vec<TestFile>,
}

/// Where a module of tests lies.
enum TestFile {
    /// Where its name says.
    Module(String),
    /// Where `#[path]` says.
    Named(String),
}

fn test_file(module: &syn::ItemMod) -> TestFile {
    for attribute in &module.attrs {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("path")
            && let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(file), .. }) = &pair.value
        {
            return TestFile::Named(file.value());
        }
    }
    TestFile::Module(module.ident.to_string())
}

impl Items {
    fn import(&mut self, prefix: &[String], tree: &syn::UseTree) {
        let line = tree.span().start().line;
        let longer = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            syn::UseTree::Path(path) => self.import(&longer(&path.ident), &path.tree),
            syn::UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(prefix, tree)),
            syn::UseTree::Glob(_) => self.imported.push(([prefix, &["*".to_owned()]].concat(), line)),
            syn::UseTree::Name(name) if name.ident == "self" => {
                self.imported.push((prefix.to_vec(), line));
                self.names.extend(prefix.last().map(|last| (last.clone(), prefix.to_vec())));
            }
            syn::UseTree::Name(name) => {
                self.imported.push((longer(&name.ident), line));
                self.names.insert(name.ident.to_string(), longer(&name.ident));
            }
            syn::UseTree::Rename(rename) => {
                let path = if rename.ident == "self" { prefix.to_vec() } else { longer(&rename.ident) };
                self.imported.push((path.clone(), line));
                self.names.insert(rename.rename.to_string(), path);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if is_for_tests(item) {
            self.left_out.push(part(item.span()));
            if let syn::Item::Mod(module) = item {
                self.test_modules.push(test_file(module));
            }
            return;
        }
        syn::visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.left_out.push(part(item.span()));
        self.import(&[], &item.tree);
    }
}

/// Whether an item is compiled for tests only.
fn is_for_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(it) => &it.attrs,
        syn::Item::Fn(it) => &it.attrs,
        syn::Item::Use(it) => &it.attrs,
        syn::Item::Impl(it) => &it.attrs,
        syn::Item::Struct(it) => &it.attrs,
        syn::Item::Enum(it) => &it.attrs,
        syn::Item::Const(it) => &it.attrs,
        syn::Item::Static(it) => &it.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|argument| argument == "test")
    })
}

/// Every path of names in tokens, macros' arguments included, with its line.
fn paths(tokens: TokenStream, left_out: &[Part]) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    let mut open = vec![tokens];
    while let Some(tokens) = open.pop() {
        let tokens: Vec<TokenTree> = tokens
            .into_iter()
            .filter(|token| {
                let at = token.span().start();
                !left_out.iter().any(|(start, end)| *start <= at && at < *end)
            })
            .collect();
        let is_mark = |at: usize, mark: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == mark);
        let is_joined = |at: usize| is_mark(at, ':') && is_mark(at + 1, ':');
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group)
                    if group.delimiter() != Delimiter::None || !group.stream().is_empty() =>
                {
                    open.push(group.stream());
                }
                TokenTree::Ident(first) => {
                    let mut segments = vec![first.to_string()];
                    while is_joined(at + 1) {
                        let Some(TokenTree::Ident(next)) = tokens.get(at + 3) else { break };
                        segments.push(next.to_string());
                        at += 3;
                    }
                    if is_mark(at + 1, '!') && !is_mark(at + 2, '=') {
                        segments.last_mut().expect("it has a first").push('!');
                    }
                    found.push((segments, first.span().start().line));
                }
                _ => {}
            }
            at += 1;
        }
    }
    found
}

/// A path from its root on, as far as the imports of its file tell.
fn resolve(path: Vec<String>, module: &[String], imports: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let supers = path.iter().take_while(|segment| *segment == "super" || *segment == "self").count();
    if supers > 0 {
        let up = path[..supers].iter().filter(|segment| *segment == "super").count();
        let kept = &module[..module.len().saturating_sub(up)];
        return [&["crate".to_owned()], kept, &path[supers..]].concat();
    }
    match imports.get(&path[0]) {
        Some(start) => [start.as_slice(), &path[1..]].concat(),
        None => path,
    }
}

/// The module that a file is, from the root of the crate on.
fn module_of(path: &str) -> Vec<String> {
    let stem = path.trim_start_matches("src/").trim_end_matches(".rs");
    let parts = stem.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main"));
    parts.map(str::to_owned).collect()
}

/// Where the files of a file's own modules lie.
fn folder_of_module(path: &str) -> String {
    let stem = path.trim_end_matches(".rs");
    let own = ["/mod", "/lib", "/main"].iter().find_map(|name| stem.strip_suffix(name));
    own.unwrap_or(stem).to_owned()
}
