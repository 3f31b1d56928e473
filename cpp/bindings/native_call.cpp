// SPDX-License-Identifier: MIT
#include "native_call.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>

namespace tilery::bindings {
namespace {

using namespace std::chrono_literals;

std::atomic<bool> exiting{false};
unsigned long exiting_thread = 0;
std::atomic<int> running{0}, called_back{0};  // calls, and those of them that are in Python code
// Counts forks: a child does not have the calls that its parent was in on other threads.
std::atomic<unsigned long> forks{0};

void stop_and_wait() {
    exiting_thread = PyThread_get_thread_ident();
    exiting = true;
    const py::gil_scoped_release release;
    const auto patience = std::chrono::steady_clock::now() + 2s;
    while (running > called_back || (running > 0 && std::chrono::steady_clock::now() < patience)) {
        std::this_thread::sleep_for(1ms);
    }
}

void forget_other_threads() {
    ++forks;
    running = called_back = 0;
}

[[noreturn]] void throw_exit() {
    if (PyThread_get_thread_ident() == exiting_thread) throw std::runtime_error("the interpreter is exiting");
    PyErr_SetNone(PyExc_SystemExit);
    throw py::error_already_set();
}

}  // namespace

NativeCall::NativeCall(unsigned often, std::function<void()> progress)
    : often_(often),
      progress_(std::move(progress)),
      process_(forks),
      next_look_(std::chrono::steady_clock::now() + 50ms) {
    if (exiting) throw_exit();
    ++running;
}

NativeCall::~NativeCall() {
    if (process_ == forks) --running;
}

bool NativeCall::go_on() {
    if (exiting.load(std::memory_order_relaxed)) return false;
    if (++asked_ % often_ != 0) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return true;
    next_look_ = now + 50ms;
    const PythonCode in_python(*this);
    if (PyErr_CheckSignals() != 0) return false;
    if (progress_) {
        try {
            progress_();
        } catch (py::error_already_set& error) {
            error.restore();
            return false;
        }
    }
    return true;
}

void NativeCall::throw_reason() const {
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    throw_exit();
}

bool NativeCall::ending() noexcept { return exiting.load(std::memory_order_relaxed); }

unsigned long NativeCall::process() noexcept { return forks; }

PythonCode::PythonCode(NativeCall& call) : call_(call) {
    if (call_.called_back_++ == 0 && call_.process_ == forks) ++called_back;
}

PythonCode::~PythonCode() {
    if (--call_.called_back_ == 0 && call_.process_ == forks) --called_back;
}

void register_exit() {
    py::module_::import("atexit").attr("register")(py::cpp_function(&stop_and_wait));
    const py::module_ os = py::module_::import("os");
    if (py::hasattr(os, "register_at_fork")) {
        os.attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function(&forget_other_threads));
    }
}

}  // namespace tilery::bindings
