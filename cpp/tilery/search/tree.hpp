// SPDX-License-Identifier: MIT
// The memory of a search tree: nodes, the edges of each node side by side, and a table of the nodes
// behind chance. It knows no game. Everything lives in a few arrays that grow by doubling up to a
// bound, so that no node is an allocation and clearing the tree is free.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilery/core/random.hpp"
#include "tilery/core/types.hpp"

namespace tilery::search {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;

// A decision of one player. Edge i of a node leads to its i-th tried action.
struct Node {
    std::uint32_t visits = 0;
    std::uint32_t edges = 0;      // where its edges begin; while it has no room for any, how often it was passed
    std::uint16_t count = 0;      // edges in use
    std::uint8_t size_class = 0;  // room for 1 << (size_class - 1) edges; 0 for none
    bool complete = false;        // every legal action has an edge
};

class Tree {
  public:
    // Bytes that an edge takes, statistics included.
    static constexpr std::size_t kEdgeBytes = sizeof(Action) + 3 * sizeof(std::uint32_t);
    static constexpr std::uint32_t kMostEdges = 0xFFFF;
    static constexpr Action kNoAction = -1;
    // This many visits and values may be read behind those of any edge, whatever they are.
    static constexpr std::uint32_t kSlack = 8;

    // Forgets the tree; `bytes` bounds the next one, of `simulations` simulations (0: not known).
    void clear(std::size_t bytes, std::uint64_t simulations) {
        nodes_.clear();
        actions_.clear();
        visits_.clear();
        values_.clear();
        children_.clear();
        free_.fill(kNone);
        table_.clear();
        in_table_ = 0;
        bound_ = bytes;
        take_memory(simulations);
    }

    [[nodiscard]] Node& node(std::uint32_t index) { return nodes_[index]; }
    [[nodiscard]] const Node& node(std::uint32_t index) const { return nodes_[index]; }
    [[nodiscard]] std::size_t num_nodes() const { return nodes_.size(); }
    // Edges in use: tried actions, counted by walking over the nodes, and outcomes met behind them.
    [[nodiscard]] std::size_t num_edges() const {
        std::size_t edges = in_table_;
        for (const Node& each : nodes_) edges += each.count;
        return edges;
    }
    // Of all edges: the action, how often it was taken, and the sum of the mover's utilities.
    [[nodiscard]] const Action* actions(const Node& node) const { return actions_.data() + node.edges; }
    [[nodiscard]] const std::int32_t* visits(const Node& node) const { return visits_.data() + node.edges; }
    [[nodiscard]] const float* values(const Node& node) const { return values_.data() + node.edges; }

    [[nodiscard]] Action action(std::uint32_t edge) const { return actions_[edge]; }
    [[nodiscard]] std::uint32_t child(std::uint32_t edge) const { return children_[edge]; }
    // Loads the child into the cache, while the game applies the action.
    void prefetch_child(std::uint32_t edge) const {
        if (children_[edge] != kNone) __builtin_prefetch(&nodes_[children_[edge]]);
    }
    void set_child(std::uint32_t edge, std::uint32_t node) { children_[edge] = node; }

    // A new node, or kNone when the bound is reached.
    [[nodiscard]] std::uint32_t add_node() {
        if (!may_grow(nodes_.size(), nodes_.size() + 1, sizeof(Node))) return kNone;
        nodes_.emplace_back();
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    // Whether the node has room for one edge more, or can be given it, of this size class or more.
    [[nodiscard]] bool make_room(std::uint32_t index, unsigned least = 1) {
        const Node& node = nodes_[index];
        if (node.count < room_of(node)) return true;
        if (node.count == kMostEdges) return false;
        const unsigned size_class = std::max(node.size_class + 1U, least);
        const std::uint32_t block = take_block(size_class);
        if (block == kNone) return false;
        move_edges(nodes_[index], block, size_class);
        return true;
    }
    // The edges that a node has room for.
    [[nodiscard]] static std::uint32_t room_of(const Node& node) { return room(node.size_class); }
    // The room behind the edges in use, where a search may keep actions that it has not tried.
    [[nodiscard]] Action* untried(const Node& node) { return actions_.data() + node.edges + node.count; }
    // A new edge of a node that has room for it.
    std::uint32_t add_edge(std::uint32_t index, Action action) {
        Node& node = nodes_[index];
        const std::uint32_t edge = node.edges + node.count++;
        actions_[edge] = action;
        visits_[edge] = 0;
        values_[edge] = 0;
        children_[edge] = kNone;
        return edge;
    }
    void add_visit(std::uint32_t index, std::uint32_t edge, float value) {
        ++nodes_[index].visits;
        ++visits_[edge];
        values_[edge] += value;
    }

    // The node behind chance, by a hash of the edge and of what was seen since; kNone if there is none.
    [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
        return table_.empty() ? kNone : table_[slot(key)].node;
    }
    // A new node in the table; kNone when the bound is reached.
    std::uint32_t add_behind_chance(std::uint64_t key) {
        if (4 * (in_table_ + 1) > 3 * table_.size()) {
            if (!may_grow(table_.size(), 2 * table_.size(), sizeof(Entry))) return kNone;
            grow_table();
        }
        const std::uint32_t node = add_node();
        if (node == kNone) return kNone;
        table_[slot(key)] = Entry(key, node);
        ++in_table_;
        return node;
    }

    // Bytes in use, without room not used yet.
    [[nodiscard]] std::size_t bytes() const {
        return nodes_.size() * sizeof(Node) + actions_.size() * kEdgeBytes + table_.size() * sizeof(Entry);
    }

  private:
    struct Entry {
        std::uint32_t low, high;  // of the key; two halves, so that an entry has 12 bytes
        std::uint32_t node;

        Entry(std::uint64_t key, std::uint32_t number)
            : low(static_cast<std::uint32_t>(key)), high(static_cast<std::uint32_t>(key >> 32)), node(number) {}
        [[nodiscard]] std::uint64_t key() const { return std::uint64_t{high} << 32 | low; }
    };

    [[nodiscard]] static std::uint32_t room(unsigned size_class) {
        return size_class == 0 ? 0 : 1U << (size_class - 1);
    }

    // Whether an array may grow to that many items of a size. It counts as one that doubles where it is full: how much
    // more the library takes, or has from the search before, must not change what is found.
    [[nodiscard]] bool may_grow(std::size_t from, std::size_t to, std::size_t size) const {
        const bool doubles = std::bit_ceil(std::uint64_t{to}) > std::bit_ceil(std::uint64_t{from});
        return !doubles || bytes() + from * size <= bound_;
    }

    // Takes at once what a tree of that many simulations rarely exceeds, if that is well below the bound: each adds at
    // most a node and an edge, and blocks are at least half full. Arrays that grow are copied, and given back to the
    // system while other threads of the search wait.
    void take_memory(std::uint64_t simulations) {
        if (simulations >= bound_ / (8 * (sizeof(Node) + 2 * kEdgeBytes))) return;
        const auto nodes = static_cast<std::size_t>(simulations) + 1, edges = 2 * nodes;
        nodes_.reserve(nodes);
        actions_.reserve(edges);
        visits_.reserve(edges + kSlack);
        values_.reserve(edges + kSlack);
        children_.reserve(edges);
    }

    // Where a block of this size begins: a returned one, or a new one at the end.
    [[nodiscard]] std::uint32_t take_block(unsigned size_class) {
        std::uint32_t& free = free_[size_class];
        if (free != kNone) {
            const std::uint32_t block = free;
            free = children_[block];
            return block;
        }
        const std::size_t begin = actions_.size(), end = begin + room(size_class);
        if (end >= kNone || !may_grow(begin, end, kEdgeBytes)) return kNone;
        actions_.resize(end);
        visits_.resize(end + kSlack);
        values_.resize(end + kSlack);
        children_.resize(end);
        return static_cast<std::uint32_t>(begin);
    }
    void move_edges(Node& node, std::uint32_t block, unsigned size_class) {
        const auto move = [&](auto& items) {
            std::copy_n(items.data() + node.edges, node.count, items.data() + block);
        };
        move(actions_);
        move(visits_);
        move(values_);
        move(children_);
        if (node.size_class > 0) {
            children_[node.edges] = free_[node.size_class];
            free_[node.size_class] = node.edges;
        }
        node.edges = block;
        node.size_class = static_cast<std::uint8_t>(size_class);
    }

    [[nodiscard]] std::size_t slot(std::uint64_t key) const {
        const std::size_t mask = table_.size() - 1;
        std::size_t at = mix(key) & mask;
        while (table_[at].node != kNone && table_[at].key() != key) at = (at + 1) & mask;
        return at;
    }
    void grow_table() {
        std::vector<Entry> old(std::max<std::size_t>(64, 2 * table_.size()), Entry(0, kNone));
        old.swap(table_);
        for (const Entry& entry : old) {
            if (entry.node != kNone) table_[slot(entry.key())] = entry;
        }
    }

    std::vector<Node> nodes_;
    std::vector<Action> actions_;
    std::vector<std::int32_t> visits_;
    std::vector<float> values_;
    std::vector<std::uint32_t> children_;
    std::vector<Entry> table_;  // open addressing, at most three quarters full
    std::size_t in_table_ = 0;
    std::array<std::uint32_t, 20> free_{};  // blocks by size class
    std::size_t bound_ = 0;
};

}  // namespace tilery::search
