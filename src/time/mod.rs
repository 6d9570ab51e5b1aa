//! Instants, zones, calendar arithmetic as `java.util.Calendar` does it, datetime formats, cron. Never reads a clock.
