"""Policies of tilery as bots of OpenSpiel."""

from __future__ import annotations

from typing import Any

import pyspiel

import tilery
from tilery.openspiel.games import position
from tilery.protocol import Policy
from tilery.simulation import PolicyLike


class Bot(pyspiel.Bot):
    """A policy that plays games of tilery in OpenSpiel, for any seat, by what the player to act knows.

    A program is started for each choice; its messages say nothing of earlier actions.
    """

    def __init__(self, policy: Policy, seed: int) -> None:
        super().__init__()
        self.policy = policy
        self._seed = seed
        self._rng = tilery.Rng(seed)

    def step(self, state: Any) -> int:
        """Return the action that the policy chooses.

        Raises `TypeError` for the state of another game, and `ValueError` at a chance node or when the game is over.
        """
        return self.policy.choose(position(state), self._rng)

    def restart_at(self, _state: Any) -> None:
        """Nothing is kept between calls but the place in the random stream."""

    def restart(self) -> None:
        """Begin the random stream again."""
        self._rng = tilery.Rng(self._seed)


def bot(policy: PolicyLike, seed: int = 0) -> Bot:
    """Return a policy of tilery as a `pyspiel.Bot`: `bot("mcts:1000")`.

    policy: whatever `tilery.policy` takes (docs/bots.md).
    seed: of the random stream, from which each choice takes one number.

    Raises `ValueError` for a text that is not one of a policy, and for a seed outside [0, 2**64).
    """
    return Bot(tilery.policy(policy), seed)
