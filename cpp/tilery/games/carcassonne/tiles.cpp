// SPDX-License-Identifier: MIT
#include "tilery/games/carcassonne/tiles.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

namespace tilery::data {
const Value& carcassonne();
}

namespace tilery::carcassonne {
namespace {

constexpr std::array<std::string_view, 8> kHalfNames{"NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"};

void require(bool holds, const std::string& what) {
    if (!holds) throw std::logic_error("the tiles of Carcassonne: " + what);
}

// The side a letter means, as its number clockwise from the north.
std::size_t clockwise_of(char letter) {
    const std::size_t at = std::string_view("NESW").find(letter);
    require(at < kSides, "no such side");
    return at;
}

constexpr std::uint8_t bit(std::size_t i) { return narrow<std::uint8_t>(1U << i); }

// The edges of a tile that is turned clockwise.
Edges turned_edges(Edges edges, std::size_t rotation) {
    Edges result = 0;
    for (std::size_t c = 0; c < kSides; ++c) {
        result |= edge_bits(edge_on(edges, kClockwise[c]), kClockwise[(c + rotation) % kSides]);
    }
    return result;
}

Segment road_or_city(char kind, int index, const std::string& edges) {
    Segment segment{.kind = kind, .index = index};
    for (const char letter : edges) {
        const std::size_t c = clockwise_of(letter);
        segment.sides |= bit(kClockwise[c]);
        segment.halves |= both_bits(c);
    }
    return segment;
}

Edges read_edges(const std::string& letters) {
    require(letters.size() == kSides, "four edges");
    Edges edges = 0;
    for (std::size_t c = 0; c < kSides; ++c) {
        const std::size_t edge = std::string_view(" CRF").find(letters[c]);
        require(edge >= kCity && edge <= kField, "no such edge");
        edges |= edge_bits(narrow<unsigned>(edge), kClockwise[c]);
    }
    return edges;
}

void read_cities(const Value& tile, TileType& type) {
    int index = 0;
    for (const Value& city : tile["cities"].items()) {
        type.segments.push_back(road_or_city('c', index, city["edges"].text()));
        type.shield |= city["shield"].flag();
        require(!type.shield || index == 0, "a shield on a tile of two cities");
        ++index;
    }
}

void read_roads(const Value& tile, bool trees_end_roads, TileType& type) {
    int index = 0;
    std::size_t crossing = 0;  // CA-H6: 1 + the index in `segments` of the road that the trees join
    for (const Value& road : tile["roads"].items()) {
        const Segment segment = road_or_city('r', index, road["edges"].text());
        const bool trees = road["ends_at"] == Value("trees") && !trees_end_roads;
        ++type.printed_roads;
        if (trees && crossing > 0) {
            type.segments[crossing - 1].sides |= segment.sides;
            type.segments[crossing - 1].halves |= segment.halves;
            continue;
        }
        type.segments.push_back(segment);
        if (trees) crossing = type.segments.size();
        ++index;
    }
}

void read_fields(const Value& tile, TileType& type) {
    int index = 0;
    for (const Value& field : tile["fields"].items()) {
        Segment segment{.kind = 'f', .index = index++};
        for (const Value& half : field["half_edges"].items()) {
            const auto at = std::ranges::find(kHalfNames, half.text());
            require(at != kHalfNames.end(), "no such half edge");
            segment.halves |= bit(index_of(at - kHalfNames.begin()));
        }
        for (const Value& city : field["cities"].items()) segment.borders.push_back(city.integer());
        type.segments.push_back(segment);
    }
}

// One type of the data file.
TileType read_type(const Value& tile, bool trees_end_roads) {
    TileType type;
    type.id = tile["id"].text();
    type.count = tile["count"].integer();
    type.monastery = tile["monastery"].flag();
    type.edges = read_edges(tile["edges"].text());
    read_cities(tile, type);
    read_roads(tile, trees_end_roads, type);
    read_fields(tile, type);
    if (type.monastery) type.segments.push_back({.kind = 'm'});
    constexpr std::string_view kKinds = "crfm";
    constexpr std::array<std::size_t, 5> kFirstIds{kFirstCityId, kFirstRoadId, kFirstFieldId, kMonkId, kMeepleIds};
    for (std::uint8_t i = 0; Segment& segment : type.segments) {
        const std::size_t kind = kKinds.find(segment.kind);
        segment.id = kFirstIds[kind] + index_of(segment.index);
        require(segment.id < kFirstIds[kind + 1], "too many segments");
        type.segment_of[segment.id] = i++;
    }
    return type;
}

// The cities come first.
auto& city_of(auto& type, int index) { return type.segments[index_of(index)]; }

// CA-3, CA-R4: a layout, independent of the indices of its segments.
using Layout = std::multiset<std::tuple<char, int, std::vector<int>>>;
Layout layout(const TileType& type, std::size_t rotation) {
    Layout result;
    for (const Segment& segment : type.segments) {
        std::vector<int> borders;
        for (const int city : segment.borders) borders.push_back(turned_halves(city_of(type, city).halves, rotation));
        std::ranges::sort(borders);
        result.emplace(segment.kind, turned_halves(segment.halves, rotation), borders);
    }
    return result;
}

std::uint8_t distinct_rotations(const TileType& type) {
    std::uint8_t rotations = 0;
    std::set<Layout> seen;
    for (std::size_t r = 0; r < kRotations; ++r) {
        if (seen.insert(layout(type, r)).second) rotations |= bit(r);
    }
    return rotations;
}

// The segments in places, so that a field's place is two behind the city it borders or behind none.
using Places = std::array<Segment*, kPlaces>;
Places find_places(TileType& type) {
    constexpr std::array<std::size_t, 4> kMainPlaces{0, 1, 4, 5};
    Places places{};
    std::size_t slot = 0;
    const auto put = [&](Segment* main, Segment* field) {
        require(slot < kMainPlaces.size(), "no place left for " + type.id);
        places[kMainPlaces[slot]] = main;
        places[kMainPlaces[slot++] + 2] = field;
    };
    for (Segment& field : type.segments) {
        for (const int city : field.borders) put(&city_of(type, city), &field);
    }
    std::vector<Segment*> mains, fields;
    for (Segment& segment : type.segments) {
        const bool placed = std::ranges::find(places, &segment) != places.end();
        if (segment.kind != 'm' && !placed) (segment.kind == 'f' ? fields : mains).push_back(&segment);
    }
    for (std::size_t i = 0; i < std::max(mains.size(), fields.size()); ++i) {
        Segment* const main = i < mains.size() ? mains[i] : nullptr;
        Segment* const field = i < fields.size() ? fields[i] : nullptr;
        require(main == nullptr || field == nullptr || main->kind == 'r', "a city without fields next to others");
        put(main, field);
    }
    return places;
}

// The segment at a port (byte 4 side + 0 middle, 1 left, 2 right), or nullptr.
const Segment* segment_at(const TileType& type, std::size_t port) {
    const std::size_t side = port / 4, part = port % 4;
    for (const Segment& segment : type.segments) {
        if (part == 0 && segment.kind != 'f' && (segment.sides & bit(side)) != 0) return &segment;
        if (part != 0 && part != 3 && segment.kind == 'f') {
            const std::size_t c = index_of(std::find(kClockwise.begin(), kClockwise.end(), side) - kClockwise.begin());
            if ((segment.halves & bit(2 * c + part - 1)) != 0) return &segment;
        }
    }
    return nullptr;
}

// The rotations that agree with each pair of edges: west and south, north and east.
void make_fits(const TileType& type, TypeTables& tables) {
    for (std::uint8_t edges = 0; edges < 16; ++edges) {
        std::uint8_t low = 0, high = 0;
        for (std::size_t r = 0; r < kRotations; ++r) {
            const Edges turned = turned_edges(type.edges, r);
            const auto agrees = [&](std::size_t side) {
                const Edge wanted = edge_on(edges, side % 2);
                return wanted == kNoEdge || wanted == edge_on(turned, side);
            };
            const bool played = (type.rotations & bit(r)) != 0;
            if (played && agrees(0) && agrees(1)) low |= bit(7 - r);
            if (played && agrees(2) && agrees(3)) high |= bit(7 - r);
        }
        tables.fits_low[edges] = low;
        tables.fits_high[edges] = high;
    }
}

void make_places(TileType& type, bool farmers, TypeTables& tables) {
    const Places places = find_places(type);
    tables.slots = 1;
    tables.ports.fill(kNothing);
    tables.copies.fill(kNothing);
    tables.by_id.fill(kNothing);
    for (std::uint8_t place = 0; place < kPlaces; ++place) {
        Segment* const here = places[place];
        if (here == nullptr) continue;
        const auto first = narrow<std::uint8_t>(std::find(places.begin(), places.end(), here) - places.begin());
        tables.copies[place] = first;
        if (place >= kSlotPlaces) tables.slots = 2;
        if (place != first) continue;
        tables.present |= std::uint64_t{0xFF} << 8 * place;
        here->place = place;
        tables.by_id[here->id] = place;
        if (here->kind != 'f' || farmers) tables.ids |= narrow<std::uint16_t>(1U << here->id);
    }
}

// A tile joins the land by one of its edges, which is a field, or else a road or city.
void count_labels(const TileType& type, TypeTables& tables) {
    const auto any_edge = [&](Edge edge) {
        return std::ranges::any_of(kClockwise, [&](Side side) { return edge_on(type.edges, side) == edge; });
    };
    int mains = any_edge(kField) ? 0 : -1, fields = any_edge(kCity) ? 0 : -1;
    for (const Segment& segment : type.segments) {
        mains += segment.kind == 'c' || segment.kind == 'r' ? 1 : 0;
        fields += segment.kind == 'f' ? 1 : 0;
    }
    tables.new_mains = narrow<std::uint8_t>(mains);
    tables.new_fields = narrow<std::uint8_t>(fields);
}

void make_ports(const TileType& type, TypeTables& tables) {
    std::array<std::vector<std::uint8_t>, kPlaces> ports;  // of the segment at each first place
    for (std::uint8_t port = 0; port < 16; ++port) {
        if (const Segment* const segment = segment_at(type, port)) ports[segment->place].push_back(port);
    }
    for (auto& along : tables.along) along.fill(kNothing);
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const auto& cycle = ports[place];
        if (cycle.empty()) continue;
        tables.ports[place] = cycle[0];
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            for (std::size_t steps = 0; steps < 3; ++steps) {
                tables.along[steps][cycle[i]] = cycle[(i + (1U << steps)) % cycle.size()];
            }
        }
    }
}

void make_type_tables(TileType& type, bool farmers, TypeTables& tables) {
    type.rotations = distinct_rotations(type);
    tables.shield = type.shield ? 1 : 0;
    tables.monastery = type.monastery ? 1 : 0;
    make_fits(type, tables);
    make_places(type, farmers, tables);
    count_labels(type, tables);
    make_ports(type, tables);
}

}  // namespace

Tiles::Tiles(bool farmers, bool trees_end_roads) {
    std::array<int, 2> boxes{};  // tiles of the base game, of all
    for (const Value& tile : data::carcassonne()["tiles"].items()) {
        types.push_back(read_type(tile, trees_end_roads));
        boxes[0] += types.size() <= kBaseTypes ? types.back().count : 0;
        boxes[1] += types.back().count;
    }
    require(types.size() == kTypes && boxes[0] == kBaseTiles && boxes[1] == kTiles, "not those of the box");
    most_mains = most_fields = 1;  // the first tile joins nothing
    for (std::size_t t = 0; t < kTypes; ++t) {
        make_type_tables(types[t], farmers, tables[t]);
        most_mains += types[t].count * tables[t].new_mains;
        most_fields += types[t].count * tables[t].new_fields;
    }
    require(most_mains < 127 && most_fields < 127, "too many features for labels of seven bits");

    make_sides();
    for (std::size_t t = 0; t < kTypes; ++t) {
        for (std::size_t i = t; i < kPileBytes; ++i) drawn[t][i] = 0xFF;
        for (std::size_t around = 0; around < fitting_types.size(); ++around) {
            if (fitting(tables[t], narrow<Edges>(around)) != 0) fitting_types[around] |= std::uint64_t{1} << t;
        }
    }
    make_ranks();
}

void Tiles::make_sides() {
    for (auto& side : facing) side[0] = 0x80808080U;
    mains[0] = 0x80808080U;
    for (std::size_t code = code_of(0, 0); code < kCodes; ++code) {
        const TileType& type = types[type_of(code)];
        edges[code] = turned_edges(type.edges, rotation_of(code));
        monasteries[code] = type.monastery ? 1 : 0;
        for (std::size_t c = 0; c < kSides; ++c) {  // of the tile as printed
            const std::size_t side = kClockwise[(c + rotation_of(code)) % kSides];
            mirrored[code] |= edge_bits(edge_on(edges[code], side), opposite(side));
            // The place of the segment at a port of this side, as a byte of a word.
            const auto place = [&](std::size_t part, std::size_t at) {
                const Segment* const segment = segment_at(type, 4 * kClockwise[c] + part);
                return narrow<std::uint32_t>(segment == nullptr ? kNothing : segment->place) << 8 * at;
            };
            mains[code] |= place(0, side);
            // Our left half meets the right one of the neighbour.
            facing[opposite(side)][code] = place(0, 0) | place(2, 1) | place(1, 2) | std::uint32_t{kNothing} << 24;
        }
        const auto on = [&](std::size_t side) { return mains[code] >> 8 * side & 0xFF; };
        std::uint32_t matrix = 0;
        for (std::size_t pair = 0; pair < kSides * kSides; ++pair) {
            matrix |= (on(pair / kSides) == on(pair % kSides) ? 1U : 0U) << pair;
        }
        joins[code] = joins_of(matrix);
    }
}

void Tiles::make_ranks() {
    for (std::size_t set = 0; set < ranks.size(); ++set) {
        for (std::size_t place = 0; place < kPlaces; ++place) {
            std::uint64_t before = 0, all = 0;
            for (std::size_t other = 0; other < kPlaces; ++other) {
                if (is_field_place(other) != is_field_place(place) || (set >> other & 1) == 0) continue;
                ++all;
                before += other < place ? 1 : 0;
            }
            if ((set >> place & 1) != 0) ranks[set] |= before << 8 * place;
            counts[set] |= all << 8 * place;
        }
    }
}

}  // namespace tilery::carcassonne
