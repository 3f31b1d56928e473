// SPDX-License-Identifier: MIT
// Calls that work for long without the GIL: how they hear of signals, and how a program that ends stops them.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>

namespace tilery::bindings {

namespace py = pybind11;

// A guard for the whole of such a call, from its arguments to its result: made and destroyed with the GIL. The exit
// of the interpreter waits until none is left, since a thread that asks for the GIL after that is ended by force, in
// the middle of C++ code. For calls that are inside a callback (PythonCode) it waits two seconds at most.
class NativeCall {
  public:
    // `often`: how many calls of go_on() come to one look at the clock. `progress`: called with the GIL some ten
    // times a second; what it throws ends the call.
    explicit NativeCall(unsigned often = 1, std::function<void()> progress = {});
    ~NativeCall();
    NativeCall(const NativeCall&) = delete;
    NativeCall& operator=(const NativeCall&) = delete;

    // Whether the work may go on: to be asked without the GIL, often, by the thread that made the call. False after a
    // signal handler or `progress` raised, and at the end of the interpreter.
    [[nodiscard]] bool go_on();
    // Throws what made go_on() return false. At the end of the interpreter that is SystemExit, which ends a thread
    // silently, and RuntimeError in the thread that ends the interpreter.
    [[noreturn]] void throw_reason() const;
    // The result of work(go_on) without the GIL; throws the reason if go_on() returned false.
    auto run(auto&& work) {
        bool finished = true;
        auto result = [&] {
            const py::gil_scoped_release release;
            return work([&] { return finished = finished && go_on(); });
        }();
        if (!finished) throw_reason();
        return result;
    }

    // Whether the interpreter is about to end. Any thread may ask, without the GIL: those that help a call and work
    // for longer than some milliseconds ask too.
    [[nodiscard]] static bool ending() noexcept;
    // Another number in a forked child, which does not have the other threads of its parent.
    [[nodiscard]] static unsigned long process() noexcept;

  private:
    const unsigned often_;
    const std::function<void()> progress_;
    const unsigned long process_;
    unsigned asked_ = 0;
    std::chrono::steady_clock::time_point next_look_;
    int called_back_ = 0;  // threads in Python code; changed with the GIL

    friend class PythonCode;
};

// The result of work() without the GIL, for what ends soon.
auto without_gil(auto&& work) {
    const NativeCall call;  // so that the exit of the interpreter waits
    const py::gil_scoped_release release;
    return work();
}

// The GIL for code of the caller's that is called back inside of a native call, on any of its threads. That code may
// sleep or wait for as long as it likes.
class PythonCode {
  public:
    explicit PythonCode(NativeCall& call);
    ~PythonCode();
    PythonCode(const PythonCode&) = delete;
    PythonCode& operator=(const PythonCode&) = delete;

  private:
    py::gil_scoped_acquire acquire_;
    NativeCall& call_;
};

// Registers the stop at the exit of the interpreter; call once.
void register_exit();

}  // namespace tilery::bindings
