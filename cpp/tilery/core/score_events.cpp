// SPDX-License-Identifier: MIT
#include "tilery/core/score_events.hpp"

#include <algorithm>

namespace tilery {

ScoreEvents EventList::sorted(const std::function<std::string(int)>& name) {
    std::sort(found_.begin(), found_.end());
    ScoreEvents events;
    for (const auto& [source, places, seat, points] : found_) {
        ScoreEvent event{static_cast<Player>((first_ + seat) % players_), points, source, {}};
        for (const int place : places) event.on.push_back(name(place));
        events.push_back(std::move(event));
    }
    return events;
}

Value::List event_list(std::span<const ScoreSource> sources, const ScoreEvents& events) {
    Value::List list;
    for (const ScoreEvent& event : events) {
        const ScoreSource& source = sources[event.source];
        list.push_back(Value::object({{"player", event.player},
                                      {"points", event.points},
                                      {"source", source.name},
                                      {"rule", source.rule},
                                      {"on", Value::list_of(event.on)}}));
    }
    return list;
}

std::vector<std::string> names_of(std::span<const ScoreSource> sources) {
    std::vector<std::string> names;
    for (const ScoreSource& source : sources) {
        if (names.empty() || names.back() != source.name) names.emplace_back(source.name);
    }
    return names;
}

}  // namespace tilery
