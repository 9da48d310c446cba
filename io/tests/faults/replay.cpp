#include "replay.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace squall::faults {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string &line) {
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string w; std::getline(in, w, '\t');) words.push_back(w);
    return words;
}

std::string name_in(const std::string &path) { return path.substr(path.rfind('/') + 1); }

void put(std::string &content, std::uint64_t offset, const std::string &bytes) {
    if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
    content.replace(offset, bytes.size(), bytes);
}

} // namespace

std::string name_of(Luck luck) {
    switch (luck) {
    case Luck::all:
        return "everything";
    case Luck::none:
        return "nothing more than was brought to disk";
    case Luck::names:
        return "names without bytes";
    case Luck::bytes:
        return "bytes without names";
    default:
        return "some of it";
    }
}

std::string Entry::text() const {
    if (kind == "write")
        return kind + " of " + std::to_string(bytes.size()) + " bytes at " + std::to_string(offset);
    return kind + (path.empty() ? "" : " " + path) + (to.empty() ? "" : " to " + to);
}

std::vector<Entry> read_journal(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error(file + ": there is no journal");
    std::vector<Entry> entries;
    for (std::string line; std::getline(in, line);) {
        const auto words = words_of(line);
        Entry e{words.empty() ? "" : words[0], "", "", 0, 0, ""};
        const auto expect = [&](std::size_t n) {
            if (words.size() != n) throw std::runtime_error(file + ": no entry of a journal: " + line);
        };
        if (e.kind == "write") {
            expect(4);
            e.inode = std::stoull(words[1]);
            e.offset = std::stoull(words[2]);
            e.bytes.resize(std::stoull(words[3]));
            if (!in.read(e.bytes.data(), static_cast<std::streamsize>(e.bytes.size())))
                throw std::runtime_error(file + ": ends within a write");
        } else if (e.kind == "create" || e.kind == "truncate") {
            expect(3);
            e.inode = std::stoull(words[1]);
            if (e.kind == "create")
                e.path = words[2];
            else
                e.offset = std::stoull(words[2]);
        } else if (e.kind == "fsync" || e.kind == "failed") {
            expect(2);
            e.inode = std::stoull(words[1]);
        } else if (e.kind == "rename") {
            expect(3);
            e.path = words[1];
            e.to = words[2];
        } else if (e.kind == "mkdir" || e.kind == "unlink") {
            expect(2);
            e.path = words[1];
        } else if (e.kind == "syncdir") { // of the directory itself: without a path
            e.path = words.size() > 1 ? words[1] : "";
        } else if (e.kind != "syncfs") {
            throw std::runtime_error(file + ": no entry of a journal: " + line);
        }
        entries.push_back(std::move(e));
    }
    return entries;
}

Replay::Replay() {
    nodes_.emplace_back();
    nodes_[0].directory = true;
}

int Replay::find(const std::string &path) const {
    int at = 0;
    std::istringstream in(path);
    for (std::string name; std::getline(in, name, '/');) {
        const auto found = nodes_[at].entries.find(name);
        if (found == nodes_[at].entries.end())
            throw std::runtime_error(path + ": the journal does not know it");
        at = found->second;
    }
    return at;
}

int Replay::parent(const std::string &path) const {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? 0 : find(path.substr(0, slash));
}

Replay::Node &Replay::file(std::uint64_t inode) {
    const auto known = inodes_.find(inode);
    if (known == inodes_.end())
        throw std::runtime_error("inode " + std::to_string(inode) +
                                 ": the journal does not say where it is from");
    return nodes_[known->second];
}

int Replay::add_node(const std::string &path, bool directory) {
    const int above = parent(path), node = static_cast<int>(nodes_.size());
    nodes_.emplace_back();
    nodes_.back().directory = directory;
    nodes_[above].entries[name_in(path)] = node;
    changes_.push_back({{{above, name_in(path), node}}});
    return node;
}

void Replay::rename(const std::string &from, const std::string &to) {
    const int source = parent(from), target = parent(to), node = find(from);
    nodes_[source].entries.erase(name_in(from));
    nodes_[target].entries[name_in(to)] = node;
    changes_.push_back({{{source, name_in(from), -1}, {target, name_in(to), node}}});
}

void Replay::sync(Node &node) {
    for (auto &w : node.writes) w.durable = w.durable || !w.lost;
}

void Replay::sync_names(int directory) {
    for (auto &c : changes_)
        c.durable = c.durable ||
                    std::ranges::any_of(c.namings, [&](const Naming &n) { return n.directory == directory; });
}

void Replay::apply(const Entry &e) {
    if (e.kind == "create") {
        inodes_[e.inode] = add_node(e.path, false);
    } else if (e.kind == "mkdir") {
        add_node(e.path, true);
    } else if (e.kind == "write") {
        file(e.inode).writes.push_back({e.offset, e.bytes});
    } else if (e.kind == "truncate") {
        file(e.inode).writes.push_back({e.offset, "", true});
    } else if (e.kind == "fsync") {
        sync(file(e.inode));
    } else if (e.kind == "failed") {
        if (!inodes_.contains(e.inode))
            return; // of a directory: its names stay as little durable as they were
        for (auto &w : file(e.inode).writes) w.lost = !w.durable;
    } else if (e.kind == "rename") {
        rename(e.path, e.to);
    } else if (e.kind == "unlink") {
        const int above = parent(e.path);
        nodes_[above].entries.erase(name_in(e.path));
        changes_.push_back({{{above, name_in(e.path), -1}}});
    } else if (e.kind == "syncdir") {
        sync_names(find(e.path));
    } else if (e.kind == "syncfs") {
        for (auto &node : nodes_) sync(node);
        for (auto &c : changes_) c.durable = true;
    }
}

std::string Replay::content(const Node &node, Luck luck, std::mt19937 &random) {
    std::string text;
    for (const auto &w : node.writes) {
        const bool lucky =
            luck == Luck::all || luck == Luck::bytes || (luck == Luck::some && random() % 2 == 0);
        if (!w.durable && !lucky) continue;
        if (w.truncates)
            text.resize(w.offset);
        else // what an error has lost is there as anything
            put(text, w.offset, w.lost ? std::string(w.bytes.size(), '\0') : w.bytes);
    }
    return text;
}

void Replay::list(const std::vector<std::map<std::string, int>> &entries, int node, const std::string &path,
                  Luck luck, std::mt19937 &random, Tree &tree) const {
    for (const auto &[name, child] : entries[node]) {
        const auto below = path.empty() ? name : path + "/" + name;
        if (nodes_[child].directory) {
            tree[below] = std::nullopt;
            list(entries, child, below, luck, random, tree);
        } else {
            tree[below] = content(nodes_[child], luck, random);
        }
    }
}

Tree Replay::after_power_cut(Luck luck, std::mt19937 &random) const {
    std::vector<std::map<std::string, int>> entries(nodes_.size());
    std::vector<bool> cut(nodes_.size(), false); // names of a directory come to disk in their order
    for (const auto &c : changes_) {
        bool there = c.durable || luck == Luck::all || luck == Luck::names;
        if (!there && luck == Luck::some)
            there = random() % 4 != 0 &&
                    std::ranges::none_of(c.namings, [&](const Naming &n) { return cut[n.directory]; });
        for (const auto &n : c.namings) {
            if (!there)
                cut[n.directory] = true;
            else if (n.node < 0)
                entries[n.directory].erase(n.name);
            else
                entries[n.directory][n.name] = n.node;
        }
    }
    Tree tree;
    list(entries, 0, "", luck, random, tree);
    return tree;
}

std::string Replay::durable(const std::string &path) const {
    std::mt19937 none;
    return content(nodes_[find(path)], Luck::none, none);
}

void Place::hold(const Tree &tree) {
    const auto whole = [&](const std::string &path) { return fs::path(directory_) / path; };
    for (const auto &[path, content] : held_) {
        const auto next = tree.find(path);
        if (next == tree.end() || next->second.has_value() != content.has_value())
            fs::remove_all(whole(path));
    }
    for (const auto &[path, content] : tree) { // a directory comes before what is in it
        const auto before = held_.find(path);
        if (!content)
            fs::create_directories(whole(path));
        else if (before == held_.end() || before->second != content)
            std::ofstream(whole(path), std::ios::binary | std::ios::trunc) << *content;
    }
    held_ = tree;
}

} // namespace squall::faults
