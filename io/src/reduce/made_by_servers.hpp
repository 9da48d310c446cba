/// A frame on servers which make some of its fields of others that they have received: Fold::on_servers,
/// Sample::on_servers.
///
/// Each reduces the shares that it holds, field by field, weights and masks beside it: it has no more of the
/// frame at a time than when it writes. What only others are made of goes when that is done. What a server
/// has complete, for points of the result that are its own, stays with it; all else goes to every server, of
/// which there are few, and each takes its points from that.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agree/rank_group.hpp"
#include "reduce/evaluator.hpp"
#include "stage/staged.hpp"

namespace squall::io {

class MadeByServers final : public Staged {
  public:
    using Fixed = std::function<std::unique_ptr<Staged>()>;

    /// Of the stream's `frame`, which must outlive it and has room for what is made. `fixed`: the fields that
    /// are fixed in time. Collective. Throws Error on all.
    MadeByServers(const RankGroup &group, const Layout &layout, Evaluator &evaluator, Staged &frame,
                  const Fixed &fixed);

    std::vector<std::pair<int, Box>> boxes() const override { return frame_.boxes(); }
    std::vector<Block> take(int field) override;
    std::vector<Block> look(int field) const override;

  private:
    void reduce(Evaluator &evaluator, Evaluator::Work &work, const Fixed &fixed);
    void add_companions(Evaluator &evaluator, const Fixed &fixed);
    void find_places(const Evaluator &evaluator, Evaluator::Work &work);
    void keep_own(std::size_t fold, const Evaluator &evaluator, Partials &partials);
    void complete(const Evaluator &evaluator, Partials &partials, std::size_t fold);
    void complete(const Sampler &sampler, AtPlaces &all);
    void settle(const Fold &fold, const Partial &partial);
    void settle(const Sample &sample, AtPlaces &here);

    const Layout &layout_;
    Staged &frame_;
    std::map<int, std::vector<Block>> made_; ///< by field
};

} // namespace squall::io
