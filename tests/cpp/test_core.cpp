// SPDX-License-Identifier: MIT
// The small types of the core, and the program's main: run under ASan and UBSan.
#include <array>
#include <atomic>
#include <set>
#include <string>

#include "check.hpp"
#include "reachable.hpp"
#include "tilery/c/words.hpp"
#include "tilery/core/cell_set.hpp"
#include "tilery/core/lists.hpp"
#include "tilery/core/options.hpp"
#include "tilery/core/random.hpp"
#include "tilery/core/token.hpp"
#include "tilery/core/value.hpp"
#include "tilery/simulation/simulate.hpp"

namespace tilery::tests {

void test_laws(std::string_view name, const Value::Object& options);
void test_c_table(std::string_view name, const Value::Object& options);
void test_pools();
void test_threads(std::string_view name, const Value::Object& options);
void test_simd();
void test_decimals();
void test_tree();
void test_numbers();

namespace {

void test_random() {
    Rng a(1, 2), b(1, 2), c(1, 3), d(2, 2);
    const std::uint64_t first = a.next();
    CHECK(first == b.next());
    CHECK(first != c.next());
    CHECK(first != d.next());
    CHECK(multiply_high(~std::uint64_t{0}, 7) == 6);
    std::array<int, 6> seen{};
    for (int i = 0; i < 60'000; ++i) ++seen[a.below(6)];
    for (const int count : seen) CHECK(count > 9'500 && count < 10'500);
    CHECK(Rng(5).below(1) == 0);
}

template <std::size_t kCells>  // in one, two or three words
void test_cell_set() {
    Rng rng(7);
    for (int round = 0; round < 300; ++round) {
        CellSet<kCells> a, b;
        std::set<std::size_t> x, y;
        for (std::uint32_t i = rng.below(120); i > 0; --i) {
            const std::size_t cell = rng.below(kCells);
            a.insert(cell);
            x.insert(cell);
        }
        for (std::uint32_t i = rng.below(120); i > 0; --i) {
            const std::size_t cell = rng.below(kCells);
            b.insert(cell);
            y.insert(cell);
        }
        CHECK(a.size() == x.size());
        CHECK(a.empty() == x.empty());
        std::uint32_t n = 0;
        for (const std::size_t cell : x) CHECK(a.nth(n++) == cell);
        auto at = x.begin();
        a.for_each([&](std::size_t cell) { CHECK(cell == *at++); });
        if (!x.empty()) CHECK(a.first() == *x.begin());
        CellSet<kCells> without_last = a;
        if (!x.empty()) without_last.erase(*x.rbegin());
        CHECK(a.but_last() == without_last);
        for (std::size_t cell = 0; cell < kCells; ++cell) {
            CHECK((a | b).has(cell) == (x.contains(cell) || y.contains(cell)));
            CHECK((a & b).has(cell) == (x.contains(cell) && y.contains(cell)));
            CHECK((a - b).has(cell) == (x.contains(cell) && !y.contains(cell)));
        }
        CHECK((a & b).subset_of(a) && a.subset_of(a | b));
        CHECK(a.meets(b) == !(a & b).empty());
        for (const std::size_t cell : x) a.erase(cell);
        CHECK(a == CellSet<kCells>{});
    }
    if constexpr (kCells >= 70) CHECK(CellSet<kCells>::below(70).size() == 70);
    CHECK(CellSet<kCells>::below(kCells).size() == kCells);
    CHECK(CellSet<kCells>::below(0).empty());
}

void test_option_words() {
    const Value one = 1, two = 2;
    CHECK(value_of_word("[[1,2], [] ,\"a,]b\",c]") ==
          Value::list({Value::list({one, two}), Value::List(), "a,]b", "c"}));
    for (const char* const odd : {"[", "]", "[[1]", "[1]]", "[,", "[]]", "\"", "[\"]", "[ ]", "-", "+1"}) {
        CHECK(!value_of_word(odd).is_null());
    }
    for (const std::size_t levels : {17U, 1'000'000U}) {
        bool refused = false;
        try {
            static_cast<void>(value_of_word(std::string(levels, '[') + std::string(levels, ']')));
        } catch (const OptionError&) {
            refused = true;
        }
        CHECK(refused == (levels > 17));
    }
}

// Rules that a C++ program filled in are checked as those from outside: also enums without a word.
void test_rules_filled_in() {
    enum class Colour { kRed, kBlue };
    struct Rules {
        int players = 2;
        Colour colour = Colour::kRed;
        static Options options() {
            return {int_option<&Rules::players>("players", 2, 4),
                    choice_option<&Rules::colour>("colour", {"red", "blue"})};
        }
    };
    const auto reason = [](const Rules& rules) -> std::string {
        try {
            static_cast<void>(checked_rules(rules));
        } catch (const OptionError& error) {
            return error.what();
        }
        return "";
    };
    CHECK(checked_rules(Rules{3, Colour::kBlue}).colour == Colour::kBlue);
    CHECK(reason({9, Colour::kRed}) == "players must be an integer from 2 to 4, got 9");
    CHECK(reason({2, static_cast<Colour>(7)}) == R"(colour must be one of "red", "blue", got 7)");
    CHECK(reason({2, static_cast<Colour>(-1)}) == R"(colour must be one of "red", "blue", got -1)");
}

void test_lists() {
    FixedVector<std::uint8_t, 5> list, other;
    for (const int item : {3, 1, 4}) list.push_back(static_cast<std::uint8_t>(item));
    list.insert(1, 9);
    list.erase(0);
    for (const int item : {9, 1, 4}) other.push_back(static_cast<std::uint8_t>(item));
    CHECK(list == other && list.canonical());  // dead slots are cleared
    list.clear();
    CHECK(list == (FixedVector<std::uint8_t, 5>{}));
    OutcomeList<4> outcomes;
    outcomes.add(2, 3);
    outcomes.add(5, 0);
    outcomes.add(7, 1);
    CHECK(outcomes.total() == 4 && outcomes.at(0) == 2 && outcomes.at(2) == 2 && outcomes.at(3) == 7);
}

template <class F>
bool refuses(F&& f) {
    try {
        f();
    } catch (const ParseError&) {
        return true;
    }
    return false;
}

void test_tokens() {
    for (const std::string_view wrong : {"", "x", "-", "+1", "01", "-0", "8", "1 ", "99999999999999999999"}) {
        CHECK(refuses([&] {
            TokenReader reader(wrong);
            static_cast<void>(reader.number(-7, 7));
            reader.end();
        }));
    }
    TokenReader reader("a-7,3");
    reader.expect("a");
    CHECK(reader.number(-7, 7) == -7 && reader.accept(",") && reader.one_of("123", "a digit") == 2 && reader.at_end());
}

void test_values() {
    const Value value = Value::object({{"a", Value::list({1, true, nullptr, "q\"\n\xC3\xA9"})}, {"b", -2.5}});
    CHECK(value.json() == R"({"a":[1,true,null,"q\"\u000a\u00e9"],"b":-2.5})");
    CHECK(Value::list({3.0, -0.0, 1e300}).json() == "[3.0,-0.0,1e+300]");
    CHECK(value.find("b") != nullptr && value.find("c") == nullptr);
}

void test_words() {
    Value::Object options;
    CHECK(add_option(options, "table=[-2, 0,13,1]") && add_option(options, R"(sites=["d4ne"])"));
    CHECK(add_option(options, "farmers=false") && add_option(options, "data=base") && add_option(options, "a=[]"));
    CHECK(!add_option(options, "farmers"));
    bool twice_refused = false;
    try {
        add_option(options, "farmers=true");
    } catch (const OptionError&) {
        twice_refused = true;
    }
    CHECK(twice_refused);
    CHECK(Value(options).json() == R"({"table":[-2,0,13,1],"sites":["d4ne"],"farmers":false,"data":"base","a":[]})");
    // Lists in lists, so many that recursion without a bound would leave the stack.
    for (const std::size_t depth : {std::size_t{20}, std::size_t{1'000'000}}) {
        const std::string word = "sites=" + std::string(depth, '[') + std::string(depth, ']');
        bool refused = false;
        try {
            add_option(options, word);
        } catch (const OptionError&) {
            refused = true;
        }
        CHECK(refused);
    }
}

void test_messages() {
    using namespace std::string_view_literals;
    CHECK(printable("a\0\n\x7F"sv) == R"(a\x00\x0a\x7f)");
    CHECK(printable("\xC3\xA9\xF0\x9F\x98\x80") == "\xC3\xA9\xF0\x9F\x98\x80");
    // A stray byte, a cut character, an overlong one, a surrogate, a number beyond Unicode.
    CHECK(printable("\x80|\xC3|\xC0\xAF|\xED\xA0\x80|\xF4\x90\x80\x80") ==
          R"(\x80|\xc3|\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80)");
    CHECK(quoted("abc") == "'abc'" && quoted(std::string(70, 'a')) == "'" + std::string(60, 'a') + "...'");
    CHECK(quoted(std::string(59, 'a') + "\xC3\xA9" + "bcd") == "'" + std::string(59, 'a') + "...'");
    CHECK(OptionError("a\0b"sv).what() == R"(a\x00b)"sv);
}

void test_chunks() {
    for (const unsigned threads : {1U, 2U, 5U}) {
        std::vector<int> done(1000);
        std::atomic<bool> none{false}, asked{false}, failed{false};
        CHECK(in_chunks(
            1000, 7, threads, none,
            [&](std::uint64_t first, std::uint64_t last) {
                for (std::uint64_t i = first; i < last; ++i) ++done[i];
            },
            [] { return true; }));
        CHECK(std::count(done.begin(), done.end(), 1) == 1000 && !none);
        // So many chunks that the other threads cannot be through before the caller has asked.
        constexpr std::uint64_t kEndless = std::uint64_t{1} << 60;
        CHECK(!in_chunks(
                  kEndless, 1, threads, asked, [](std::uint64_t, std::uint64_t) {}, [] { return false; }) &&
              asked);
        bool thrown = false;
        try {
            in_chunks(1000, 1, threads, failed, [](std::uint64_t, std::uint64_t) { throw 3; }, [] { return true; });
        } catch (int) {
            thrown = true;
        }
        CHECK(thrown && failed);
    }
}

}  // namespace
}  // namespace tilery::tests

//     tilery_test                        the core, and the laws on the toy, its bed
//     tilery_test GAME [OPTION=VALUE ...]  the laws on a game
//     tilery_test GAME --threads           the same results on any number of threads
int main(int count, char** words) {
    using namespace tilery;
    using namespace tilery::tests;
    if (count == 3 && words[2] == std::string_view("--threads")) {
        test_pools();
        test_threads(words[1], {});
    } else if (count > 1) {
        Value::Object options;
        for (int i = 2; i < count; ++i) CHECK(add_option(options, words[i]));
        test_laws(words[1], options);
        test_c_table(words[1], options);
        test_threads(words[1], options);
        if (options.empty()) test_reachable(words[1]);
    } else {
        test_random();
        test_cell_set<50>();
        test_cell_set<128>();
        test_cell_set<150>();
        test_option_words();
        test_simd();
        test_decimals();
        test_tree();
        test_numbers();
        test_rules_filled_in();
        test_lists();
        test_tokens();
        test_values();
        test_words();
        test_messages();
        test_chunks();
        test_laws("toy", {});
        test_c_table("toy", {});
        test_reachable("toy");
        test_pools();
        test_threads("toy", {});
    }
    std::cout << tally().passed << " passed, " << tally().failed << " failed\n";
    return tally().failed == 0 ? 0 : 1;
}
