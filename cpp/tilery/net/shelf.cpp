// SPDX-License-Identifier: MIT
#include "tilery/net/shelf.hpp"

#include <map>
#include <utility>

#include "tilery/core/errors.hpp"

#ifdef __STDCPP_THREADS__
#include <mutex>
#endif

namespace tilery::net {
namespace {

#ifdef __STDCPP_THREADS__
using Mutex = std::mutex;
using Lock = std::lock_guard<std::mutex>;
#else
struct Mutex {};
struct Lock {
    explicit Lock(Mutex&) {}
};
#endif

struct Shelf {
    Mutex mutex;
    std::map<std::string, std::shared_ptr<const Network>, std::less<>> networks;
    std::map<std::string, Shipped> shipped;
    std::function<void(const std::string&)> loader;
};

Shelf& shelf() {
    static Shelf* const all = new Shelf;  // never destroyed: threads may still choose when the process ends
    return *all;
}

}  // namespace

void load(const std::string& name, std::shared_ptr<const Network> network) {
    const Lock lock(shelf().mutex);
    shelf().networks.insert_or_assign(name, std::move(network));
}

std::string load_by_hash(std::string_view bytes) {
    const std::shared_ptr<const Network> network = Network::read(bytes);
    const std::string name = network->name(), game = network->heading().game;
    load(name, network);
    static_cast<void>(shipped(game));  // which comes first
    const Lock lock(shelf().mutex);
    std::string& meant = shelf().shipped[game].network;
    if (meant.empty()) meant = name;
    return name;
}

void set_shipped(const std::string& game, Shipped shipped) {
    const Lock lock(shelf().mutex);
    shelf().shipped.insert_or_assign(game, std::move(shipped));
}

void set_loader(std::function<void(const std::string&)> loader) {
    const Lock lock(shelf().mutex);
    shelf().loader = std::move(loader);
}

Shipped shipped(const std::string& game) {
    std::function<void(const std::string&)> loader;
    {
        const Lock lock(shelf().mutex);
        if (const auto at = shelf().shipped.find(game); at != shelf().shipped.end()) return at->second;
        loader = shelf().loader;
    }
    if (loader) loader(game);  // without the lock, since it calls load and set_shipped
    const Lock lock(shelf().mutex);
    return shelf().shipped[game];
}

std::string shipped_network(const std::string& game) {
    std::string name = shipped(game).network;
    if (!name.empty()) return name;
    throw WeightsError("no network for " + game + " is shipped; `tilery train " + game +
                       "` makes one, and eval=FILE names it");
}

std::shared_ptr<const Network> network_for(std::string_view game, std::string_view name, std::uint64_t inputs,
                                           std::size_t num_inputs) {
    const std::string of(game), wanted = name.empty() ? shipped_network(of) : std::string(name);
    std::shared_ptr<const Network> network;
    {
        const Lock lock(shelf().mutex);
        const auto at = shelf().networks.find(wanted);
        if (at != shelf().networks.end()) network = at->second;
    }
    if (!network) throw WeightsError("no network " + wanted + " is loaded; tilery.load_weights loads one");
    const Heading& heading = network->heading();
    if (heading.game != of) throw WeightsError("network " + wanted + " is of " + heading.game + ", not of " + of);
    if (heading.inputs != inputs || heading.num_inputs != num_inputs) {
        throw WeightsError("network " + wanted + " was made for other inputs than this version of " + of + " has");
    }
    return network;
}

}  // namespace tilery::net
