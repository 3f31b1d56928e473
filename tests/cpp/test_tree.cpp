// SPDX-License-Identifier: MIT
// The memory of a search: what is found again, the edges of a node on the move, and the bound.
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "tilery/search/tree.hpp"

namespace tilery::tests {

void test_tree();

namespace {

using search::kNone;
using search::Tree;

constexpr std::size_t kBytes = 1U << 20;

// By all bits of the key, in a table that grows several times.
void find_nodes_behind_chance() {
    std::vector<std::uint64_t> keys;
    for (std::uint64_t i = 1; i <= 100; ++i) keys.insert(keys.end(), {i, i << 32, i << 32 | i});
    Tree tree;
    tree.clear(kBytes, 0);
    std::vector<std::uint32_t> nodes;
    for (const std::uint64_t key : keys) {
        CHECK(tree.find(key) == kNone);
        nodes.push_back(tree.add_behind_chance(key));
    }
    for (std::size_t i = 0; i < keys.size(); ++i) CHECK(nodes[i] == i && tree.find(keys[i]) == nodes[i]);
    CHECK(tree.find(101) == kNone);
    CHECK(tree.num_nodes() == keys.size() && tree.num_edges() == keys.size());
    tree.clear(kBytes, 0);
    CHECK(tree.find(keys[0]) == kNone && tree.num_nodes() == 0 && tree.num_edges() == 0 && tree.bytes() == 0);
}

// Two nodes that grow in turn: their edges move to greater and greater blocks, and stay what they are.
void move_edges() {
    constexpr std::uint32_t kEdges = 40;
    Tree tree;
    tree.clear(kBytes, 10);
    const std::uint32_t nodes[] = {tree.add_node(), tree.add_node()};
    for (std::uint32_t i = 0; i < kEdges; ++i) {
        for (const std::uint32_t node : nodes) {
            CHECK(tree.make_room(node));
            const std::uint32_t edge = tree.add_edge(node, static_cast<Action>(100 * node + i));
            CHECK(tree.child(edge) == kNone);
            tree.set_child(edge, 1000 * node + i);
            tree.add_visit(node, edge, static_cast<float>(i));
        }
    }
    for (const std::uint32_t node : nodes) {
        const search::Node& found = tree.node(node);
        CHECK(found.count == kEdges && found.visits == kEdges && Tree::room_of(found) == 64);
        for (std::uint32_t i = 0; i < kEdges; ++i) {
            const auto action = static_cast<Action>(100 * node + i);
            CHECK(tree.action(found.edges + i) == action && tree.actions(found)[i] == action);
            CHECK(tree.visits(found)[i] == 1 && tree.values(found)[i] == static_cast<float>(i));
            CHECK(tree.child(found.edges + i) == 1000 * node + i);
        }
        CHECK(tree.untried(found) == tree.actions(found) + kEdges);
    }
    // A third node is given the blocks that they have left.
    const std::uint32_t third = tree.add_node();
    const std::size_t before = tree.bytes();
    for (Action i = 0; i < 32; ++i) {
        CHECK(tree.make_room(third));
        tree.add_edge(third, i);
    }
    CHECK(tree.bytes() == before);
}

void keep_to_the_bound() {
    constexpr std::size_t kFew = 10'000;
    Tree tree;
    tree.clear(kFew, 0);
    while (tree.add_node() != kNone) {
    }
    CHECK(tree.num_nodes() == 512);  // twice as many do not fit
    std::uint32_t edges = 0;
    for (; tree.make_room(0); ++edges) tree.add_edge(0, 0);
    CHECK(edges == 64 && tree.bytes() <= kFew);
    CHECK(tree.make_room(1) && !tree.make_room(2, 8));
    std::uint32_t behind = 0;
    for (std::uint64_t key = 1; tree.add_behind_chance(key) != kNone; ++key) ++behind;
    CHECK(behind == 0 && tree.find(1) == kNone);
}

}  // namespace

void test_tree() {
    find_nodes_behind_chance();
    move_edges();
    keep_to_the_bound();
}

}  // namespace tilery::tests
