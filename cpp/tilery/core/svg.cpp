// SPDX-License-Identifier: MIT
#include "tilery/core/svg.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tilery {

const Target* PictureInput::find_target(std::string_view pick) const {
    const auto found = std::ranges::lower_bound(targets, pick, {}, &Target::pick);
    return found != targets.end() && found->pick == pick ? &*found : nullptr;
}

bool PictureInput::is_last(std::string_view pick) const { return std::ranges::find(last, pick) != last.end(); }

std::string words_of_pick(std::string_view pick) {
    constexpr std::string_view kButton = "button:";
    if (pick.starts_with(kButton)) return std::string(pick.substr(kButton.size()));
    std::string words(pick);
    if (const std::size_t colon = words.find(':'); colon != std::string::npos) words[colon] = ' ';
    return words;
}

std::string picture_of_text(const PictureInput& input, std::string_view text) {
    constexpr int kSize = 14, kLine = 20, kMargin = 20;
    svg::Canvas canvas(input);
    int y = kMargin;
    std::size_t longest = 0;
    canvas << "<g font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" xml:space=\"preserve\">";
    while (true) {
        const std::string_view line = text.substr(0, text.find('\n'));
        longest = std::max(longest, line.size());
        canvas.text({kMargin, y += kLine}, line, {.size = kSize});
        if (line.size() == text.size()) break;
        text.remove_prefix(line.size() + 1);
    }
    canvas << "</g>";
    return canvas.finish({2 * kMargin + 9 * number(longest), y + kMargin}, input.name, svg::kPaper);
}

namespace svg {

std::string shade(std::string_view colour, int percent) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    std::string shaded = "#";
    for (std::size_t i = 1; i < 7; i += 2) {
        int part = 0;
        std::from_chars(colour.data() + i, colour.data() + i + 2, part, 16);
        part = percent <= 100 ? part * percent / 100 : 255 - (255 - part) * (200 - percent) / 100;
        shaded += kHex[index(part / 16)];
        shaded += kHex[index(part % 16)];
    }
    return shaded;
}

std::string escaped(std::string_view text) {
    static constexpr std::string_view kSpecial = "&<>\"";
    static constexpr std::array<std::string_view, kSpecial.size()> kEscapes{"&amp;", "&lt;", "&gt;", "&quot;"};
    std::string out;
    for (const char c : text) {
        if (const std::size_t place = kSpecial.find(c); place != kSpecial.npos) {
            out += kEscapes[place];
        } else {
            out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    }
    return out;
}

// A text of a group for each player with what stands in braces filled in.
static std::string for_seat(std::string_view text, Player seat) {
    std::string filled;
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{')) {
        const std::size_t close = text.find('}', open);
        const std::string word(text.substr(open + 1, close - open - 1));
        filled += text.substr(0, open);
        if (word == "seat") {
            filled += std::to_string(seat);
        } else {
            filled += word == "ink" ? std::string(ink_on_seat(seat)) : shade(seat_colour(seat), std::stoi(word));
        }
        text.remove_prefix(close + 1);
    }
    return filled.append(text);
}

// An element that is drawn: its name, and the attributes that say where.
struct Shape {
    std::string_view name;
    std::string attributes;
};

// Numbers as attributes.
static std::string numbers(std::initializer_list<std::pair<std::string_view, int>> attributes) {
    std::string text;
    for (const auto& [name, number] : attributes) {
        text.append(" ").append(name).append("=\"").append(std::to_string(number)).append("\"");
    }
    return text;
}

static Shape rectangle(Point corner, Point size, int radius) {
    Shape shape{"rect", numbers({{"x", corner.x}, {"y", corner.y}, {"width", size.x}, {"height", size.y}})};
    if (radius > 0) shape.attributes += numbers({{"rx", radius}});
    return shape;
}
static Shape disc(Point centre, int radius) {
    return {"circle", numbers({{"cx", centre.x}, {"cy", centre.y}, {"r", radius}})};
}
static Shape outline(std::span<const Point> corners) {
    std::string points;
    for (const Point& point : corners) {
        points += (points.empty() ? "" : " ") + std::to_string(point.x) + ',' + std::to_string(point.y);
    }
    return {"polygon", " points=\"" + points + "\""};
}

// The box that a drawing shows, and its size.
static std::string frame(Point corner, Point size, int percent = 100) {
    return " viewBox=\"" + std::to_string(corner.x) + " " + std::to_string(corner.y) + " " + std::to_string(size.x) +
           " " + std::to_string(size.y) + "\"" +
           numbers({{"width", size.x * percent / 100}, {"height", size.y * percent / 100}});
}

void Canvas::put(const Shape& shape, const Paint& paint) {
    *this << "<" << shape.name << shape.attributes << " fill=\"" << paint.fill << "\"";
    if (!paint.stroke.empty()) {
        *this << " stroke=\"" << paint.stroke << "\"";
        if (paint.width != 1) *this << " stroke-width=\"" << paint.width << "\"";
    }
    if (!paint.more.empty()) *this << " " << paint.more;
    *this << "/>";
}

void Canvas::rect(Point corner, Point size, const Paint& paint, int radius) {
    extend_panel(corner.y + size.y);
    put(rectangle(corner, size, radius), paint);
}

void Canvas::circle(Point centre, int radius, const Paint& paint) {
    extend_panel(centre.y + radius);
    put(disc(centre, radius), paint);
}

void Canvas::polygon(std::span<const Point> corners, const Paint& paint) {
    for (const Point corner : corners) extend_panel(corner.y);
    put(outline(corners), paint);
}

void Canvas::path(std::string_view data, const Paint& paint) {
    put({"path", " d=\"" + std::string(data) + "\""}, paint);
}

void Canvas::text(Point base, std::string_view text, const Font& font) {
    extend_panel(base.y);
    *this << "<text" << numbers({{"x", base.x}, {"y", base.y}, {"font-size", font.size}}) << " fill=\"" << font.fill
          << "\"";
    if (font.anchor != Anchor::kStart) {
        *this << " text-anchor=\"" << (font.anchor == Anchor::kMiddle ? "middle" : "end") << "\"";
    }
    if (font.bold) *this << " font-weight=\"bold\"";
    if (!font.halo.empty()) {
        *this << " stroke=\"" << font.halo << "\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
    }
    *this << ">" << escaped(text) << "</text>";
}

void Canvas::define(std::string_view id, std::string_view markup, std::string_view words) {
    std::string shape = "<g id=\"" + std::string(id) + "\">";
    if (!words.empty()) shape += "<title>" + escaped(words) + "</title>";
    definitions_.emplace_back(id, shape.append(markup).append("</g>"));
}

void Canvas::define(const Value& groups, int players) {
    for (const Value& group : groups.items()) {
        const int copies = group.members().front().first.ends_with("{seat}") ? players : 1;
        for (Player seat = 0; seat < copies; ++seat) {
            for (const auto& [id, shape] : group.members()) {
                define(for_seat(id, seat), for_seat(shape["svg"].text(), seat), for_seat(shape["words"].text(), seat));
            }
        }
    }
}

void Canvas::use(std::string_view id, Point at) {
    *this << "<use href=\"#" << id << "\" x=\"" << at.x << "\" y=\"" << at.y << "\"/>";
}

void Canvas::players(Point corner, int width, std::span<const PlayerLine> lines, Player to_act) {
    constexpr int kHeight = kPlayerLine - 6, kBar = 22;
    note_players(lines);
    Player seat = 0;
    for (const PlayerLine& line : lines) {
        const bool acts = seat == to_act;
        const std::string_view colour = seat_colour(seat);
        rect(corner, {width, kHeight}, {kPaper, acts ? colour : "#c9bfa8", acts ? 4 : 1}, 6);
        rect(corner, {kBar, kHeight}, {colour}, 4);
        text(corner + Point{kBar / 2, 26}, seat, {15, ink_on_seat(seat), Anchor::kMiddle, true});
        text(corner + Point{kBar + 12, 27}, line.points, {20, kInk, Anchor::kStart, true});
        text(corner + Point{kBar + 62, 17}, line.first, {11, kGrey});
        text(corner + Point{kBar + 62, 32}, line.second, {11, kGrey});
        if (acts) polygon({corner + Point{-14, 12}, corner + Point{-4, 20}, corner + Point{-14, 28}}, {colour});
        corner.y += kPlayerLine;
        ++seat;
    }
    panel_top_ = panel_bottom_ = corner.y;
}

void Canvas::put_target(std::string_view pick, const Shape& shape) {
    const Target* const target = input_.find_target(pick);
    std::string* out = &layer().spots;
    if (target != nullptr) {
        out = target->first ? &layer().first_targets : &layer().later_targets;
        if (layer().picks.empty() || layer().picks.back() != pick) layer().picks.emplace_back(pick);
    } else {
        if (!input_.spots && (!input_.beside() || input_.targets.empty())) return;
        layer().idle.emplace_back(pick);
    }
    out->append("<").append(shape.name);
    out->append(target != nullptr ? " class=\"target\" data-pick=\"" : " class=\"spot\" data-spot=\"");
    out->append(escaped(pick)).append("\"").append(shape.attributes).append("/>");
}

void Canvas::target_rect(std::string_view pick, Point corner, Point size, int radius) {
    put_target(pick, rectangle(corner, size, radius));
}

void Canvas::target_circle(std::string_view pick, Point centre, int radius) { put_target(pick, disc(centre, radius)); }

void Canvas::target_polygon(std::string_view pick, std::span<const Point> corners) {
    put_target(pick, outline(corners));
}

std::string Canvas::data(std::string_view title) const {
    Value::List players;
    for (Player seat = 0; seat < number(players_.size()); ++seat) {
        const PlayerLine& line = players_[index(seat)];
        Value::List lines;
        for (const std::string& text : {line.first, line.second}) {
            if (!text.empty()) lines.emplace_back(text);
        }
        players.push_back(Value::object({{"seat", seat},
                                         {"name", seat_name(seat)},
                                         {"colour", seat_colour(seat)},
                                         {"points", line.points},
                                         {"lines", std::move(lines)}}));
    }
    Value::List groups;
    std::string drawn, shapes;  // all that things show, and the shapes of it
    for (const Group& group : groups_) {
        Value::List things;
        for (const Thing& each : group.things) {
            std::string svg;
            if (!each.drawn.empty()) {
                svg = "<svg" + frame(each.corner, each.size, each.percent) + " aria-hidden=\"true\">" + each.drawn +
                      "</svg>";
            }
            drawn += svg;
            things.push_back(Value::object({{"pick", each.pick}, {"words", each.words}, {"svg", std::move(svg)}}));
        }
        groups.push_back(Value::object({{"words", group.words},
                                        {"seat", group.seat ? Value(*group.seat) : Value()},
                                        {"things", std::move(things)}}));
    }
    for (auto each = definitions_.rbegin(); each != definitions_.rend(); ++each) {  // a shape may use those before it
        const auto& [id, shape] = *each;
        if (drawn.find("href=\"#" + id + "\"") == std::string::npos) continue;
        drawn += shape;
        shapes.insert(0, shape);
    }
    Value::Object said{{"title", title},
                       {"to_act", input_.to_act},
                       {"players", std::move(players)},
                       {"picks", Value::list_of(layers_[1].picks)},
                       {"spots", Value::list_of(layers_[1].idle)},
                       {"labels", Value(labels_)},
                       {"groups", std::move(groups)},
                       {"shapes", std::move(shapes)}};
    said.insert(said.end(), input_.more.begin(), input_.more.end());
    return Value(std::move(said)).json();
}

std::string Canvas::finish(Point size, std::string_view title, std::string_view background, int panel) const {
    if (input_.part == Part::kData) return data(title);
    const bool with_board = input_.part != Part::kPanel, with_panel = input_.part != Part::kBoard;
    Point corner{0, 0};
    if (!with_panel && panel > 0) size.x = panel;
    if (!with_board) {
        corner = {panel, panel_top_};
        size = {size.x - panel, std::max(0, panel_bottom_ + 14 - panel_top_)};
    }
    const std::span<const Layer> layers =
        std::span(layers_).subspan(with_board ? 0 : 1, with_board && with_panel ? 2 : 1);
    const auto joined = [&](std::string Layer::* text) {
        std::string all;
        for (const Layer& each : layers) all += each.*text;
        return all;
    };
    const std::string name = escaped(title), first = joined(&Layer::first_targets),
                      later = joined(&Layer::later_targets);
    Canvas all(input_);
    all << "<svg xmlns=\"http://www.w3.org/2000/svg\"" << frame(corner, size)
        << " font-family=\"DejaVu Sans, Verdana, sans-serif\" stroke-linejoin=\"round\" role=\""
        << (first.empty() && later.empty() ? "img" : "group") << "\" aria-label=\"" << name << "\"";
    if (input_.part == Part::kAll && panel > 0) all << " data-panel=\"" << panel << "\"";
    if (solid_ && with_board) all << " data-solid=\"" << *solid_ << "\"";
    if (input_.ghost) all << " class=\"ghost\"";
    all << "><title>" << name << "</title>";
    if (!definitions_.empty()) {
        all << "<defs>";
        for (const auto& [id, shape] : definitions_) all << shape;
        all << "</defs>";
    }
    all.rect(corner, size, {background}, 12);
    all << joined(&Layer::out);
    if (const std::string spots = joined(&Layer::spots); !spots.empty())
        all << "<g fill-opacity=\"0\">" << spots << "</g>";
    // Above all else: visible where a choice begins, and otherwise only for a page that shows them in turn.
    if (!first.empty()) {
        all << "<g class=\"targets\" fill=\"#ffd54a\" fill-opacity=\"0.25\" stroke=\"#c0392b\" stroke-width=\"2\">"
            << first << "</g>";
    }
    if (!later.empty()) all << "<g class=\"targets\" fill-opacity=\"0\">" << later << "</g>";
    all << "</svg>";
    return std::move(all.layers_[0].out);
}

}  // namespace svg
}  // namespace tilery
