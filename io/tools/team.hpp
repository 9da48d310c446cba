/// What the ranks of a tool tell each other, beside what RankGroup offers; and rank 0 the user.
#pragma once

#include <string>
#include <vector>

#include "agree/rank_group.hpp"

namespace squall::io::tools {

/// Rank 0's text, on all ranks. Collective.
std::string broadcast(const RankGroup &group, std::string text);

/// All texts, rank by rank, on all ranks. Collective.
std::vector<std::string> gather(const RankGroup &group, const std::string &text);

/// Prints on rank 0, what is not printable escaped.
void say(const RankGroup &group, const std::string &line);

/// One line on a terminal that tells how far the work is; nothing elsewhere.
class Progress {
  public:
    Progress(const RankGroup &group, std::string doing);
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;
    void show(std::size_t done, std::size_t all);

  private:
    std::string doing_;
    bool speaks_;
    int percent_ = -1;
};

/// "12.3 MB".
std::string in_units(std::uint64_t bytes);

/// "1 frame", "2 frames".
std::string count(std::size_t n, const std::string &what);

} // namespace squall::io::tools
