// SPDX-License-Identifier: MIT
// Where points come from: what a game with the hook score_events says of an action.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tilery/core/types.hpp"
#include "tilery/core/value.hpp"

namespace tilery {

// A reason for points: a row of a game's kScoreSources. Rows of one name follow each other.
struct ScoreSource {
    std::string_view name, rule;
};

struct ScoreEvent {
    Player player;
    int points;                   // not 0; may be negative
    std::size_t source;           // the row of kScoreSources
    std::vector<std::string> on;  // where, in the words of picks(); nothing that is hidden
};
using ScoreEvents = std::vector<ScoreEvent>;

// The argument of functions that give points where nobody asks for events: calling it costs nothing.
struct NoEvents {
    template <class... Anything>
    void operator()(const Anything&...) const {}
};

// Adds an event unless it has no points. Players and points are whole numbers of any type.
void add_event(ScoreEvents& events, std::size_t source, auto player, auto points, std::vector<std::string> on) {
    if (points != 0) events.push_back({static_cast<Player>(player), static_cast<int>(points), source, std::move(on)});
}

// Events in the order of sources, then of their places, then of the seats from one on.
class EventList {
  public:
    EventList(int players, int first) : players_(players), first_(first) {}

    void add(std::size_t source, std::vector<int> places, auto player, auto points) {
        const int seat = (static_cast<int>(player) + players_ - first_) % players_;
        if (points != 0) found_.emplace_back(source, std::move(places), seat, static_cast<int>(points));
    }
    // name(place) is a place in the words of picks().
    [[nodiscard]] ScoreEvents sorted(const std::function<std::string(int)>& name);

  private:
    int players_, first_;
    std::vector<std::tuple<std::size_t, std::vector<int>, int, int>> found_;
};

// Where points come from, as the faces say it, and the names of the sources.
[[nodiscard]] Value::List event_list(std::span<const ScoreSource> sources, const ScoreEvents& events);
[[nodiscard]] std::vector<std::string> names_of(std::span<const ScoreSource> sources);

}  // namespace tilery
