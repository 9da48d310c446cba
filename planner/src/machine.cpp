#include "machine.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace squall::planner {
namespace {

/// One table of a machine file. What is not asked for is an error, so that no key is misspelt in silence.
class Table {
  public:
    Table(const std::string &file, const toml::table &root, const std::string &name)
        : file_(file), name_(name) {
        if (const auto *table = root[name].as_table()) table_ = table;
    }
    bool there() const { return table_ != nullptr; }

    double number(const std::string &key, double least, std::optional<double> fallback = {}) {
        const auto found = value<double>(key, "a number");
        if (!found && !fallback)
            fail("needs the key " + name_ + "." + key, table_ ? table_->source() : toml::source_region{});
        const double number = found ? *found : *fallback;
        if (number < least)
            fail(fmt::format("{}.{} is {:g}; it must be at least {:g}", name_, key, number, least),
                 table_ ? table_->source() : toml::source_region{});
        return number;
    }
    int count(const std::string &key, std::optional<double> fallback = {}) {
        return static_cast<int>(number(key, 1, fallback));
    }
    std::string word(const std::string &key, const std::vector<std::string> &words) {
        const auto found = value<std::string>(key, "a word").value_or(words.front());
        if (std::ranges::find(words, found) == words.end())
            fail(fmt::format("{}.{} is \"{}\"; choose one of {}", name_, key, found, fmt::join(words, ", ")),
                 table_->source());
        return found;
    }
    /// Throws where a key was not asked for.
    void close() {
        if (!table_) return;
        for (const auto &[key, node] : *table_)
            if (!known_.contains(std::string(key.str())))
                fail(fmt::format("has no key {}.{}; it knows {}", name_, key.str(), fmt::join(known_, ", ")),
                     node.source());
    }

  private:
    template <class T> std::optional<T> value(const std::string &key, const char *what) {
        known_.insert(key);
        const auto *node = table_ ? table_->get(key) : nullptr;
        if (!node) return {};
        const auto found = node->template value<T>();
        if (!found) fail(fmt::format("{}.{} must be {}", name_, key, what), node->source());
        return found;
    }
    [[noreturn]] void fail(const std::string &what, const toml::source_region &where) const {
        throw std::runtime_error(fmt::format("{}:{}: a machine file {}", file_, where.begin.line, what));
    }

    const std::string &file_;
    std::string name_;
    const toml::table *table_ = nullptr;
    std::set<std::string> known_;
};

Nodes read_nodes(Table t) {
    Nodes n;
    n.count = t.count("count");
    n.cores = t.count("cores");
    n.memory = t.number("memory", 1);
    n.bandwidth = t.number("bandwidth", 1);
    n.core_bandwidth = t.number("core_bandwidth", 1);
    n.core_speed = t.number("core_speed", 1e-3, 1);
    t.close();
    return n;
}

Network read_network(Table t) {
    Network n;
    n.topology = t.word("topology", {"star", "torus"});
    n.bandwidth = t.number("bandwidth", 1);
    n.latency = t.number("latency", 0);
    n.overhead = t.number("overhead", 0);
    n.backbone = t.number("backbone", 0, 0);
    t.close();
    return n;
}

Storage read_storage(Table t) {
    Storage s;
    s.kind = t.word("kind", {"lustre", "gpfs", "beegfs"});
    s.servers = t.count("servers");
    s.targets = std::max(s.servers, t.count("targets"));
    s.server_bandwidth = t.number("server_bandwidth", 1);
    s.target_bandwidth = t.number("target_bandwidth", 1);
    s.client_bandwidth = t.number("client_bandwidth", 1);
    s.create = t.number("create", 0);
    s.request = t.number("request", 0);
    s.seek = t.number("seek", 0);
    // BeeGFS grants no locks among nodes unless asked to, and puts each directory on one of its metadata
    // servers.
    if (s.kind == "beegfs")
        s.handover = t.number("handover", 0, 0), s.metadata_servers = t.count("metadata_servers", 1);
    else
        s.lock = t.number("lock", 0);
    s.stripe_size = t.number("stripe_size", 1);
    s.stripe_count = std::min(s.targets, t.count("stripe_count"));
    t.close();
    return s;
}

} // namespace

int Machine::ranks_per_node(int threads) const { return std::max(1, nodes.cores / threads); }

Machine read_machine(const std::string &file) {
    toml::table root;
    try {
        root = toml::parse_file(file);
    } catch (const toml::parse_error &e) {
        throw std::runtime_error(
            fmt::format("{}:{}: {}", file, e.source().begin.line, std::string(e.description())));
    }
    Machine m;
    m.name = root["name"].value_or(file);
    m.nodes = read_nodes(Table(file, root, "nodes"));
    m.network = read_network(Table(file, root, "network"));
    m.storage = read_storage(Table(file, root, "storage"));
    Table local(file, root, "local");
    if (local.there()) m.local_bandwidth = local.number("bandwidth", 1);
    local.close();
    return m;
}

} // namespace squall::planner
