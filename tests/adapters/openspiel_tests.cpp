// SPDX-License-Identifier: MIT
// The tests that OpenSpiel has in C++ alone, for test_openspiel.py: compiled and loaded as the plug-in is.
#include <exception>
#include <string>

#include "open_spiel/spiel.h"
#include "open_spiel/tests/basic_tests.h"

// Runs a test of a game; returns null, or what is wrong.
extern "C" const char* run_test(const char* name, const char* game_string, int simulations) {
    static std::string wrong;
    try {
        const std::string test = name;
        const auto game = open_spiel::LoadGame(game_string);
        if (test == "undo") {
            open_spiel::testing::RandomSimTestWithUndo(*game, simulations);
        } else if (test == "resample") {
            open_spiel::testing::ResampleInfostateTest(*game, simulations);
        } else if (test == "chance") {
            open_spiel::testing::CheckChanceOutcomes(*game);
        } else if (test == "has chance") {
            open_spiel::testing::ChanceOutcomesTest(*game);
        } else if (test == "has no chance") {
            open_spiel::testing::NoChanceOutcomesTest(*game);
        } else {
            return "there is no such test";
        }
        return nullptr;
    } catch (const std::exception& error) {
        wrong = error.what();
        return wrong.c_str();
    }
}
