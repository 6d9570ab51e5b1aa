//! `[run.notification]`, `[run.email]` and `[run.ssh]` of `ankus.toml`: what a server's `oozie-site.xml` says of whom it
//! talks to.
//!
//! Holds no secret: a password is named by the environment variable that has it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where what is run sends something outward.
#[derive(Clone, Debug, Default)]
pub struct Outward {
    /// Notifications by HTTP.
    pub notification: NotificationConfig,
    /// The mail server, when there is one.
    pub email: Option<EmailConfig>,
    /// How `ssh` connects.
    pub ssh: SshConfig,
}

/// `[run.notification]`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct NotificationConfig {
    /// The proxy of jobs that name none (`oozie.notification.proxy`): `host:port`, `http@host:port`, `socks@host:port`.
    pub proxy: Option<String>,
    /// How long a listener has to answer, in milliseconds (`oozie.notification.url.connection.timeout`).
    pub timeout_ms: u64,
    /// How often one that did not take a notification is asked again (`NotificationXCommand.MAX_RETRIES`).
    pub retries: u32,
    /// How long is waited before that, in seconds (`NotificationXCommand.handleRetry`).
    pub retry_seconds: u32,
}

impl Default for NotificationConfig {
    fn default() -> NotificationConfig {
        NotificationConfig { proxy: None, timeout_ms: 10_000, retries: 3, retry_seconds: 60 }
    }
}

/// `[run.email]`; names and defaults as in `oozie.email.*`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EmailConfig {
    /// The mail server (`smtp.host`).
    pub host: String,
    /// Its port (`smtp.port`).
    #[serde(default = "smtp_port")]
    pub port: u16,
    /// Whether to log in (`smtp.auth`).
    #[serde(default)]
    pub auth: bool,
    /// As whom (`smtp.username`).
    #[serde(default)]
    pub username: String,
    /// The environment variable that holds the password (`smtp.password`).
    pub password_env: Option<String>,
    /// From whom mail comes (`from.address`).
    #[serde(default = "from")]
    pub from: String,
    /// Whether the connection must be secured by STARTTLS (`smtp.starttls.enable`).
    #[serde(default)]
    pub starttls: bool,
    /// A PEM file with the certificate of whoever vouches for the server, besides those that are known.
    pub certificate: Option<PathBuf>,
    /// How long the server has to answer, in milliseconds (`smtp.socket.timeout.ms`).
    #[serde(default = "smtp_timeout")]
    pub timeout_ms: u64,
    /// Whether attachments are sent (`attachment.enabled`).
    #[serde(default = "yes")]
    pub attachments: bool,
}

fn smtp_port() -> u16 {
    25
}

fn from() -> String {
    "oozie@localhost".to_owned()
}

fn smtp_timeout() -> u64 {
    10_000
}

fn yes() -> bool {
    true
}

/// `[run.ssh]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SshConfig {
    /// Options of `ssh -o`, such as `StrictHostKeyChecking=accept-new`.
    pub options: Vec<String>,
    /// The port, unless ssh's own configuration says so.
    pub port: Option<u16>,
    /// The file of the private key, relative to the folder of `ankus.toml`.
    pub identity: Option<PathBuf>,
    /// Whether an action may name another user than the job's (`oozie.action.ssh.allow.user.at.host`).
    pub allow_user_at_host: bool,
}

impl Default for SshConfig {
    fn default() -> SshConfig {
        SshConfig { options: Vec::new(), port: None, identity: None, allow_user_at_host: true }
    }
}
