//! Notifications: on disk as chores from the moment that they are due, taken off when a listener has taken them or when it
//! was asked often enough in vain.
//!
//! So each is delivered at least once, or told as given up. None changes a job.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::Executor;
use crate::analysis::secrets::{veiled, veiled_address};
use crate::engine::Command;
use crate::execute::news::News;
use crate::execute::post::{Letter, Post, Refusal};
use crate::shell::config::outward::NotificationConfig;
use crate::time::Instant;

/// The first line of a chore that is a notification.
const NOTIFY: &str = "notify";

/// The notifications of an executor that are not delivered yet.
pub(super) struct Notices {
    config: NotificationConfig,
    post: Post,
    /// What is under way or waits, and how often it was sent.
    open: BTreeMap<i64, (Letter, u32)>,
    /// When what was not taken is sent again.
    later: BTreeSet<(Instant, i64)>,
}

impl Notices {
    /// None yet.
    pub(super) fn new(config: NotificationConfig, news: Sender<News>) -> Notices {
        let post = Post::new(Duration::from_millis(config.timeout_ms), news);
        Notices { config, post, open: BTreeMap::new(), later: BTreeSet::new() }
    }

    /// Whether all are delivered or given up.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// When one is sent again.
    pub(super) fn next(&self) -> Option<Instant> {
        self.later.first().map(|(at, _)| *at)
    }

    /// Whether a listener is being asked.
    pub(super) fn is_under_way(&self) -> bool {
        self.open.len() > self.later.len()
    }

    /// Takes in a chore; false when it is no notification.
    pub(super) fn take(&mut self, number: i64, body: &str) -> bool {
        let mut lines = body.split('\n');
        if lines.next() != Some(NOTIFY) {
            return false;
        }
        if self.open.contains_key(&number) {
            return true;
        }
        let url = lines.next().unwrap_or_default().to_owned();
        let proxy = lines.next().map(str::to_owned).or_else(|| self.config.proxy.clone());
        let letter = Letter { number, url, proxy };
        self.open.insert(number, (letter.clone(), 1));
        self.post.send(letter);
        true
    }

    /// Lets letters be sent again after as long as they were to, though the clock was set.
    pub(super) fn keep_spans(&mut self, millis: i64) {
        self.later = self.later.iter().map(|(at, number)| (at.plus_millis(millis), *number)).collect();
    }

    /// Sends again what is due.
    pub(super) fn pass(&mut self, now: Instant) {
        while let Some((at, number)) = self.later.first().copied()
            && at <= now
        {
            self.later.remove(&(at, number));
            if let Some((letter, times)) = self.open.get_mut(&number) {
                *times += 1;
                self.post.send(letter.clone());
            }
        }
    }

    /// Hears what became of one: whether it is done with, and what is to be told.
    fn hear(&mut self, number: i64, outcome: Result<(), Refusal>, now: Instant) -> (bool, Option<String>) {
        let Some((letter, times)) = self.open.get(&number) else { return (false, None) };
        let Err(refusal) = outcome else {
            self.open.remove(&number);
            return (true, None);
        };
        let url = veiled_address(&letter.url);
        let words = veiled(None, &refusal.words.replace(&letter.url, &url)).into_owned();
        if refusal.is_final || *times > self.config.retries {
            let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
            self.open.remove(&number);
            return (true, Some(format!("could not send notification [{url}], asked {times}: {words}")));
        }
        let seconds = self.config.retry_seconds;
        self.later.insert((now.plus_millis(i64::from(seconds) * 1000), number));
        (
            false,
            Some(format!("notification [{url}] was not taken, and is sent again in {seconds} s: {words}")),
        )
    }
}

/// A notification as a chore. A line break in an address is none.
pub(super) fn chore(command: &Command) -> Option<String> {
    let Command::Notify { url, proxy } = command else { return None };
    let line = |text: &str| text.replace(['\n', '\r'], "");
    let mut body = format!("{NOTIFY}\n{}", line(url.trim()));
    if let Some(proxy) = proxy {
        body.push('\n');
        body.push_str(&line(proxy));
    }
    Some(body)
}

impl<'x> Executor<'x> {
    /// Lets somebody hear what is said besides what happens to jobs.
    pub fn remark_to(&mut self, listener: &'x mut dyn FnMut(&str)) {
        self.remark = Some(listener);
    }

    /// A listener has taken a notification, or not.
    pub(super) fn notified(&mut self, number: i64, outcome: Result<(), Refusal>) {
        let now = self.clock.now();
        let (is_done, words) = self.notices.hear(number, outcome, now);
        if is_done {
            self.batch.done.push(number);
        }
        if let Some(words) = words {
            self.say(&words);
        }
    }

    /// Says something to whoever hears of it, with stars for secrets.
    pub(super) fn say(&mut self, words: &str) {
        if let Some(remark) = &mut self.remark {
            remark(&self.secrets.veil().text(words));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn what_is_not_taken_waits_a_minute_three_times() {
        let (sender, _news) = channel();
        let mut notices = Notices::new(NotificationConfig::default(), sender);
        // The post refuses it for good; what is heard of it here is made up.
        assert!(notices.take(7, "notify\nnowhere?token=abc123\nsocks@p:1"));
        assert!(notices.take(7, "notify\nnowhere") && notices.open.len() == 1, "it is taken in once");
        assert!(!notices.take(8, "clean\nhdfs://nn/x"));
        let mut now = Instant::EPOCH;
        for _ in 0..3 {
            assert!(notices.is_under_way() && notices.next().is_none());
            let refusal = Refusal { words: "no".to_owned(), is_final: false };
            let (is_done, words) = notices.hear(7, Err(refusal), now);
            let words = words.expect("something is told");
            assert!(!is_done && !notices.is_under_way(), "{words}");
            assert!(words.contains("sent again in 60 s") && !words.contains("abc123"), "{words}");
            assert_eq!(notices.next(), Some(now.plus_millis(60_000)));
            notices.pass(now.plus_millis(59_999));
            assert!(!notices.is_under_way());
            now = now.plus_millis(60_000);
            notices.pass(now);
        }
        let refusal = Refusal { words: "no".to_owned(), is_final: false };
        let (is_done, words) = notices.hear(7, Err(refusal), now);
        assert!(is_done && notices.is_empty() && words.is_some_and(|words| words.contains("asked 4 times")));
    }
}
