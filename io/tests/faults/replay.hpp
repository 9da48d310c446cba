/// The directory trees that a power cut could leave, made from the journal of a run (shim/journal.hpp).
///
/// What counts is what POSIX promises and no more: bytes of a file are on disk after an fsync of it, a
/// name (of a new file, after a rename, of a new directory) after an fsync of the directory that it is
/// in. What was not brought to disk may be there, in part, or not. An fsync that failed has lost what
/// it was about, whatever a later one says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace squall::faults {

/// Content by path relative to the directory; none for a directory.
using Tree = std::map<std::string, std::optional<std::string>>;

/// What of that which was not brought to disk is there all the same.
enum class Luck {
    all,   ///< everything: as if the processes had been killed
    none,  ///< nothing
    names, ///< all names but no bytes: empty files, as journals of file systems leave them
    bytes, ///< all bytes but no names
    some,  ///< any part of it, at random
};
inline constexpr Luck all_lucks[] = {Luck::all, Luck::none, Luck::names, Luck::bytes, Luck::some};
std::string name_of(Luck luck);

/// A change of the directory, or of what is on disk.
struct Entry {
    std::string kind, path = {}, to = {}; ///< to: of a rename
    std::uint64_t inode = 0, offset = 0;
    std::string bytes = {};

    std::string text() const;
};

/// Throws std::runtime_error on what is no journal.
std::vector<Entry> read_journal(const std::string &file);

/// The file system, entry by entry.
class Replay {
  public:
    Replay();
    /// Throws std::runtime_error on an entry that cannot follow those before it.
    void apply(const Entry &entry);
    /// What the power cut leaves now.
    Tree after_power_cut(Luck luck, std::mt19937 &random) const;
    /// The bytes of a file, under the name that it has for the processes, that are sure to be on disk.
    std::string durable(const std::string &path) const;

  private:
    struct Write {
        std::uint64_t offset;
        std::string bytes;
        bool truncates = false; ///< to `offset`
        bool durable = false, lost = false;
    };
    struct Naming {
        int directory;
        std::string name;
        int node; ///< -1: the name is gone
    };
    /// Namings that become durable together, as a rename is atomic.
    struct Change {
        std::vector<Naming> namings;
        bool durable = false;
    };
    struct Node {
        bool directory = false;
        std::vector<Write> writes;
        std::map<std::string, int> entries; ///< as the processes see them
    };

    int find(const std::string &path) const;
    int parent(const std::string &path) const;
    Node &file(std::uint64_t inode);
    int add_node(const std::string &path, bool directory);
    void rename(const std::string &from, const std::string &to);
    void sync(Node &node);
    void sync_names(int directory);
    static std::string content(const Node &node, Luck luck, std::mt19937 &random);
    void list(const std::vector<std::map<std::string, int>> &entries, int node, const std::string &path,
              Luck luck, std::mt19937 &random, Tree &tree) const;

    std::vector<Node> nodes_; ///< the first is the directory itself
    std::vector<Change> changes_;
    std::map<std::uint64_t, int> inodes_;
};

/// Makes a directory on this machine hold a tree, by the differences to the one that it held.
class Place {
  public:
    explicit Place(std::string directory) : directory_(std::move(directory)) {}
    void hold(const Tree &tree);

  private:
    std::string directory_;
    Tree held_;
};

} // namespace squall::faults
