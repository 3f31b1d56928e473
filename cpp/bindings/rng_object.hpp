// SPDX-License-Identifier: MIT
// tilery.Rng, and what else an argument `rng` may be.
#pragma once

#include <pybind11/pybind11.h>

#include "tilery/core/random.hpp"

namespace tilery::bindings {

namespace py = pybind11;

// The stream that an argument named rng stands for (docs/interface.md); ValueError for anything else. A tilery.Rng is
// the stream itself, so that each draw advances it; from a generator of another kind one 64-bit number is taken, the
// seed of a stream.
class RngArgument {
  public:
    explicit RngArgument(py::handle rng);
    RngArgument(const RngArgument&) = delete;
    RngArgument& operator=(const RngArgument&) = delete;

    [[nodiscard]] Rng& operator*() const { return *stream_; }
    [[nodiscard]] Rng* operator->() const { return stream_; }

  private:
    Rng seeded_{0};
    Rng* stream_ = &seeded_;
};

// Adds the type Rng to the module.
void bind_rng(py::module_& module);

}  // namespace tilery::bindings
