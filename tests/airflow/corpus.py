"""Exports every workflow in and below a folder, values made up where none are given, and has Airflow compare the outcomes.

    ANKUS=target/debug/ankus AIRFLOW/bin/python tests/airflow/corpus.py FOLDER OUTPUT

Prints how many were refused, exported, imported and agree, and every difference that is no listed loss.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ANKUS = os.environ.get("ANKUS", "target/debug/ankus")
TEST = Path(__file__).parents[2] / "src/export/airflow/test_export.py"
MISSING = [
    re.compile(r"supply it with `-D ([^=`]+)=…`"),
    re.compile(r"parameter `([^`]+)` is (?:not|nowhere)"),
]


def export(app, folder):
    """Export an app, with a value for each parameter that turns out to be missing; say whether it was."""
    given = {"user.name": "alice"}
    for _ in range(8):
        command = [ANKUS, "export", "airflow", str(app), "-o", str(folder), "-q"]
        for name, value in given.items():
            command += ["-D", f"{name}={value}"]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode == 0:
            return True, done.stdout
        found = {
            name for it in MISSING for name in it.findall(done.stdout)
        } - given.keys()
        if done.returncode != 1 or not found:
            return False, done.stdout + done.stderr
        given.update({name: "1" if "retry" in name else "x" for name in found})
    return False, "parameters without end"


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    apps = sorted(
        it for it in source.rglob("*.xml") if b"<workflow-app" in it.read_bytes()
    )
    exported, refused, odd, losses = [], 0, [], {}
    for number, app in enumerate(apps):
        folder = target / f"app{number}"
        is_done, words = export(app, folder)
        if is_done:
            exported.append(folder)
            for loss in set(re.findall(r":\d+: ([a-z-]+) \(", words)):
                losses[loss] = losses.get(loss, 0) + 1
        else:
            refused += 1
            if "panicked" in words or "error" not in words:
                odd.append(f"{app}: {words.strip()[:300]}")
    print(f"{len(apps)} workflows: {refused} refused, {len(exported)} exported")
    print(
        "workflows with a loss:",
        ", ".join(f"{name} {count}" for name, count in sorted(losses.items())),
    )
    print("\n".join(odd))
    sys.stdout.flush()
    command = [sys.executable, "-B", str(TEST), *map(str, exported)]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
