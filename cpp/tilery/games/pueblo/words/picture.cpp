// SPDX-License-Identifier: MIT
// Pueblo: the building as a solid, and as a plan with heights. What cubes look like is data (pueblo-shapes.json).
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tilery/core/svg.hpp"
#include "tilery/games/pueblo/game.hpp"

namespace tilery::data {
const Value& pueblo_shapes();
}

namespace tilery::pueblo {
namespace {

using svg::Anchor;
using svg::Point;

constexpr int kHalfWidth = 34, kHalfHeight = 18, kCube = 29;  // of the diamond of a square, and a cube's height
constexpr int kCell = 31, kLargeCell = 56;                    // of the plan, next to the building and below it
constexpr Point kPanel{784, 60};
constexpr int kWidth = 1124;
constexpr std::string_view kNeutralColour = "#d8c49a", kSite = "#efe3c6", kSeen = "#ffe9a8", kPath = "#cbb78d",
                           kHidden = "#8d948c";

std::string file_name(int file) { return std::string(1, "abcdefgh"[file]); }
int number_of(Point square) { return kSide * square.y + square.x; }
bool on_site(Point square) { return std::clamp(square.x, 0, 7) == square.x && std::clamp(square.y, 0, 7) == square.y; }

// Where a space of the chieftain's path is, just outside the site (PB-7).
Point place_of(int space) {
    const int k = space % (kSide + 1);
    const std::array<Point, 4> sides{{{-1, k - 1}, {k - 1, kSide}, {kSide, kSide - k}, {kSide - k, -1}}};
    return sides[index(space / (kSide + 1))];
}

// The seat that owns a cube, or -1, and the colour of the cube; ' ' is no cube.
Player seat_of(char owner) { return owner >= '0' && owner <= '3' ? owner - '0' : -1; }
std::string_view colour_of(char owner, std::string_view bare) {
    return owner == ' ' ? bare : owner == 'n' ? kNeutralColour : svg::seat_colour(seat_of(owner));
}

// The squares of a window "d4ne": its apex and the two at its sides.
std::array<Point, 3> window_squares(std::string_view name) {
    const Point apex{name[0] - 'a', name[1] - '1'};
    return {apex, apex + Point{name[3] == 'e' ? 1 : -1, 0}, apex + Point{0, name[2] == 'n' ? 1 : -1}};
}

class Drawing {
  public:
    Drawing(const PictureInput& input, const Rules& rules)
        : input_(input),
          rules_(rules),
          info_(input.common()),
          canvas_(input),
          chieftain_(info_["chieftain"].integer()) {
        constexpr std::array kViews{0, 3, 2, 1};
        const int side = chieftain_ / (kSide + 1) + (chieftain_ % (kSide + 1) > kSide / 2 ? 1 : 0);
        view_ = (kViews[index(side % 4)] + input.turns) % 4;
        canvas_.solid(view_);
        for (const Site& site : rules.sites) covered_ |= squares_of(site.apex, site.direction);
        for (const std::uint8_t square : Game::looked_at(chieftain_)) seen_.insert(square);
        for (const std::string_view pick : input.last) {
            if (pick.starts_with("window:")) {
                for (const Point square : window_squares(pick.substr(7))) last_.push_back(square);
            }
            if (pick.starts_with("square:") && input.last.size() == 1) last_.push_back({pick[7] - 'a', pick[8] - '1'});
        }
        int top = at({kSide + 1, kSide + 1}, 0).y;
        from_behind([&](Point place) {
            const Point square = shown_at(place);
            if (!on_site(square)) return;
            top = std::min(top, at(place + Point{1, 1}, number(column_of(square).size())).y);
        });
        const int bottom = at({-1, -1}, 0).y;
        if (input.part == Part::kBoard) {  // the plan is below the building
            cell_ = kLargeCell;
            height_ = bottom - top + 60 + 10 * cell_ + 10;
            base_ = 30 - top;
            return;
        }
        // In the middle of the height, which the panel or the building needs.
        height_ = std::max(bottom - top + 60, plan_top() + 10 * cell_ + 24);
        base_ = (height_ - (bottom - top)) / 2 - top;
    }

    [[nodiscard]] std::string draw() {
        canvas_.define(data::pueblo_shapes()["shapes"], rules_.players);
        draw_solid();
        draw_letters();
        canvas_.panel();
        canvas_.text({kPanel.x, 40}, title(), {17, svg::kInk, Anchor::kStart, true});
        canvas_.players(kPanel, kWidth - kPanel.x - 26, player_lines(), info_["player"].integer());
        if (const std::string auction = auction_text(); !auction.empty())
            canvas_.group({kPanel.x, plan_top() - 12}, auction, {13});
        if (input_.beside()) draw_elevations({kPanel.x, plan_top()});
        canvas_.panel(false);
        const int board = kPanel.x - 18;
        draw_plan(input_.part == Part::kBoard ? Point{(board - 10 * cell_) / 2, height_ - 10 * cell_ - 10}
                                              : Point{kPanel.x, plan_top()});
        return canvas_.finish({kWidth, height_}, title(), "#f4efe4", board);
    }

  private:
    [[nodiscard]] const std::string& column_of(Point square) const {
        return info_["columns"][number_of(square)].text();
    }
    [[nodiscard]] bool is_covered(Point square) const { return covered_.has(index(number_of(square))); }
    [[nodiscard]] bool is_seen(Point square) const { return seen_.has(index(number_of(square))); }
    // The square that the view, turned so that the chieftain is in front, shows in this place.
    [[nodiscard]] Point shown_at(Point place) const {
        for (int turn = 0; turn < view_; ++turn) place = {kSide - 1 - place.y, place.x};
        return place;
    }
    [[nodiscard]] Point at(Point place, int level) const {
        return {372 + (place.x - place.y) * kHalfWidth, base_ - (place.x + place.y) * kHalfHeight - level * kCube};
    }
    [[nodiscard]] std::array<Point, 4> face(Point place, int level) const {
        return {at(place, level), at(place + Point{1, 0}, level), at(place + Point{1, 1}, level),
                at(place + Point{0, 1}, level)};
    }
    // A length of the plan, given for cells of the usual size.
    [[nodiscard]] int sized(int length) const { return length * cell_ / kCell; }
    [[nodiscard]] int plan_top() const { return kPanel.y + rules_.players * svg::Canvas::kPlayerLine + 26; }
    static void from_behind(auto&& visit) {
        for (int x = kSide; x >= -1; --x) {
            for (int y = kSide; y >= -1; --y) visit(Point{x, y});
        }
    }

    void draw_solid() {
        const Point chieftain = place_of(chieftain_);
        from_behind([&](Point place) {
            const Point square = shown_at(place);
            const auto ground = face(place, 0);
            if (on_site(square)) {
                if (!is_covered(square) && is_seen(square)) {
                    canvas_.use("pueblo-seen", at(place, 0));
                } else {
                    const std::string_view bare = (square.x + square.y) % 2 == 0 ? "#e7d8b5" : kSite;
                    canvas_.polygon(ground, {is_covered(square) ? kHidden : bare, "#cdb98b"});
                }
                draw_column(place, square);
            } else {
                const bool corner = square.x != std::clamp(square.x, 0, 7) && square.y != std::clamp(square.y, 0, 7);
                canvas_.polygon(ground, {corner ? "#a18654" : "#b9a27a", "#8a744d"});
                if (square == chieftain) canvas_.use("pueblo-chieftain", at(place, 0) + Point{0, 4 - kHalfHeight});
            }
        });
    }

    void draw_column(Point place, Point square) {
        const std::string& owners = column_of(square);
        int level = 0;
        for (const char owner : owners) canvas_.use(std::string("pueblo-cube-") + owner, at(place, level++));
        const Point centre = at(place, level) + Point{0, -kHalfHeight};
        if (!owners.empty() && owners.back() != 'n') {
            const Player seat = seat_of(owners.back());
            canvas_.text(centre + Point{0, 4}, std::string(1, owners.back()),
                         {11, svg::ink_on_seat(seat), Anchor::kMiddle, true});
        }
        if (is_covered(square)) canvas_.use("pueblo-site", centre);
        if (std::ranges::find(last_, square) == last_.end()) return;
        canvas_.polygon(face(place, level), {"none", "#fff", 4});
        canvas_.polygon(face(place, level), {"none", "#111", 2, "stroke-dasharray=\"5 4\""});
    }

    void draw_letters() {
        for (int k = 0; k < kSide; ++k) {
            for (const Point place : {Point{k, -1}, Point{-1, k}}) {
                const Point square = shown_at(place);
                if (square == place_of(chieftain_)) continue;
                const bool file = square.x == std::clamp(square.x, 0, 7);
                canvas_.text(at(place, 0) + Point{0, 5 - kHalfHeight},
                             file ? file_name(square.x) : std::to_string(square.y + 1),
                             {13, "#4f3f1c", Anchor::kMiddle});
            }
        }
    }

    void draw_plan(Point corner) {
        // The corner of the cell of a square or space.
        const auto cell = [&](Point place) { return corner + Point{(place.x + 1) * cell_, (kSide - place.y) * cell_}; };
        draw_spaces(cell);
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) draw_cell(cell({x, y}), {x, y});
        }
        for (const Point square : last_) {
            canvas_.rect(cell(square) + Point{2, 2}, {cell_ - 4, cell_ - 4}, {"none", "#fff", 4});
            canvas_.rect(cell(square) + Point{2, 2}, {cell_ - 4, cell_ - 4},
                         {"none", "#111", 2, "stroke-dasharray=\"5 4\""});
        }
    }

    void draw_cell(Point corner, Point square) {
        const std::string& owners = column_of(square);
        const char owner = owners.empty() ? ' ' : owners.back();
        const Player seat = seat_of(owner);
        const std::string_view bare = is_covered(square) ? kHidden : is_seen(square) ? kSeen : kSite;
        canvas_.rect(corner, {cell_, cell_}, {colour_of(owner, bare), "#7d6c45"});
        if (!owners.empty()) {
            canvas_.text(corner + Point{cell_ / 2, cell_ / 2 + sized(6)}, number(owners.size()),
                         {sized(16), seat >= 0 ? svg::ink_on_seat(seat) : svg::kInk, Anchor::kMiddle, true});
        }
        if (is_covered(square)) canvas_.circle(corner + Point{cell_ / 2, cell_ / 2}, sized(7), {"#5d645c", "#fff", 2});
        canvas_.target_rect("square:" + square_name(number_of(square)), corner, {cell_, cell_});
        // A window is pointed at by the square that it leaves out.
        for (const Point away : {Point{-1, -1}, Point{1, -1}, Point{-1, 1}, Point{1, 1}}) {
            const Point apex = square + away;
            if (!on_site(apex)) continue;
            const std::string window =
                "window:" + square_name(number_of(apex)) + (away.y < 0 ? "n" : "s") + (away.x < 0 ? "e" : "w");
            if (input_.find_target(window) != nullptr) canvas_.target_rect(window, corner, {cell_, cell_});
        }
    }

    void draw_spaces(const auto& cell) {
        for (int space = 0; space < kSpaces; ++space) {
            canvas_.rect(cell(place_of(space)) + Point{1, 1}, {cell_ - 2, cell_ - 2}, {kPath}, 3);
        }
        for (int k = 0; k < kSide; ++k) {
            canvas_.text(cell({k, -1}) + Point{sized(15), sized(20)}, file_name(k),
                         {sized(12), "#5a4a28", Anchor::kMiddle});
            canvas_.text(cell({-1, k}) + Point{sized(15), sized(20)}, k + 1, {sized(12), "#5a4a28", Anchor::kMiddle});
        }
        canvas_.circle(cell(place_of(chieftain_)) + Point{sized(15), sized(15)}, sized(11), {"#7a3b1d", "#f0c419", 3});
        for (int steps = 1; steps <= kMostSteps; ++steps) {
            const std::string pick = "steps:" + std::to_string(steps);
            if (input_.find_target(pick) == nullptr) continue;
            const Point place = cell(place_of((chieftain_ + steps) % (kSpaces)));
            canvas_.circle(place + Point{sized(15), sized(15)}, sized(13), {svg::kPaper});
            canvas_.text(place + Point{sized(15), sized(20)}, "+" + std::to_string(steps),
                         {sized(12), svg::kInk, Anchor::kMiddle, true});
            canvas_.target_circle(pick, place + Point{sized(15), sized(15)}, sized(13));
        }
    }

    void draw_elevations(Point corner) {
        int levels = 2;
        for (const Value& column : info_["columns"].items()) levels = std::max(levels, number(column.text().size()));
        for (int side = 0; side < 4; ++side)
            draw_elevation(corner + Point{side % 2 * 168, side / 2 * (levels * 19 + 68)}, side, levels);
    }

    // The view of the chieftain from each space of a side, on each level the first cube (PB-8), as they see it;
    // below it the points of each player from all spaces of the side.
    void draw_elevation(Point corner, int side, int levels) {
        constexpr int kBrick = 19;
        constexpr std::array<std::string_view, 4> kSides{"west", "north", "east", "south"};
        std::array<int, svg::kSeatColours.size()> points{};
        canvas_.group(corner + Point{0, 12}, "from the " + std::string(kSides[index(side)]), {12});
        canvas_.thing("", corner + Point{0, 17}, {kSide * kBrick + 1, 58 - 17 + levels * kBrick}, "", [&] {
            for (int column = 0; column < kSide; ++column) {
                const int space = side * (kSide + 1) + kSide - column;  // those on the right come first
                const Point place = place_of(space);
                for (int level = 0; level < levels; ++level) {
                    char owner = ' ';
                    for (const std::uint8_t square : Game::looked_at(space)) {  // the nearest first
                        const std::string& owners = info_["columns"][square].text();
                        if (owner == ' ' && level < number(owners.size())) owner = owners[index(level)];
                    }
                    const Player seat = seat_of(owner);
                    const Point at = corner + Point{column * kBrick, 18 + (levels - 1 - level) * kBrick};
                    canvas_.rect(at, {kBrick, kBrick},
                                 {colour_of(owner, space == chieftain_ ? kSeen : kSite), "#a08f66"});
                    if (seat < 0) continue;
                    points[index(seat)] += level + 1;
                    canvas_.text(at + Point{kBrick / 2, 14}, std::string(1, owner),
                                 {11, svg::ink_on_seat(seat), Anchor::kMiddle, true});
                }
                const bool files = place.x >= 0 && place.x < kSide;
                canvas_.text(corner + Point{column * kBrick + kBrick / 2, 31 + levels * kBrick},
                             files ? file_name(place.x) : std::to_string(place.y + 1),
                             {11, "#5a4a28", Anchor::kMiddle});
            }
            for (Player seat = 0; seat < rules_.players; ++seat) {
                const Point at = corner + Point{seat * 38, 38 + levels * kBrick};
                canvas_.rect(at, {16, 16}, {svg::seat_colour(seat)}, 3);
                canvas_.text(at + Point{8, 13}, seat, {11, svg::ink_on_seat(seat), Anchor::kMiddle, true});
                canvas_.text(at + Point{20, 13}, points[index(seat)], {12, svg::kInk, Anchor::kStart, true});
            }
        });
    }

    [[nodiscard]] std::vector<svg::PlayerLine> player_lines() const {
        std::vector<svg::PlayerLine> lines;
        for (const Value& points : info_["scores"].items()) {
            const Value& supply = info_["supply"][number(lines.size())];
            const int aside = info_["aside"].integer();
            lines.push_back(
                {points.integer(),
                 std::to_string(supply[0].integer()) + " coloured, " + std::to_string(supply[1].integer()) + " neutral",
                 aside > 0 ? "in hand, " + std::to_string(aside) + " pairs aside" : "in hand"});
        }
        return lines;
    }

    [[nodiscard]] std::string title() const {
        const std::string& step = info_["step"].text();
        const std::string what = step == "over"     ? "the game is over"
                                 : step == "place"  ? "place a block"
                                 : step == "move"   ? "move the chieftain"
                                 : step == "remove" ? "remove a block"
                                 : step == "bid"    ? "bid"
                                                    : "take a token";
        return "Pueblo" + (rules_.pro || rules_.demolition ? ", part " + std::to_string(info_["part"].integer()) : "") +
               ": " + what;
    }

    [[nodiscard]] std::string auction_text() const {
        const Value* const auction = info_.find("auction");
        if (auction == nullptr || auction->is_null()) return "";
        const Value& bidder = (*auction)["bidder"];
        if (bidder.is_null()) return "auction: no bid";
        return "auction: player " + std::to_string(bidder.integer()) + " bids " +
               std::to_string((*auction)["bid"].integer());
    }

    const PictureInput& input_;
    const Rules& rules_;
    const Value& info_;
    svg::Canvas canvas_;
    int chieftain_, view_, height_ = 0, base_ = 0, cell_ = kCell;
    Squares covered_, seen_;   // by sacred sites, from where the chieftain is
    std::vector<Point> last_;  // of the last action
};

}  // namespace

std::string Game::picture(const PictureInput& input) const { return Drawing(input, rules_).draw(); }

}  // namespace tilery::pueblo
