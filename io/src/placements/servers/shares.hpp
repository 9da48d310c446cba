/// Which server of a group receives which part of each field.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "declare/layout.hpp"
#include "engines/engine.hpp"

namespace squall::io::servers {

/// The parts that make up a field, each with the server that receives it.
class ShareMap {
  public:
    explicit ShareMap(std::vector<Share> shares);

    const std::vector<Share> &shares() const { return shares_; }
    /// Numbers of the shares that have points of a box, ascending. Looks at few others.
    std::vector<std::size_t> touched(const Box &box) const;

  private:
    std::vector<Share> shares_;
    std::size_t dimension_ = 0;         ///< in which shares start at the most places
    std::vector<std::size_t> by_start_; ///< shares in the order of their starts in it
    std::vector<std::int64_t> starts_;  ///< in that order
    std::int64_t longest_ = 0;          ///< extent of a share in it
};

/// The shares of all that servers receive of a stream, by the numbers of Layout::staged: the same on every
/// rank. Fields whose shares are equal have one map in common.
struct ShareMaps {
    std::vector<ShareMap> maps;
    std::vector<int> map_of; ///< per field

    const ShareMap &map(int field) const {
        return maps[static_cast<std::size_t>(map_of[static_cast<std::size_t>(field)])];
    }
    /// Fields of a map that are per frame, or fixed in time; ascending.
    std::vector<int> fields_of(int map, bool per_frame) const;

    std::vector<bool> per_frame; ///< per field
};

/// What the engine wants where, or else slabs in one dimension (Layout::shared_along), `consecutive` or dealt
/// `round-robin`; of weights and masks what belongs to these, on as many servers as it does; on each where
/// places are.
std::shared_ptr<const ShareMaps> share_maps(const Layout &layout, int servers, const std::string &assignment);

} // namespace squall::io::servers
