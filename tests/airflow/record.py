"""Records what Airflow makes of random graphs of tasks, for `src/export/airflow/states.rs` to be held against.

    tests/airflow/setup /tmp/airflow
    /tmp/airflow/bin/python tests/airflow/record.py > fixtures/reference/airflow/states.jsonl

A line is a graph, how its tasks behave, and what came of it. The runs are played by `test_export.py`, which every export
carries: Airflow decides, nothing is executed.
"""

import contextlib
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "src/export/airflow"))
import test_export

GRAPHS = 400
RULES = ["all_success", "one_done", "one_success", "none_failed_min_one_success"]


def graph(draw):
    """Tasks as [kind, rule, upstream, targets]; what a task waits for stands before it."""
    tasks = []
    for index in range(draw.randint(2, 9)):
        kinds = ["action"] * 5 + ["decision"] * 2 + ["empty", "end", "kill"]
        count = draw.choice([0, 1, 1, 1, 2, 2, 3])
        upstream = sorted(draw.sample(range(index), min(count, index)))
        rule = draw.choice(RULES) if upstream else "all_success"
        tasks.append([draw.choice(kinds), rule, upstream, []])
        actions = [up for up in upstream if tasks[up][0] == "action"]
        if actions and draw.random() < 0.3:
            tasks[index] = ["next", "one_done", [actions[0]], []]
    for index, task in enumerate(tasks):
        if task[0] in ("decision", "next"):
            behind = [it for it, other in enumerate(tasks) if index in other[2]]
            if not behind:
                task[:2] = ["empty", task[1]]
            else:
                count = 2 if task[0] == "next" else draw.randint(1, 3)
                task[3] = [draw.choice(behind) for _ in range(count)]
    if draw.random() < 0.6:
        leaves = [
            it for it in range(len(tasks)) if not any(it in other[2] for other in tasks)
        ]
        more = draw.sample(range(len(tasks)), min(2, len(tasks)))
        tasks.append(
            ["outcome", "all_done_setup_success", sorted({*leaves, *more}), []]
        )
    return tasks


def build(number, tasks, fail_fast):
    from airflow.providers.standard.operators.empty import EmptyOperator
    from airflow.sdk import DAG, task, teardown
    from airflow.sdk.exceptions import AirflowFailException

    def name(index):
        return f"t{index}"

    ends = [name(index) for index, it in enumerate(tasks) if it[0] == "end"]

    def state(ti, task_id):
        states = ti.get_task_states(dag_id="", task_ids=[task_id], run_ids=[ti.run_id])
        return states.get(ti.run_id, {}).get(task_id)

    def chooser(up, targets):
        def choose(*, ti):
            return targets[0] if state(ti, up) == "success" else targets[1]

        return choose

    def fail():
        raise AirflowFailException("killed")

    def decide(*, ti):
        if not any(state(ti, end) == "success" for end in ends):
            raise AirflowFailException("no end")

    made = []
    with DAG(f"graph_{number}", schedule=None) as dag:
        for index, (kind, rule, upstream, targets) in enumerate(tasks):
            common = {"task_id": name(index), "trigger_rule": rule}
            if kind == "next":
                choose = chooser(name(upstream[0]), [name(it) for it in targets])
                new = task.branch(**common)(choose)()
            elif kind == "decision":
                new = task.branch(**common)(lambda: None)()
            elif kind == "kill":
                new = task(**common)(fail)()
            elif kind == "outcome":
                new = teardown(on_failure_fail_dagrun=True)(
                    task(task_id=name(index))(decide)
                )()
            else:
                new = EmptyOperator(**common)
            made.append(new)
            for up in upstream:
                made[up] >> new
        dag.fail_fast = fail_fast
    return dag


def record(number, database):
    draw = random.Random(number)
    tasks = graph(draw)
    fail_fast = draw.random() < 0.5
    actions = [it for it, task in enumerate(tasks) if task[0] == "action"]
    seconds = {it: draw.randint(1, 1_000_000) for it in actions}
    fails = [it for it in actions if draw.random() < 0.3]
    decisions = [it for it, task in enumerate(tasks) if task[0] == "decision"]
    choices = {it: draw.randrange(len(tasks[it][3])) for it in decisions}
    dag = build(number, tasks, fail_fast)
    stored = database.store(dag)
    kinds = {
        f"t{it}": "empty" if task[0] == "end" else task[0]
        for it, task in enumerate(tasks)
    }
    case = {
        "fails": [f"t{it}" for it in fails],
        "seconds": {f"t{it}": value for it, value in seconds.items()},
        "choices": {f"t{it}": f"t{tasks[it][3][slot]}" for it, slot in choices.items()},
    }
    with database.session() as session:
        play = test_export.Play(dag, stored, kinds, case, number, session)
        state, started = play.run()
        states = {
            name: str(getattr(ti.state, "value", ti.state))
            for name, ti in play.tis().items()
        }
        session.rollback()
    return {
        "tasks": tasks,
        "failFast": fail_fast,
        "seconds": seconds,
        "fails": fails,
        "choices": choices,
        "run": state,
        "states": [states[f"t{it}"].lower() for it in range(len(tasks))],
        "started": {name[1:]: what for name, what in sorted(started.items())},
    }


def main():
    with contextlib.redirect_stdout(sys.stderr):
        database = test_export.Database()
        lines = [json.dumps(record(number, database)) for number in range(GRAPHS)]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
