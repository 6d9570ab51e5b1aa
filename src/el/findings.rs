//! The kinds of findings that expressions give.

use crate::diag::{Group, Info, Severity, Stage};

/// The expression does not parse.
pub static EL_SYNTAX: Info = Info {
    name: "el-syntax",
    group: Group::Expression,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1004"],
    explanation: "An expression does not parse.\n\n\
        The text between `${` and `}` is JSP EL: names, numbers, quoted text, function calls, operators, `a ? b : c`.\n\
        Lists, maps, lambdas, assignments and `+=` are refused here although the server's engine would take them:\n\
        nobody means them. To print `${` itself, write `\\${`.",
};

/// The expression is nested too deeply to be read.
pub static EL_TOO_DEEP: Info = Info {
    name: "el-too-deep",
    group: Group::Expression,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1004"],
    explanation: "An expression is nested deeper than can be read.\n\n\
        Brackets, choices within choices and operators before operators count.\n\
        A server has no fixed limit, but its stack ends as well.",
};

/// No such function.
pub static EL_FUNCTION_UNKNOWN: Info = Info {
    name: "el-function-unknown",
    group: Group::Expression,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1004"],
    explanation: "An expression calls a function that does not exist.\n\nCase counts: `wf:actionData`, `coord:dataIn`.",
};

/// The function exists, but not here.
pub static EL_FUNCTION_CONTEXT: Info = Info {
    name: "el-function-context",
    group: Group::Expression,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1004"],
    explanation: "An expression calls a function that does not exist at this place.\n\n\
        A server evaluates expressions in phases, and each phase has its own functions: those of workflows are unknown\n\
        in coordinators, and an instance function such as `coord:current` is unknown outside `instance` elements.",
};

/// Wrong number or type of arguments.
pub static EL_ARGUMENTS: Info = Info {
    name: "el-arguments",
    group: Group::Expression,
    severity: Severity::Error,
    stage: Some(Stage::Submit),
    mirrors: &["E1004"],
    explanation: "A function is called with the wrong number of arguments, or with one of the wrong type, or an operator \
        has an operand that it cannot take.\n\n\
        `!1`, `true == 1`, `5 % 0` and `'2.5' gt 5` end in an exception whenever they are evaluated. `not`, `and` and `or` take \
        booleans and text; beside a whole number, text must be a whole number.",
};
