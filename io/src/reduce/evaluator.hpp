/// What is made of a frame over dimensions and at places, by whoever holds points of its fields: a computing
/// rank, or a server.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "declare/layout.hpp"
#include "reduce/companions.hpp"
#include "reduce/evaluate.hpp"
#include "reduce/sampler.hpp"

namespace squall::io {

class Evaluator {
  public:
    /// Points of a result, to which all of the source's have come.
    struct Result {
        Box box;
        std::vector<double> values;
    };
    /// What the points of one frame that were added have come to. Of the layout's folds and samples those
    /// that are not this evaluator's stay empty.
    struct Work {
        std::vector<Partials> partials;           ///< per fold: what is not whole yet
        std::vector<std::vector<Result>> results; ///< per fold
        std::vector<AtPlaces> at_places;          ///< per field at places
        std::vector<std::shared_ptr<Sampler>>
            samplers; ///< the same; null: nobody has said where the places are
    };

    /// `on_servers`: of what is made there, or of all else.
    Evaluator(std::shared_ptr<const Layout> layout, bool on_servers);

    /// Whether it makes anything; of a field; or whether it may need its values.
    bool idle() const;
    bool makes_of(const std::string &field) const;
    bool uses(const std::string &field) const { return makes_of(field) || companions_.want(field); }

    Work begin() const;
    /// Where moving places are in a frame. Throws Error.
    void lie_at(const std::string &places, const std::vector<double> &positions, Work &work) const;
    /// Points of a field of the frame, or of one that is fixed in time; checked. Throws Error.
    void add(const Put &put, Work &work);
    /// A box of a weight or mask that this holds.
    void add(const std::string &companion, const Box &box, std::shared_ptr<const double> values) {
        companions_.keep(companion, box, std::move(values));
    }
    bool has(const std::string &companion) const { return companions_.has(companion); }
    /// The frame whose weights and masks were added is done.
    void clear_frame() { companions_.clear_frame(); }

    /// Of a fold that is this evaluator's: takes what has become complete of some partials.
    void add_results(std::size_t fold, Partials &of, std::vector<Result> &to) const;
    /// The same as partials.
    std::vector<Partial> take_complete(std::size_t fold, Partials &of) const {
        return of.take_complete(tallies_.at(fold).whole());
    }

  private:
    bool is_mine(const Sample &sample) const { return sample.on_servers == on_servers_; }
    double fill_of(const Fold &fold) const;
    std::shared_ptr<Sampler> sampler(std::size_t sample, const std::vector<double> &positions) const;
    const Places &places_of(std::size_t sample) const {
        return layout_->spec.places[layout_->samples[sample].places];
    }

    std::shared_ptr<const Layout> layout_;
    bool on_servers_;
    std::map<std::size_t, Tallies> tallies_; ///< by fold, of those that are this evaluator's
    Companions companions_;
    /// Per field at places: its sampler, if the places do not move and it is this evaluator's.
    std::vector<std::shared_ptr<Sampler>> unmoved_;
};

} // namespace squall::io
