"""Runs: many games as columns, summaries and files.

>>> import tilery
>>> results = tilery.simulate(tilery.load("toy"), 1000, seed=7)
>>> sorted(tilery.columns(results))
['num_actions', 'num_decisions', 'return_0', 'return_1', 'score_0', 'score_1']
>>> tilery.summary(results).seats[0].score.quantile(0.5)
3
"""

from __future__ import annotations

from tilery.runs import summary as summary
