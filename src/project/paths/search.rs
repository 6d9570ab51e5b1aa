//! The search for the file that a path means, one kind of evidence after the other.

use super::segments::{Fit, Known, Oddity, fit, is_plural, names, nearness};
use super::{Evidence, Layout, Lead, Near, Target, depth_below, joined, one_of, target};
use crate::analysis::parameters::AppKind;
use crate::analysis::project::Kind;
use crate::project::files::{name, parent};

/// A file that fits a path more or less.
struct Candidate<'l> {
    path: &'l String,
    fit: Fit,
    /// The names that were held against the path: those of the file, or of its folder.
    ours: Vec<&'l str>,
}

impl Candidate<'_> {
    /// How well a slip explains the path: names in common, then how usual the slip is.
    fn rank(&self) -> (usize, Option<Oddity>) {
        let (oddity, after) = self.fit.oddity.unzip();
        let right = match oddity {
            Some(Oddity::Swapped) => 2,
            Some(Oddity::Misspelt) => 1,
            _ => 0,
        };
        (self.fit.same + after.unwrap_or(0) + right, oddity)
    }
}

impl Layout {
    /// The files whose end is that of the path, as a file or as its folder.
    pub(super) fn by_end(&self, uri: &str, known: &Known<'_>, kind: Kind, near: Near<'_>) -> Option<Target> {
        let least = if known.names_file() { 2 } else { 1 };
        let accepted = |fit: &Fit| fit.same >= least || (fit.is_whole && fit.same > 0);
        let mut fitting = self.candidates(known, kind, known.names_file());
        fitting.retain(|candidate| accepted(&candidate.fit));
        let best = fitting.iter().map(|candidate| candidate.fit.same).max()?;
        fitting.retain(|candidate| candidate.fit.same == best);
        // A folder that many have in common says nothing.
        if best == 1 && !known.names_file() && folders(&fitting) > MAX_FOLDERS {
            return None;
        }
        let chosen = match self.choose(&fitting, kind, known, near) {
            Ok(chosen) => chosen,
            Err(paths) => return Some(Target::Ambiguous(paths)),
        };
        let path = chosen.path.clone();
        let candidate = fitting.into_iter().find(|candidate| *candidate.path == path)?;
        let fit = candidate.fit;
        let is_known = !uri.contains("${");
        let is_whole = (fit.is_whole && (fit.same > 1 || is_known)) || (fit.is_all_of_ours && fit.same > 1);
        let evidence = match fit.same {
            _ if is_whole => Evidence::Whole,
            1 if self.is_own(&path, near) => Evidence::Own,
            1 => Evidence::Folder,
            _ => Evidence::Partial,
        };
        let lead = match fit.oddity.map(|(oddity, _)| oddity) {
            Some(Oddity::Misspelt) if self.is_misspelt(known, &candidate) => self.slip(uri, candidate),
            Some(Oddity::Lacking) if self.is_wrapped(&candidate) => Lead::of(&path, evidence),
            Some(Oddity::Swapped | Oddity::Doubled | Oddity::Lacking) => self.slip(uri, candidate),
            Some(Oddity::Extra) if fit.same == 1 && !is_whole => Lead::of(&path, Evidence::Layout),
            _ => Lead::of(&path, evidence),
        };
        let mut lead = chosen.weigh(lead);
        // Of what stands above the last folder, all of it speaks against each of them.
        let contradicts = fit.same == 1 && known.names.len() > 1;
        if lead.evidence == Evidence::Nearest && contradicts {
            lead.evidence = Evidence::Elsewhere;
        }
        Some(Target::File(lead))
    }

    /// Whether a file lies in the folder of whoever names the path or below it; of the project's own folder, where
    /// everything lies, only what is in it or in a folder in it.
    fn is_own(&self, path: &str, near: Near<'_>) -> bool {
        let is_root = near.folder.is_empty() || near.folder == self.root;
        depth_below(path, near.folder).is_some_and(|depth| depth <= 1 || !is_root)
    }

    /// The file that a path with one slip leads to.
    pub(super) fn by_slip(&self, uri: &str, known: &Known<'_>, kind: Kind, near: Near<'_>) -> Option<Target> {
        let (best, fitting) = self.slips(known, kind, near)?;
        let chosen = match self.choose(&fitting, kind, known, near) {
            Ok(chosen) => chosen,
            Err(paths) => return Some(Target::Ambiguous(paths)),
        };
        let path = chosen.path.clone();
        let candidate = fitting.into_iter().find(|candidate| *candidate.path == path)?;
        let lead = match best {
            Some(Oddity::Extra) => Lead::of(&path, Evidence::Layout),
            Some(Oddity::Lacking | Oddity::Swapped) if self.is_wrapped(&candidate) => {
                Lead::of(&path, Evidence::Layout)
            }
            _ => self.slip(uri, candidate),
        };
        Some(Target::File(chosen.weigh(lead)))
    }

    /// Whether what the path lacks is a folder that many apps keep their definition in.
    fn is_wrapped(&self, candidate: &Candidate<'_>) -> bool {
        let folder = candidate.ours.iter().rev().nth(candidate.fit.same);
        folder.is_some_and(|folder| self.wrappers.contains(*folder))
    }

    /// The path that is meant where nothing lies at the place that a mapping names.
    pub(super) fn slip_below(&self, uri: &str, folder: &str, rest: &str, kind: Kind) -> Option<String> {
        let path = joined(folder, rest)?;
        let known = Known { names: names(&path), is_cut: false, is_open: false };
        let (_, fitting) = self.slips(&known, kind, Near::default())?;
        let mut fitting =
            fitting.into_iter().filter(|candidate| depth_below(candidate.path, folder).is_some());
        let candidate = fitting.next()?;
        let is_within = candidate.fit.replaced.0 <= names(rest).len();
        if fitting.next().is_some() || !is_within { None } else { self.slip(uri, candidate).suggestion }
    }

    /// The files that one slip explains best, and that slip.
    fn slips(
        &self,
        known: &Known<'_>,
        kind: Kind,
        near: Near<'_>,
    ) -> Option<(Option<Oddity>, Vec<Candidate<'_>>)> {
        let mut all = self.candidates(known, kind, known.names_file());
        if !known.names_file() {
            // The name of a file may have lost its ending.
            let mut as_files = self.candidates(known, kind, true);
            as_files
                .retain(|candidate| candidate.fit.same == 0 && candidate.rank().1 == Some(Oddity::Misspelt));
            all.extend(as_files);
        }
        all.retain(|candidate| {
            let (same, fit) = (candidate.fit.same, &candidate.fit);
            Some(candidate.path.as_str()) != near.file
                && match fit.oddity {
                    Some((Oddity::Misspelt, after)) => {
                        let is_alone = (known.names.len() == 1 && known.is_open)
                            || parent(candidate.path) == near.folder;
                        // A short name alone is near to too many.
                        let is_long = known.names.last().is_some_and(|last| last.len() > 4);
                        let is_folder =
                            is_long && candidate.ours.last().is_some_and(|last| !last.ends_with(".xml"));
                        self.is_misspelt(known, candidate) && (same + after > 0 || is_alone || is_folder)
                    }
                    Some((Oddity::Swapped | Oddity::Doubled, _)) => true,
                    Some((Oddity::Lacking, after)) => same + after > 1 || (same == 0 && after > 0),
                    Some((Oddity::Extra, after)) => same > 0 && after > 0,
                    None => false,
                }
        });
        let best = all.iter().map(Candidate::rank).max()?;
        all.retain(|candidate| candidate.rank() == best);
        Some((best.1, all))
    }

    /// The file in the folder of the path, which holds none of the name in it.
    pub(super) fn by_folder(
        &self,
        uri: &str,
        known: &Known<'_>,
        kind: Kind,
        near: Near<'_>,
    ) -> Option<Target> {
        let last = known.names.last().filter(|_| known.names_file())?;
        let mut fitting = self.candidates(
            &Known { names: known.names[..known.names.len() - 1].to_vec(), ..known.clone() },
            kind,
            false,
        );
        fitting.retain(|candidate| candidate.fit.same > 0 && Some(candidate.path.as_str()) != near.file);
        let best = fitting.iter().map(|candidate| candidate.fit.same).max()?;
        fitting.retain(|candidate| candidate.fit.same == best);
        let is_one = fitting.windows(2).all(|pair| parent(pair[0].path) == parent(pair[1].path));
        // A name that stands elsewhere in the project says more than the folder.
        if !is_one || (!is_usual(last) && self.names.contains(*last)) {
            return None;
        }
        Some(match self.choose(&fitting, kind, known, near) {
            Ok(chosen) => {
                let suggestion = Some(replaced(uri, 1, &[name(&chosen.path)]));
                let lead = Lead { suggestion, ..Lead::of(&chosen.path, Evidence::OtherName) };
                Target::File(chosen.weigh(lead))
            }
            Err(paths) => Target::Ambiguous(paths),
        })
    }

    /// The file that alone has the name in the path.
    pub(super) fn by_file_name(&self, known: &Known<'_>, kind: Kind, near: Near<'_>) -> Option<Target> {
        let last = known.names.last().filter(|last| known.names_file() && !is_usual(last))?;
        let mut fitting = self.candidates(known, kind, true);
        fitting
            .retain(|candidate| name(candidate.path) == *last && Some(candidate.path.as_str()) != near.file);
        if fitting.is_empty() {
            return None;
        }
        Some(match self.choose(&fitting, kind, known, near) {
            Ok(chosen) => Target::File(chosen.weigh(Lead::of(&chosen.path, Evidence::FileName))),
            Err(paths) => Target::Ambiguous(paths),
        })
    }

    /// The file that lies beside the one that names the path, or below it where that is no definition.
    pub(super) fn beside(&self, known: &Known<'_>, kind: Kind, near: Near<'_>) -> Option<Target> {
        let file = near.file?;
        let own = self.files.get(file).copied().filter(|own| own.is_app_file());
        if own == Some(kind) || (own.is_some() && known.names.is_empty()) {
            return None;
        }
        let levels = self.files.iter().filter(|(_, found)| **found == kind);
        let levels = levels.filter_map(|(path, _)| Some((depth_below(path, near.folder)?, path)));
        let levels: Vec<_> = levels.filter(|(depth, _)| own.is_none() || *depth == 0).collect();
        let least = levels.iter().map(|(depth, _)| *depth).min()?;
        let paths = levels.into_iter().filter(|(depth, _)| *depth == least).map(|(_, path)| path);
        let evidence = if known.names.is_empty() { Evidence::Open } else { Evidence::Beside };
        match one_of(paths.collect(), kind, &called(known, near)) {
            // A definition lies among others by chance.
            Err(_) if own.is_some() => None,
            chosen => Some(target(chosen, evidence)),
        }
    }

    /// All files of a kind, held against a path as files or as the folders that they lie in.
    fn candidates<'l>(&'l self, known: &Known<'_>, kind: Kind, as_file: bool) -> Vec<Candidate<'l>> {
        if known.names.is_empty() {
            return Vec::new();
        }
        let files = self.files.iter().filter(|(_, found)| **found == kind);
        files
            .filter_map(|(path, _)| {
                let mut ours = self.own_names(path);
                if !as_file {
                    ours.pop();
                }
                (!ours.is_empty()).then(|| Candidate { path, fit: fit(known, &ours), ours })
            })
            .collect()
    }

    /// Whether the name where the two part is a slip: not one that stands for itself, and more than a plural where the
    /// rest agrees.
    fn is_misspelt(&self, known: &Known<'_>, candidate: &Candidate<'_>) -> bool {
        let same = candidate.fit.same;
        let (their, our) = (known.names.iter().rev().nth(same), candidate.ours.iter().rev().nth(same));
        let (Some(their), Some(our)) = (their, our) else { return false };
        !self.names.contains(*their) && nearness(their, our).is_some() && !(is_plural(their, our) && same > 0)
    }

    fn slip(&self, uri: &str, candidate: Candidate<'_>) -> Lead {
        let (oddity, _) = candidate.fit.oddity.unzip();
        let (theirs, ours) = candidate.fit.replaced;
        let tail = &candidate.ours[candidate.ours.len() - ours..];
        let evidence = if oddity == Some(Oddity::Lacking) { Evidence::Lacking } else { Evidence::Misspelt };
        let suggestion = (ours > 0).then(|| replaced(uri, theirs, tail));
        Lead { suggestion, ..Lead::of(candidate.path, evidence) }
    }

    /// The only one of equally good candidates: by its name in one folder, else the nearest to whoever names the path.
    fn choose(
        &self,
        fitting: &[Candidate<'_>],
        kind: Kind,
        known: &Known<'_>,
        near: Near<'_>,
    ) -> Result<Chosen, Vec<String>> {
        let called = called(known, near);
        let paths: Vec<&String> = fitting.iter().map(|candidate| candidate.path).collect();
        let paths = match one_of(paths, kind, &called) {
            Ok(path) => return Ok(Chosen { path, others: Vec::new(), is_below: true }),
            Err(paths) => paths,
        };
        let mut folder = Some(near.folder);
        while let Some(level) = folder {
            let close: Vec<_> = paths.iter().filter(|path| depth_below(path, level).is_some()).collect();
            if !close.is_empty() {
                let path = one_of(close, kind, &called).map_err(|_| paths.clone())?;
                // The folder of whoever names the path is evidence of its own.
                let is_own = parent(&path) == near.folder && !near.folder.is_empty();
                let others = paths.into_iter().filter(|other| *other != path && !is_own).collect();
                return Ok(Chosen { path, others, is_below: level == near.folder });
            }
            folder = level.rsplit_once('/').map(|(above, _)| above);
        }
        Err(paths)
    }
}

/// One of several candidates.
struct Chosen {
    path: String,
    /// Those that fit as well.
    others: Vec<String>,
    /// Among these it alone lies below the folder of whoever names the path.
    is_below: bool,
}

impl Chosen {
    /// The lead to it: where others fit as well, nearness is what decides, unless weaker evidence is needed anyway.
    fn weigh(&self, lead: Lead) -> Lead {
        if self.others.is_empty() {
            return lead;
        }
        let evidence = if self.is_below { Evidence::Below } else { Evidence::Nearest };
        let weaker = [lead.evidence, evidence].into_iter().max_by_key(|it| it.confidence());
        Lead { evidence: weaker.unwrap_or(evidence), others: self.others.clone(), ..lead }
    }
}

/// A last folder that more folders have is no evidence.
const MAX_FOLDERS: usize = 3;

/// In how many folders candidates lie.
fn folders(fitting: &[Candidate<'_>]) -> usize {
    let folders: std::collections::BTreeSet<_> =
        fitting.iter().map(|candidate| parent(candidate.path)).collect();
    folders.len()
}

/// What a file may be called by: the last name of the path, and the file that names it.
fn called<'a>(known: &Known<'a>, near: Near<'a>) -> Vec<&'a str> {
    let own = near.file.map(|file| name(file).rsplit_once('.').map_or(name(file), |(stem, _)| stem));
    known.names.last().copied().into_iter().chain(own).collect()
}

/// Whether servers look for a file of this name, so that many folders have one.
fn is_usual(name: &str) -> bool {
    AppKind::ALL.iter().any(|kind| kind.definition_file() == name)
}

/// A URI with other names at its end.
fn replaced(uri: &str, count: usize, tail: &[&str]) -> String {
    let mut rest = uri.trim_end_matches('/');
    for _ in 0..count {
        rest = rest.rsplit_once('/').map_or("", |(rest, _)| rest).trim_end_matches('/');
    }
    let tail = tail.join("/");
    if rest.is_empty() && !uri.starts_with('/') { tail } else { format!("{rest}/{tail}") }
}
