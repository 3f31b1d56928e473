// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/rules.hpp"

#include "tilery/games/carcassonne/state.hpp"

namespace tilery::carcassonne {

int Rules::read_hand_size(const Value& value) {
    const auto* const number = value.get<std::int64_t>();
    if (number != nullptr) {
        for (const int size : {0, 1, kMostHand}) {
            if (*number == size) return size;
        }
    }
    refuse_option("hand_size", "0, 1 or 3", value);
}

std::optional<Bounds> Rules::read_table(const Value& value) {
    if (value.is_null()) return std::nullopt;
    const auto* const list = value.get<Value::List>();
    Bounds bounds{};
    bool valid = list != nullptr && list->size() == bounds.size();
    for (std::size_t i = 0; valid && i < bounds.size(); ++i) {
        const auto* const number = (*list)[i].get<std::int64_t>();
        valid = number != nullptr;
        if (valid) bounds[i] = *number;
    }
    const auto [west, south, east, north] = bounds;
    if (!valid || west > 0 || east < 0 || south > 0 || north < 0 || (west == east && south == north)) {
        refuse_option("table",
                      "none or [west, south, east, north] with west <= 0 <= east and south <= 0 <= north and at least "
                      "two cells",
                      value);
    }
    return bounds;
}

Value Rules::write_table(const std::optional<Bounds>& table) { return table ? Value::list_of(*table) : Value(nullptr); }

void Rules::check() const {
    if (hand_size > 0 && unplaceable == Unplaceable::kReturn) {
        refuse_option("unplaceable", "\"discard\" with hand_size 1 or 3", "return");
    }
    if (hand_size > 0 && tile_sale) refuse_option("tile_sale", "false with hand_size 1 or 3", true);
    if (edge_closes && !table) refuse_option("edge_closes", "false without a table", true);
}

}  // namespace tilery::carcassonne
