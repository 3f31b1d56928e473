"""Work on a Ray cluster, the extra `tilery[ray]`: the shards of a run, and the games of a training.

A task plays one shard on one core and puts its file into the directory of the run, which all machines must see under
the same path. Tasks are functions of the manifest and a number, so they may be repeated at will, and the files are
those of a run on one machine, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from tilery.extras import imported
from tilery.runs.shards import Claims, Run

LOCAL = "local"
"""The address that stands for a cluster on this machine, started for the work and ended with it."""

AHEAD = 4
"""Tasks in the queue for each core of the cluster."""

RETRIES = 20
"""The number of times that a job is done again after a worker or its machine has failed."""


def shard_of(path: str, manifest: str, shard: int) -> int:
    """Play a shard unless its file is there, on the machine of a worker; returns its number.

    manifest: what the directory must hold there too.
    """
    run = Run.open(path)
    run.must_be(manifest)
    with Claims(run.path) as claims:  # a task that is repeated waits for the first one, if that is still alive
        claims.wait(shard + 1)
        if not run.path_of(shard).exists():
            run.write(shard, run.play(shard, 1))
    return shard


def work(
    run: Run, address: str = LOCAL, *, workers: int | None = None, progress: Callable[[int], object] | None = None
) -> None:
    """Play and write all shards of a run that are missing.

    address: of a Ray cluster ("auto", "ray://HOST:10001", "HOST:6379"), or "local" for one on this machine.
    workers: the cores of a local cluster; None for all.
    progress: called with the number of games that are there; what it raises ends the work.

    Raises `ImportError` without Ray, `RunError` if a worker has another run or version, and what Ray raises.
    """
    found = run.finished()
    there, tell = sum(map(run.games_in, found)), progress or (lambda _games: None)
    tell(there)
    path, manifest = str(Path(run.path).resolve()), run.plan.to_json()
    jobs = ((path, manifest, shard) for shard in range(run.shards) if shard not in found)
    with closing(results(shard_of, jobs, address, workers=workers)) as shards:
        for _, shard in shards:
            there += run.games_in(shard)
            tell(there)
    run.clean()


def results(
    function: Callable[..., Any], jobs: Iterable[tuple[Any, ...]], address: str = LOCAL, *, workers: int | None = None
) -> Generator[tuple[int, Any], None, None]:
    """The number of a job, from 0, and what a function returned for its arguments, as soon as it is there.

    address, workers: as for `work`. A job may be done more than once. Raises what the function raises.
    """
    ray = imported("ray", "ray", "runs on a cluster")
    mine = not ray.is_initialized()
    if mine:
        where = {"num_cpus": workers, "include_dashboard": False} if address == LOCAL else {"address": address}
        ray.init(**where, log_to_driver=False, logging_level="error")
    going: dict[Any, int] = {}
    try:
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(function)
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        waiting = enumerate(jobs)
        while True:
            for number, job in islice(waiting, most - len(going)):
                going[task.remote(*job)] = number
            if not going:
                break
            for each in ray.wait(list(going), timeout=1)[0]:
                yield going.pop(each), _result(ray, each)
    finally:
        if address != LOCAL or not mine:  # a cluster of its own ends with its tasks
            for each in going:
                ray.cancel(each)  # not by force: a job takes seconds, and Ray may end a process whose task is killed
        if mine:
            ray.shutdown()


def _result(ray: Any, task: Any) -> Any:
    """The result of a task; the error of the task itself, without Ray's around it."""
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise error.cause if isinstance(error.cause, Exception) else error from None
