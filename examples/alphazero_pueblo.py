"""Learn Pueblo for two from self-play alone, as AlphaZero does, in NumPy: a search with a network teaches the network.

    python examples/alphazero_pueblo.py
    python examples/alphazero_pueblo.py --rounds 2 --games 64 --simulations 16 --matches 100 --strength 32

Many games are played at once, so that tilery.search.run asks the network about one position of each at a time. The
network learns the visits of the search and how the games ended. At the end the search with the network plays --matches
games against --opponent, and its share of the wins is printed.

--agent FILE writes the network for agent:FILE, which plays without a search. --save FILE stores it for this program;
saved as alphazero.npz, it plays with its search in every command that is run in this folder:

    tilery match pueblo agent:my.npz greedy --games 40
    tilery match pueblo py:alphazero_pueblo:player rung:1 --games 40
"""

from __future__ import annotations

import argparse
import functools
import time
from typing import Any

import numpy as np
from network import Network

import tilery

SIDE, SPACES, HIDDEN, RATE, MINIBATCH, SPREAD, EXPLORES = 8, 36, 128, 1e-3, 512, 20.0, 0.25
CORNERS = ((0, 0, 0), (9, 4, 0), (18, 4, 4), (27, 0, 4))
"""Spaces on a corner with the first rank and file of the quarter that is seen from there."""
WORTH = np.array([sum(k + 1 for k in range(SIDE) if levels >> k & 1) for levels in range(256)], np.float32)
"""The points for the first cubes on a set of levels, one bit for each."""
GAME: Any = tilery.load("pueblo")
PARTS = {part.name: part for part in GAME.observation_parts}


def planes(observations: Any, name: str) -> Any:
    """The part of this name, [n, planes, 8 ranks, 8 files]."""
    first = PARTS[name].offset // SIDE**2
    return observations[:, first : first + PARTS[name].shape[0]]


def quarter_turns(name: str, quarter: int) -> str:
    """The token of an action after the site was turned counter-clockwise by 90 degrees, this many times."""
    if name[0] == "+":
        return name
    x, y, directions = ord(name[1]) - ord("a"), int(name[2]) - 1, ("ne", "nw", "sw", "se")
    for _ in range(quarter):
        x, y = SIDE - 1 - y, x
    direction = directions[(directions.index(name[3:]) + quarter) % 4]
    return f"{name[0]}{'abcdefgh'[x]}{y + 1}{direction}"


def turned_actions() -> Any:
    """For each number of quarter turns and each action, the id that it then has: int[4, actions]."""
    tokens = [GAME.action_to_string(action) for action in range(GAME.num_distinct_actions)]
    return np.array([[tokens.index(quarter_turns(token, quarter)) for token in tokens] for quarter in range(4)])


def spaces_of_the_chieftain() -> Any:
    """What the observation shows of him on each space: float32[5 * 64, 36], columns of sum 1 over their squares."""
    shown = np.zeros((SPACES, 5, SIDE, SIDE), np.float32)
    for i in range(SIDE):
        shown[1 + i, 0, i, :] = shown[10 + i, 1, :, i] = 1 / SIDE
        shown[26 - i, 2, i, :] = shown[35 - i, 3, :, i] = 1 / SIDE
    for space, ranks, files in CORNERS:
        shown[space, 4, ranks : ranks + 4, files : files + 4] = 1 / 16
    return shown.reshape(SPACES, -1).T.copy()


TURNED, CHIEFTAIN = turned_actions(), spaces_of_the_chieftain()


def lines_of(site: Any) -> Any:
    """The squares of site[n, m, ranks, files] as lines[n, m, 32, 8] from its sides, nearest last.

    Looking east, south, west, north.
    """
    sides = (site[..., ::-1], site.swapaxes(2, 3), site[:, :, ::-1], site.swapaxes(2, 3)[:, :, ::-1, ::-1])
    return np.concatenate(sides, 2)


def views(observations: Any) -> Any:
    """The points that the player and the opponent would get on each space: float32[n, 36, 2] (PB-8, PB-9)."""
    n = len(observations)
    levels = planes(observations, "owner_by_level").reshape(n, SIDE, 3, SIDE, SIDE) > 0
    owners = np.packbits(levels, axis=1, bitorder="little")[
        :, 0
    ]  # a bit for each level: uint8[n, owners, ranks, files]
    lines = lines_of(owners)
    first, covered = np.zeros((n, 2, 32), np.uint8), np.zeros((n, 1, 32), np.uint8)
    for square in range(SIDE - 1, -1, -1):
        first |= lines[:, :2, :, square] & ~covered
        covered |= np.bitwise_or.reduce(lines[..., square], 1, keepdims=True)
    seen = np.zeros((n, SPACES, 2), np.float32)
    seen[:, np.arange(SPACES) % 9 != 0] = WORTH[first].swapaxes(1, 2)
    for space, ranks, files in CORNERS:
        top = planes(observations, "top_owner")[:, :2, ranks : ranks + 4, files : files + 4]
        seen[:, space] = top.sum((2, 3))
    return seen


def features(observations: Any) -> tuple[Any, Any]:
    """What the network sees, float32[n, inputs], and by how many quarter turns the site was turned for it.

    The site is turned so that the chieftain is on the west side or in the corner before it.
    """
    n = len(observations)
    looks = [planes(observations, name).reshape(n, -1) for name in ("chieftain_line", "chieftain_quarter")]
    chieftain = (np.concatenate(looks, 1) @ CHIEFTAIN).argmax(1)
    quarters = chieftain // 9
    ahead = (chieftain[:, None] + 1 + np.arange(SPACES)) % SPACES
    seen = views(observations)[np.arange(n)[:, None], ahead]
    site = np.concatenate([planes(observations, "height"), planes(observations, "top_owner")], 1)
    for quarter in range(1, 4):
        rows = quarters == quarter
        site[rows] = np.rot90(site[rows], quarter, (3, 2))
    points = planes(observations, "points")[:, :, 0, 0]
    supply = np.concatenate([planes(observations, name)[:, :, 0, 0] for name in ("coloured", "neutral", "step")], 1)
    lap = seen.sum(1) / 50
    lead = 100 / SPREAD * (points[:, 1:] - points[:, :1]) / 2 + (lap[:, 1:] - lap[:, :1])
    where = np.eye(9, dtype=np.float32)[chieftain % 9]
    found = [seen.reshape(n, -1) / 4, site.reshape(n, -1), supply, lap, lead, where]
    return np.concatenate(found, 1).astype(np.float32), quarters


def ends(state: Any) -> float:
    """How the game ended for seat 0, from -1 to 1: half the result, half the squashed lead (fewest points win)."""
    first, second = state.scores()
    lead = (second - first) / SPREAD
    return 0.5 * state.returns()[0] + 0.5 * lead / (1 + lead**2) ** 0.5


def eye(size: int) -> Any:
    return np.eye(size, dtype=np.float32)


def one_hot(places: Any, size: int) -> Any:
    """float32[size, n] with a 1 at each of the places[n]."""
    return eye(size)[:, np.ravel(places)]


def matrix(rows: dict[str, int], columns: dict[str, int], blocks: dict[tuple[str, str], Any]) -> Any:
    """Weights from named groups of units to others, of these sizes; 0 where there is no block."""
    return np.block(
        [
            [blocks.get((row, column), np.zeros((height, width), np.float32)) for column, width in columns.items()]
            for row, height in rows.items()
        ]
    )


def agent_of(network: Network) -> tilery.agents.Agent:
    """The network without a search as an agent, which plays by the observation alone: features() becomes layers.

    Between layers negative values become 0, and all that is handed on is 0 or more. A unit that is to count only where
    the chieftain is loses much, and gets it back if he is there.
    """
    much, size, actions = np.float32(100), int(np.prod(GAME.observation_tensor_shape)), GAME.num_distinct_actions
    places = np.arange(size).reshape(1, -1, SIDE, SIDE)
    at = {name: planes(places, name) for name in PARTS}
    spaces, quarters = np.arange(SPACES), one_hot(np.arange(SPACES) // 9, 4).T  # the quarter of each space
    level, player, line = np.ogrid[:SIDE, :2, :32]

    # From the observation: the nearest cube of each level on each line, and what is handed on.
    lines = lines_of(at["owner_by_level"].reshape(SIDE, 3, SIDE, SIDE))  # [levels, owners, 32, squares]
    nearest = np.zeros((size, SIDE, 2, 32, SIDE), np.float32)
    for square in range(SIDE):
        nearest[lines[:, :2, :, square], level, player, line, square] = 1
        for nearer in lines[:, :, :, square + 1 :].transpose(1, 3, 0, 2).reshape(-1, SIDE, 1, 32):
            nearest[nearer, level, player, line, square] = -1
    looks = np.concatenate([at[name].ravel() for name in ("chieftain_line", "chieftain_quarter")])
    supply = np.concatenate([at[name][:, :, 0, 0] for name in ("coloured", "neutral", "step")], 1)
    groups = {
        "nearest": nearest.reshape(size, -1),
        "site": one_hot(np.concatenate([at["height"], at["top_owner"]], 1), size),
        "chieftain": one_hot(looks, size) @ CHIEFTAIN,
        "supply": one_hot(supply, size),
        "points": one_hot(at["points"][:, :, 0, 0], size),
    }
    observed = np.concatenate(list(groups.values()), 1)
    before = {name: weights.shape[1] for name, weights in groups.items()}
    same = {(name, name): eye(width) for name, width in before.items() if name != "nearest"}

    # What views() returns.
    from_lines = np.zeros((SIDE, 2, 32, SIDE, SPACES, 2), np.float32)
    from_lines[level, player, line, :, spaces[spaces % 9 != 0][line], player] = level[..., None] + 1
    from_site = np.zeros((4, SIDE, SIDE, SPACES, 2), np.float32)
    for space, ranks, files in CORNERS:
        for seat in range(2):
            from_site[1 + seat, ranks : ranks + 4, files : files + 4, space, seat] = 1
    after = {"seen": 2 * SPACES} | {name: before[name] for name in ("site", "chieftain", "supply", "points")}
    blocks = {
        ("nearest", "seen"): from_lines.reshape(-1, 2 * SPACES),
        ("site", "seen"): from_site.reshape(-1, 2 * SPACES),
    }
    viewed = matrix(before, after, same | blocks)

    # The same for each space of the chieftain, and the site for each quarter, where he is; 0 elsewhere.
    before, after = after, after | {"seen": 2 * SPACES * SPACES, "site": 4 * after["site"]}
    blocks = {(name, name): np.tile(eye(before[name]), (1, after[name] // before[name])) for name in ("seen", "site")}
    blocks["chieftain", "seen"] = np.repeat(much * eye(SPACES), before["seen"], axis=1)
    blocks["chieftain", "site"] = np.repeat(much * quarters, before["site"], axis=1)
    gated = matrix(before, after, same | blocks)
    shut = np.concatenate([np.full(width, -much * (name in ("seen", "site"))) for name, width in after.items()])

    # The hidden layer over what features() makes of that, and the quarter.
    sees = np.zeros((SPACES, SPACES, 2, SPACES, 2), np.float32)  # [chieftain, space, seat, space ahead, seat]
    for seat in range(2):
        sees[spaces[:, None], spaces, seat, (spaces - 1 - spaces[:, None]) % SPACES, seat] = 1 / 4
    turns = np.zeros((4, 4, SIDE**2, 4, SIDE**2), np.float32)  # [quarter, plane, square, plane, square when turned]
    for quarter in range(4):
        source = np.rot90(np.arange(SIDE**2).reshape(SIDE, SIDE), quarter, (1, 0)).ravel()
        for plane in range(4):
            turns[quarter, plane, source, plane, np.arange(SIDE**2)] = 1
    laps, lead = np.tile(eye(2) / 50, (SPACES * SPACES, 1)), np.array([[-1], [1]], np.float32)
    inputs = {name: before[name] for name in ("seen", "site", "supply")} | {"lap": 2, "lead": 1, "where": 9}
    blocks = {
        ("seen", "seen"): sees.reshape(-1, before["seen"]),
        ("seen", "lap"): laps,
        ("seen", "lead"): laps @ lead,
        ("site", "site"): turns.reshape(-1, before["site"]),
        ("supply", "supply"): eye(before["supply"]),
        ("points", "lead"): 100 / SPREAD / 2 * lead,
        ("chieftain", "where"): one_hot(spaces % 9, 9).T,
    }
    values = network.values
    hidden = matrix(after, inputs, blocks) @ values["hidden"]
    hidden = np.concatenate([hidden, matrix(after, {"quarter": 4}, {("chieftain", "quarter"): quarters})], 1)

    # The policy for each quarter, 0 for the other three, and its actions turned back.
    policy = np.concatenate([np.tile(values["policy"], (1, 4)), np.repeat(2 * much * eye(4), actions, axis=1)])
    back = one_hot(TURNED, actions).reshape(actions, 4, actions).swapaxes(0, 1).reshape(4 * actions, actions)

    kept = np.flatnonzero(observed.any(1))
    biases = [0, 0, shut, np.pad(values["hidden bias"], (0, 4)), np.tile(values["policy bias"], 4) - much, 0]
    layers = [observed[kept], viewed, gated, hidden, policy, back]
    pairs = [(weights, bias + np.zeros(weights.shape[1])) for weights, bias in zip(layers, biases, strict=True)]
    return tilery.agents.Agent(GAME, pairs, kept=kept, clip=1e9)


class Learner:
    """Plays against itself by a search with its network, and learns from that."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        start = np.zeros((1, *GAME.observation_tensor_shape), np.float32)
        self.network = Network(features(start)[0].shape[1], HIDDEN, GAME.num_distinct_actions, self.rng)

    def evaluate(self, observations: Any, masks: Any, players: Any) -> tuple[Any, Any]:
        """What tilery.search.run asks for: priors[n, actions] and values[n, players]."""
        x, quarters = features(observations)
        turned, rows = TURNED[quarters], np.arange(len(x))[:, None]
        legal = np.zeros_like(masks)
        legal[rows, turned] = masks
        _, probabilities, values = self.network(x, legal)
        signs = np.where(players[:, None] == np.arange(2), 1, -1)
        return probabilities[rows, turned], signs * np.tanh(values)[:, None]

    def search(self, states: list[Any], simulations: int) -> list[Any]:
        """Return an analysis of each state."""
        return tilery.search.run(states, self.evaluate, simulations=simulations, rng=int(self.rng.integers(2**63)))

    def play(self, games: int, simulations: int) -> dict[str, Any]:
        """Play games against itself; return a row for each decision of what it saw, what it searched and the end."""
        states = [GAME.new_initial_state() for _ in range(games)]
        rows: dict[str, list[Any]] = {key: [] for key in ("x", "masks", "visits", "signs", "games")}
        while live := [i for i, state in enumerate(states) if not state.is_terminal()]:
            observations = np.stack([states[i].observation_tensor(states[i].current_player()) for i in live])
            x, quarters = features(observations.reshape(-1, *GAME.observation_tensor_shape))
            masks = np.zeros((len(live), GAME.num_distinct_actions), bool)
            visits = np.zeros(masks.shape, np.float32)
            for row, i in enumerate(live):
                masks[row, TURNED[quarters[row]]] = states[i].legal_actions_mask()
            signs = [1 - 2 * states[i].current_player() for i in live]
            for row, (i, analysis) in enumerate(
                zip(live, self.search([states[i] for i in live], simulations), strict=True)
            ):
                actions = [each["action"] for each in analysis.actions]
                shares = np.array([each["visits"] for each in analysis.actions]) / simulations
                visits[row, TURNED[quarters[row], actions]] = shares
                explores = self.rng.random() < EXPLORES
                states[i].apply_action(int(self.rng.choice(actions, p=shares)) if explores else analysis.best)
            for key, value in zip(rows, (x, masks, visits, signs, live), strict=True):
                rows[key].append(value)
        data = {key: np.concatenate(each) for key, each in rows.items()}
        results = np.array([ends(state) for state in states], np.float32)
        return {key: data[key] for key in ("x", "masks", "visits")} | {"ends": data["signs"] * results[data["games"]]}

    def learn(self, data: dict[str, Any], rate: float) -> None:
        """Take a step towards the shares of the visits and the ends of the games for each minibatch of the rows."""
        for rows in np.array_split(self.rng.permutation(len(data["x"])), -(-len(data["x"]) // MINIBATCH)):
            x, visits, ends_of_games = data["x"][rows], data["visits"][rows], data["ends"][rows]
            hidden, probabilities, values = self.network(x, data["masks"][rows])
            found = np.tanh(values)
            value_slopes = ((found - ends_of_games) * (1 - found**2) / len(x)).astype(np.float32)
            self.network.learn(x, hidden, (probabilities - visits) / len(x), value_slopes, rate)

    def match(self, opponent: str, games: int, simulations: int) -> Any:
        """The results of games against a policy: 1, 0.5 or 0. The learner has seat 0 in every second game."""
        policy, rng = tilery.policy(opponent), tilery.Rng(int(self.rng.integers(2**63)))
        states = [GAME.new_initial_state() for _ in range(games)]
        while any(not state.is_terminal() for state in states):
            own = [i for i, state in enumerate(states) if state.current_player() == i % 2]
            for i, state in enumerate(states):
                if state.current_player() == 1 - i % 2:
                    state.apply_action(policy.choose(state, rng))
            for i, analysis in zip(own, self.search([states[i] for i in own], simulations), strict=True):
                states[i].apply_action(analysis.best)
        return np.array([0.5 + 0.5 * state.returns()[i % 2] for i, state in enumerate(states)])


@functools.cache
def stored() -> Learner:
    """The learner whose network is in alphazero.npz."""
    learner = Learner(0)
    with np.load("alphazero.npz", allow_pickle=False) as arrays:
        learner.network.values = {name: arrays[name] for name in learner.network.values}
    return learner


def player(state: Any, rng: np.random.Generator) -> int:
    """A policy (docs/bots.md): a search of 64 simulations with the stored network."""
    (found,) = tilery.search.run([state], stored().evaluate, simulations=64, rng=int(rng.integers(2**63)))
    return found.best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6, help="of self-play and learning")
    parser.add_argument("--games", type=int, default=128, help="of each round, played at once")
    parser.add_argument("--simulations", type=int, default=32, help="of each decision in self-play")
    parser.add_argument("--opponent", default="greedy", help="a policy (docs/bots.md)")
    parser.add_argument("--matches", type=int, default=400, help="games against the opponent")
    parser.add_argument("--strength", type=int, default=64, help="simulations of each decision in these")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", metavar="FILE", help="stores the network, as .npz")
    parser.add_argument("--agent", metavar="FILE", help="writes the network into this new file, for agent:FILE")
    given = parser.parse_args()
    learner, kept = Learner(given.seed), []
    for number in range(given.rounds):
        kept = [*kept[-5:], learner.play(given.games, given.simulations)]
        data = {key: np.concatenate([each[key] for each in kept]) for key in kept[0]}
        for _ in range(2):
            learner.learn(data, RATE * (1 - number / given.rounds))
        seconds, positions = time.process_time(), (number + 1) * len(kept[-1]["x"])
        print(f"{seconds:5.0f} s CPU, round {number + 1}, {positions:,} positions of self-play", flush=True)
    if given.save:
        np.savez(given.save, **learner.network.values)
    if given.agent:
        agent_of(learner.network).save(given.agent)
    results = learner.match(given.opponent, given.matches, given.strength)
    error = 1.96 * results.std() / len(results) ** 0.5
    wins = f"{results.mean():.1%} +- {error:.1%} of {given.matches} games"
    print(f"{time.process_time():5.0f} s CPU, against {given.opponent}: wins {wins}")


if __name__ == "__main__":
    main()
