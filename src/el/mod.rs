//! The expression language of JSP as Oozie uses it: templates, expressions, values, evaluation.
//!
//! Knows nothing about Oozie: functions and variables are arguments.
