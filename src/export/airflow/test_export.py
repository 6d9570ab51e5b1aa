"""Proves with Airflow itself, but without its services, that the DAGs do what Oozie did.

Run it with pytest or as a program, in an environment with Apache Airflow; it makes a database of its own in a temporary
folder. `expected.json` beside it says what the schedules and the engine of Oozie make of the apps.

A run is played in virtual time: Airflow's own code decides what starts, what is skipped and how the run ends; commands are
not executed, each takes as long and ends as the case says. Branches that depend on how tasks ended, kill tasks and the
teardown are the DAG's own code.
"""

import argparse
import contextlib
import heapq
import itertools
import json
import logging
import os
import sys
import tempfile
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def prepare():
    """Set Airflow up in a temporary folder; must run before it is imported."""
    if "airflow" in sys.modules:
        return None
    home = tempfile.TemporaryDirectory(prefix="test_export_")
    os.environ["AIRFLOW_HOME"] = home.name
    os.environ["AIRFLOW__CORE__LOAD_EXAMPLES"] = "False"
    os.environ["AIRFLOW__CORE__DAGS_FOLDER"] = str(ROOT)
    os.environ["AIRFLOW__CORE__PLUGINS_FOLDER"] = str(ROOT / "plugins")
    os.environ["AIRFLOW__CORE__UNIT_TEST_MODE"] = "False"
    os.environ["AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"] = (
        f"sqlite:///{home.name}/airflow.db"
    )
    os.environ["AIRFLOW__LOGGING__LOGGING_LEVEL"] = "ERROR"
    return home


HOME = prepare()

STAND_INS = set()
RUNS = itertools.count()


class StandIns:
    """Finds modules of providers that are not installed; their operators take every argument and do nothing."""

    def find_spec(self, name, path=None, target=None):
        import importlib.machinery

        if name.startswith("airflow.providers.") and not name.startswith(
            "airflow.providers.standard"
        ):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        STAND_INS.add(".".join(spec.name.split(".")[:3]))
        return types.ModuleType(spec.name)

    def exec_module(self, module):
        from airflow.sdk import BaseOperator

        def __getattr__(name):
            if name.startswith("__"):
                raise AttributeError(name)

            class Operator(BaseOperator):
                def __init__(
                    self, *, task_id, trigger_rule="all_success", retries=0, **kwargs
                ):
                    super().__init__(task_id=task_id, trigger_rule=trigger_rule)

            Operator.__name__ = name
            return Operator

        module.__getattr__ = __getattr__


class Differences(list):
    """What did not agree, a line each."""

    def add(self, *words):
        self.append(": ".join(str(word) for word in words))


def load(folder):
    """What a folder's DAGs must do, its DAGs by id, and what went wrong with a file."""
    import importlib.util

    from airflow.sdk import DAG

    expected = json.loads((folder / "tests" / "expected.json").read_text())
    dags, faults = {}, Differences()
    finder = StandIns()
    sys.meta_path.append(finder)
    sys.path.insert(0, str(folder))
    for number, (dag_id, what) in enumerate(expected["dags"].items()):
        path = folder / what["file"]
        try:
            spec = importlib.util.spec_from_file_location(f"export_{number}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            dags[dag_id] = next(
                it
                for it in vars(module).values()
                if isinstance(it, DAG) and it.dag_id == dag_id
            )
        except Exception as error:  # noqa: BLE001, every fault of a file is reported
            faults.add(dag_id, f"{path.name} does not import", repr(error))
    sys.path.remove(str(folder))
    sys.meta_path.remove(finder)
    return expected["dags"], dags, faults


class Database:
    """Airflow's tables in a file of their own."""

    def __init__(self):
        logging.disable(logging.WARNING)
        from airflow.utils.db import initdb
        from airflow.utils.session import create_session

        initdb()
        from airflow.models.dagbundle import DagBundleModel

        with create_session() as session:
            session.merge(DagBundleModel(name="export"))
        self.session = create_session

    def store(self, dag):
        """Serialize a DAG into the tables, as the DAG processor does."""
        from airflow.dag_processing.collection import update_dag_parsing_results_in_db
        from airflow.serialization.serialized_objects import (
            DagSerialization,
            LazyDeserializedDAG,
        )

        lazy = LazyDeserializedDAG.from_dag(dag)
        errors = {}
        with self.session() as session:
            update_dag_parsing_results_in_db(
                "export", None, [lazy], errors, None, set(), session
            )
        if errors:
            raise RuntimeError(next(iter(errors.values())))
        return DagSerialization.from_dict(DagSerialization.to_dict(dag))


class States:
    """What a task sees of its run."""

    def __init__(self, run_id, tis):
        self.run_id, self.dag_id, self.tis = run_id, "", tis

    def get_task_states(self, *, dag_id, task_ids, run_ids):
        return {
            self.run_id: {
                it: str(getattr(self.tis[it].state, "value", self.tis[it].state))
                for it in task_ids
                if self.tis[it].state
            }
        }

    def xcom_pull(self, **_):
        return Anything()


class Play:
    """One run of a workflow in virtual time."""

    def __init__(self, dag, stored, kinds, case, number, session):
        self.dag, self.kinds, self.case, self.session = dag, kinds, case, session
        self.stored, self.number = stored, number
        self.started, self.running, self.now = {}, [], 0

    def run(self):
        import datetime

        from airflow.models.dag_version import DagVersion
        from airflow.models.dagrun import DagRun
        from airflow.models.taskinstance import TaskInstance
        from airflow.utils.state import DagRunState
        from airflow.utils.types import DagRunTriggeredByType, DagRunType

        session = self.session
        version = DagVersion.get_latest_version(self.stored.dag_id, session=session)
        run = DagRun(
            dag_id=self.stored.dag_id,
            run_id=f"case_{self.number}_{next(RUNS)}",
            run_type=DagRunType.MANUAL,
            run_after=datetime.datetime.now(datetime.UTC),
            state=DagRunState.RUNNING,
            triggered_by=DagRunTriggeredByType.TEST,
            conf={},
        )
        run.dag = self.stored
        session.add(run)
        session.flush()
        run.verify_integrity(session=session, dag_version_id=version.id)
        session.flush()
        self.run_ = run
        while True:
            self.settle()
            if not self.running:
                break
            self.now, _, task_id = heapq.heappop(self.running)
            ti = self.tis()[task_id]
            if ti.state != "running":
                continue
            is_failed = task_id in self.case["fails"]
            self.started[task_id][1] = "error" if is_failed else "ok"
            self.end(ti, "failed" if is_failed else "success")
        state = str(run.state.value)
        assert TaskInstance is not None
        return state, self.started

    def tis(self):
        return {
            ti.task_id: ti for ti in self.run_.get_task_instances(session=self.session)
        }

    def settle(self):
        """Let everything happen that takes no time."""
        while True:
            before = {name: ti.state for name, ti in self.tis().items()}
            ready, _ = self.run_.update_state(
                session=self.session, execute_callbacks=False
            )
            self.session.flush()
            for ti in ready:
                if ti.state in (None, "scheduled"):
                    self.start(ti)
            self.session.flush()
            after = {name: ti.state for name, ti in self.tis().items()}
            if before == after and not ready:
                return

    def start(self, ti):
        kind = self.kinds[ti.task_id]
        task = self.dag.get_task(ti.task_id)
        if kind == "action":
            self.started[ti.task_id] = [self.now, "killed"]
            ti.state = "running"
            seconds = self.case["seconds"].get(ti.task_id, 1)
            heapq.heappush(
                self.running, (self.now + seconds, len(self.started), ti.task_id)
            )
        elif kind == "decision":
            self.started[ti.task_id] = [self.now, "ok"]
            self.branch(ti, task, self.case["choices"][ti.task_id])
        elif kind == "next":
            self.branch(ti, task, task.python_callable(ti=self.view()))
        elif kind in ("kill", "outcome"):
            from airflow.sdk.exceptions import AirflowFailException

            arguments = {"ti": self.view(), "params": Anything()}
            wanted = task.python_callable.__code__.co_varnames[
                : task.python_callable.__code__.co_kwonlyargcount
            ]
            try:
                task.python_callable(**{name: arguments[name] for name in wanted})
                self.end(ti, "success")
            except AirflowFailException:
                self.end(ti, "failed")
        else:
            self.end(ti, "success")

    def view(self):
        return States(self.run_.run_id, self.tis())

    def branch(self, ti, task, target):
        """Skip what a branch operator skips, by its own code."""
        from airflow.sdk.exceptions import DownstreamTasksSkipped

        mixed = types.SimpleNamespace(
            task=task, xcom_push=lambda **_: None, run_id=self.run_.run_id, map_index=-1
        )
        skipped = []
        try:
            task.skip_all_except(mixed, target)
        except DownstreamTasksSkipped as told:
            skipped = [it if isinstance(it, str) else it[0] for it in told.tasks]
        tis = self.tis()
        for name in skipped:
            if tis[name].state not in ("running", "success", "failed"):
                tis[name].state = "skipped"
        self.end(ti, "success")

    def end(self, ti, state):
        ti.state = state
        self.session.flush()
        if state == "failed" and self.stored.fail_fast:
            from airflow.models.taskinstance import _stop_remaining_tasks

            ti.task = self.stored.get_task(ti.task_id)
            teardowns = {task.task_id: task.is_teardown for task in self.stored.tasks}
            _stop_remaining_tasks(
                task_instance=ti, task_teardown_map=teardowns, session=self.session
            )
            self.session.flush()


class Anything(dict):
    """Parameters of which each is there."""

    def __missing__(self, name):
        return ""


def compare_outcomes(dags, expected, database, differences):
    """Level 2: the outcome of each case."""
    count = 0
    for dag_id, dag in dags.items():
        workflow = expected[dag_id].get("workflow")
        if not workflow:
            continue
        if set(workflow["tasks"]) - set(dag.task_ids):
            differences.add(
                dag_id, "tasks are missing", set(workflow["tasks"]) - set(dag.task_ids)
            )
            continue
        stored = database.store(dag)
        if bool(stored.fail_fast) != workflow["failFast"]:
            differences.add(dag_id, "fail_fast", stored.fail_fast)
        if stored.fail_fast and not any(task.is_teardown for task in stored.tasks):
            differences.add(
                dag_id, "fail_fast without a teardown: a killed run would be a success"
            )
        for number, case in enumerate(workflow["cases"]):
            count += 1
            with database.session() as session:
                state, started = Play(
                    dag, stored, workflow["tasks"], case, number, session
                ).run()
                session.rollback()
            if state != case["state"]:
                differences.add(
                    dag_id,
                    case["name"],
                    "state",
                    f"Oozie {case['state']}, Airflow {state}",
                )
            for task_id in sorted(started.keys() | case["started"].keys()):
                oozie, airflow = case["started"].get(task_id), started.get(task_id)
                if oozie != airflow:
                    differences.add(
                        dag_id,
                        case["name"],
                        task_id,
                        f"Oozie {oozie}, Airflow {airflow}",
                    )
    return count


def verify(level, folders):
    """Compare, and return an account and what differs."""
    account, differences = [], Differences()
    files = imported = runs = 0
    database = None
    for folder in folders:
        expected, dags, faults = load(folder)
        files, imported = files + len(expected), imported + len(dags)
        if level >= 2 and dags:
            database = database or Database()
            runs += compare_outcomes(dags, expected, database, faults)
        name = f"{folder.name}: " if len(folders) > 1 else ""
        differences.extend(name + fault for fault in faults)
    account.append(f"level 1: {imported} of {files} files import")
    if level >= 2:
        account.append(f"level 2: {runs} runs compared")
    account.extend(
        f"not installed, so its operators were stand-ins: {name}"
        for name in sorted(STAND_INS)
    )
    account.extend(f"differs: {line}" for line in differences)
    account.append(f"{len(differences)} differences" if differences else "agrees")
    return account, differences


def test_export():
    account, differences = verify(2, [ROOT])
    assert not differences, account


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--level", type=int, default=2, choices=(1, 2))
    parser.add_argument("folders", type=Path, nargs="*", default=[ROOT])
    arguments = parser.parse_args()
    # What Airflow logs is no part of the account.
    with contextlib.redirect_stdout(sys.stderr):
        account, differences = verify(arguments.level, arguments.folders)
    print("\n".join(account))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
