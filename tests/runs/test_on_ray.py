"""What a Ray cluster is asked for, by a Ray that does each task at once, in this process."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tilery.runs import on_ray


class TaskError(Exception):
    def __init__(self, cause: Any) -> None:
        self.cause = cause


class Ray:
    """The part of Ray that is used; tasks wait until they are asked for."""

    exceptions = SimpleNamespace(RayTaskError=TaskError)

    def __init__(self, cores: int = 2, *, initialized: bool = False) -> None:
        self.cores, self.initialized = cores, initialized
        self.calls: list[Any] = []
        self.waiting: list[list[Any]] = []

    def is_initialized(self) -> bool:
        return self.initialized

    def init(self, **how: Any) -> None:
        self.calls.append(how)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.cores)} if self.cores else {}

    def remote(self, **how: Any) -> Callable[[Any], Any]:
        self.calls.append(how)

        def task(function: Any) -> Any:
            made: list[Any] = []

            def remote(*job: Any) -> Any:
                made.append(handle := (len(made), function, job))
                return handle

            return SimpleNamespace(remote=remote)

        return task

    def wait(self, tasks: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        assert timeout > 0
        self.waiting.append(tasks)
        return tasks[-1:], tasks[:-1]

    def get(self, task: Any) -> Any:
        _, function, job = task
        try:
            return function(*job)
        except ZeroDivisionError as error:
            raise TaskError(error) from None
        except KeyError:
            raise TaskError("not an exception") from None

    def cancel(self, task: Any) -> None:
        self.calls.append(("cancel", task[0]))

    def shutdown(self) -> None:
        self.calls.append("shutdown")


def results(monkeypatch: pytest.MonkeyPatch, ray: Ray, function: Any, jobs: Any, *where: Any, **how: Any) -> Any:
    monkeypatch.setattr(on_ray, "imported", lambda *_: ray)
    return on_ray.results(function, jobs, *where, **how)


QUIET = {"log_to_driver": False, "logging_level": "error"}
A_CORE = {"num_cpus": 1, "max_retries": on_ray.RETRIES}


def test_each_task_takes_a_core_and_few_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray()
    found = list(results(monkeypatch, ray, pow, ((each, 2) for each in range(30)), workers=2))
    assert sorted(found) == [(number, number**2) for number in range(30)]
    assert ray.calls == [{"num_cpus": 2, "include_dashboard": False} | QUIET, A_CORE, "shutdown"]
    assert max(map(len, ray.waiting)) == on_ray.AHEAD * ray.cores
    few = Ray(cores=0)
    list(results(monkeypatch, few, pow, ((each, 2) for each in range(30))))
    assert max(map(len, few.waiting)) == on_ray.AHEAD


@pytest.mark.parametrize(
    ("initialized", "address"), [(False, "ray://head:10001"), (True, "auto"), (True, on_ray.LOCAL)]
)
def test_a_cluster_of_others_goes_on_without_the_tasks(
    initialized: bool, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = Ray(initialized=initialized)
    found = results(monkeypatch, ray, pow, ((each, 2) for each in range(30)), address)
    assert next(found) == (7, 49)
    found.close()
    begun = [] if initialized else [{"address": address} | QUIET]
    ended = [] if initialized else ["shutdown"]
    assert ray.calls == [*begun, A_CORE, *(("cancel", number) for number in range(7)), *ended]


def test_a_cluster_of_its_own_ends_with_its_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = Ray()
    found = results(monkeypatch, ray, pow, ((each, 2) for each in range(30)))
    next(found)
    found.close()
    assert ray.calls[2:] == ["shutdown"]


def test_the_error_of_a_task_is_raised_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ZeroDivisionError):
        next(results(monkeypatch, Ray(), lambda each: 1 // each, [(0,)]))
    with pytest.raises(TaskError):
        next(results(monkeypatch, Ray(), lambda each: {}[each], [(0,)]))
