// SPDX-License-Identifier: MIT
#include "tilery/core/inputs.hpp"

namespace tilery {

std::string input_name(std::span<const InputGroup> groups, InputId id) {
    for (const InputGroup& group : groups) {
        int rest = int{id} - group.first;
        if (rest < 0 || rest >= group.size()) continue;
        std::string name(group.name), values;
        int unit = group.size();
        for (const auto& factor : group.factors) {
            if (factor.name.empty()) continue;
            unit /= factor.size;
            values += (values.empty() ? ":" : ",") + std::string(factor.name) + '=' + std::to_string(rest / unit);
            rest %= unit;
        }
        return name + values;
    }
    return {};
}

}  // namespace tilery
