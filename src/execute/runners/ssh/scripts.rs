//! What runs on the other machine: lines for its `sh`, with nothing but what POSIX has and what is looked for first.
//!
//! Each gets the mark of the attempt as `$0`, and works in the folder `.MARK` of the user's home. In it `begun` is made by
//! whoever begins the command, which only one can; `pid` holds the number of whoever watches over it and the process group,
//! `stdout` and `stderr` what it writes, and `code`, renamed into its place, how it ended. Scripts are one line each and hold
//! no exclamation mark, since every shell that a user may have there reads them first.

/// Whether a process is the one that watches over the command, and not another that got its number since.
macro_rules! lives {
    () => {
        "lives() { if [ -r \"/proc/$1/cmdline\" ]; then tr '\\0' ' ' <\"/proc/$1/cmdline\" | grep -F \"$m\" >/dev/null; \
         elif command -v ps >/dev/null 2>&1; then ps -o args= -p \"$1\" 2>/dev/null | grep -F \"$m\" >/dev/null; \
         else kill -0 \"$1\" 2>/dev/null; fi; }; "
    };
}

/// Makes the folder, which nobody else may look into.
macro_rules! folder {
    () => {
        "[ -d \"$d\" ] || (umask 077; mkdir \"$d\") || [ -d \"$d\" ]"
    };
}

/// Runs the words behind the folder, once whoever tries, and writes down how they ended. It outlives a polite end of its
/// process group, so that this is known too.
pub(super) const WRAPPER: &str = "d=$1; shift; mkdir \"$d/begun\" 2>/dev/null || exit 0; trap : TERM HUP; \
    : >\"$d/stdout\"; : >\"$d/stderr\"; g=$(ps -o pgid= -p $$ 2>/dev/null || echo $$); \
    echo $$ $g >\"$d/pid.new\"; mv \"$d/pid.new\" \"$d/pid\"; \
    \"$@\" </dev/null >>\"$d/stdout\" 2>>\"$d/stderr\"; \
    echo $? >\"$d/code.new\"; mv \"$d/code.new\" \"$d/code\"";

/// Starts the command, where that is asked for, and tells all of it: `start` or `follow`, how much of both streams is known,
/// the wrapper, and the words. What it says are lines behind the mark; behind `stdout 5` follow five bytes of it.
pub(super) const FOLLOW: &str = concat!(
    "m=$0; s=$1; o=$2; e=$3; w=$4; shift 4; d=$HOME/.$m; echo; echo \"$m here\"; ",
    lives!(),
    // Most commands are short, so the first looks come soon.
    "nap() { h=$((h+1)); if [ $h -lt 20 ]; then t=0.1; elif [ $h -lt 60 ]; then t=0.5; else t=2; fi; \
     sleep $t 2>/dev/null || sleep 1; }; ",
    "if [ \"$s\" = start ]; then ",
    folder!(),
    " || { echo \"$m unmade\"; exit 0; }; \
     if [ -d \"$d/begun\" ]; then :; \
     elif command -v setsid >/dev/null 2>&1; then setsid sh -c \"$w\" \"$m\" \"$d\" \"$@\" </dev/null >/dev/null 2>&1 & \
     else sh -c \"$w\" \"$m\" \"$d\" \"$@\" </dev/null >/dev/null 2>&1 & fi; fi; ",
    "h=0; until [ -s \"$d/pid\" ]; do [ -d \"$d\" ] || { echo \"$m gone\"; exit 0; }; \
     if [ $h -gt 70 ]; then if mkdir \"$d/begun\" 2>/dev/null; then rm -rf \"$d\"; echo \"$m never\"; else echo \"$m lost\"; fi; exit 0; fi; \
     nap; done; ",
    "read p g <\"$d/pid\"; echo \"$m begun $g\"; exec 3<\"$d/stdout\" 4<\"$d/stderr\"; ",
    "[ \"$o\" = 0 ] || dd bs=1 skip=\"$o\" count=0 <&3 >/dev/null 2>&1; ",
    "[ \"$e\" = 0 ] || dd bs=1 skip=\"$e\" count=0 <&4 >/dev/null 2>&1; ",
    "send() { z=$(wc -c <\"$d/$1\"); z=$((z)); [ $z -gt $2 ] || z=$2; k=$((z-$2)); \
     while [ $k -gt 0 ]; do n=$k; [ $n -le 65536 ] || n=65536; echo \"$m $1 $n\"; \
     dd bs=$n count=1 2>/dev/null; k=$((k-n)); done; }; ",
    "h=0; while :; do r=; if [ -f \"$d/code\" ]; then r=over; elif lives \"$p\"; then :; \
     elif [ -f \"$d/code\" ]; then r=over; else r=lost; fi; \
     send stdout $o <&3; o=$z; send stderr $e <&4; e=$z; ",
    "case $r in over) read c <\"$d/code\"; echo \"$m over $c\"; exit 0;; lost) echo \"$m lost\"; exit 0;; esac; ",
    // Whoever speaks to nobody ends by that.
    "[ $((h%8)) -gt 0 ] || echo \"$m still\"; nap; done",
);

/// Ends the whole group with the signal behind it, or sees to it that nothing begins.
pub(super) const KILL: &str = concat!(
    "m=$0; d=$HOME/.$m; ",
    lives!(),
    folder!(),
    " || exit 1; if mkdir \"$d/begun\" 2>/dev/null; then exit 0; fi; \
     h=0; until [ -s \"$d/pid\" ]; do h=$((h+1)); [ $h -lt 5 ] || exit 1; sleep 1; done; \
     [ -f \"$d/code\" ] && exit 0; read p g <\"$d/pid\"; lives \"$p\" || exit 0; kill -\"$1\" -\"$g\"",
);

/// Removes the folder.
pub(super) const CLEAN: &str = "rm -rf \"$HOME/.$0\"";

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::super::heard::{End, Heard, Stream};
    use super::*;

    /// Lets a shell run a script in a home: whether it ended well, and what it said.
    fn told(shell: &[&str], home: &Path, script: &str, words: &[&str]) -> (bool, Vec<u8>) {
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", script, "ankus-test"]).args(words).env("HOME", home);
        let output = command.output().expect("the shell runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{shell:?}");
        (output.status.success(), output.stdout)
    }

    fn heard(said: &[u8]) -> (Heard, String, String) {
        let mut heard = Heard::new("ankus-test");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        heard
            .take(said, &mut |stream, bytes| {
                match stream {
                    Stream::Out => out.extend_from_slice(bytes),
                    Stream::Err => err.extend_from_slice(bytes),
                }
                Ok(())
            })
            .expect("memory takes everything");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (heard, text(out), text(err))
    }

    #[test]
    fn commands_run_once_and_are_told_again_in_every_shell() {
        for shell in [&["sh"][..], &["bash", "--posix"], &["dash"], &["busybox", "sh"]] {
            if Command::new(shell[0]).args(&shell[1..]).args(["-c", "true"]).status().is_err() {
                continue;
            }
            let home = std::env::temp_dir().join(format!("ankus-ssh-{}-{}", shell[0], std::process::id()));
            let _ = std::fs::remove_dir_all(&home);
            std::fs::create_dir_all(&home).expect("a folder");
            let command = "echo once >>\"$HOME/marks\"; printf 'a b\\n$(x)'; printf '%070000d' 7 >&2; exit 3";
            let start = |from: &str, out: &str, err: &str| {
                let words = [from, out, err, WRAPPER, "sh", "-c", command];
                let (is_well, said) = told(shell, &home, FOLLOW, &words);
                assert!(is_well, "{shell:?}");
                heard(&said)
            };
            let zeros = format!("{}7", "0".repeat(69_999));
            let (known, out, err) = start("start", "0", "0");
            assert_eq!((known.end, out.as_str()), (Some(End::Over(3)), "a b\n$(x)"), "{shell:?}");
            assert!(known.group.is_some() && err == zeros, "{shell:?}: {}", err.len());
            // Whoever comes later hears what is not known, and nothing is begun twice.
            let (known, out, err) = start("start", "4", "69999");
            assert_eq!(
                (known.end, out.as_str(), err.as_str()),
                (Some(End::Over(3)), "$(x)", "7"),
                "{shell:?}"
            );
            assert_eq!(told(shell, &home, KILL, &["TERM"]), (true, Vec::new()), "{shell:?}");
            let marks = std::fs::read_to_string(home.join("marks")).expect("marks");
            assert_eq!(marks, "once\n", "{shell:?}");
            assert_eq!(told(shell, &home, CLEAN, &[]), (true, Vec::new()), "{shell:?}");
            let (known, ..) = start("follow", "0", "0");
            assert_eq!(known.end, Some(End::Gone), "{shell:?}");
            // What was killed before does not begin.
            assert_eq!(told(shell, &home, KILL, &["TERM"]), (true, Vec::new()), "{shell:?}");
            let left: Vec<_> = std::fs::read_dir(home.join(".ankus-test")).expect("a folder").collect();
            assert_eq!(left.len(), 1, "{shell:?}: {left:?}");
            std::fs::remove_dir_all(&home).expect("it goes");
        }
    }
}
