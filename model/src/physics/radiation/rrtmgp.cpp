#include "physics/radiation/rrtmgp.hpp"

#include "physics/radiation/longwave.hpp"
#include "physics/radiation/shortwave.hpp"

namespace squall::radiation {
namespace {

class Rrtmgp final : public Scheme {
  public:
    Rrtmgp(std::shared_ptr<const Tables> tables, LongwaveClouds clouds)
        : tables_(std::move(tables)), longwave_(tables_->longwave, tables_->clouds_longwave, clouds),
          shortwave_(tables_->shortwave, tables_->clouds_shortwave) {}

    void solve_longwave(std::span<const Task> tasks) override {
        ask(tasks, 0, tables_->longwave.points, &Task::longwave);
        longwave_.solve(requests_);
    }
    void solve_shortwave(std::span<const Task> tasks) override {
        ask(tasks, 1, tables_->shortwave.points, &Task::shortwave);
        shortwave_.solve(requests_);
    }

  private:
    /// Draws the clouds of each column for a part of the spectrum, by day only where it is sunlight.
    void ask(std::span<const Task> tasks, std::uint64_t part, int points, Fluxes *Task::*wanted) {
        if (masks_.size() < tasks.size()) masks_.resize(tasks.size());
        requests_.clear();
        for (std::size_t n = 0; n < tasks.size(); ++n) {
            const Task &t = tasks[n];
            if (part == 0 || t.column->sun.cosine > 0)
                set_cloud_mask(*t.column, points, {t.seed.place, t.seed.time, part}, masks_[n]);
            requests_.push_back({t.column, &masks_[n], t.*wanted});
        }
    }

    std::shared_ptr<const Tables> tables_;
    Longwave longwave_;
    Shortwave shortwave_;
    std::vector<CloudMask> masks_{};
    std::vector<Request> requests_{};
};

} // namespace

SchemeEntry rrtmgp_scheme(Resolution resolution, LongwaveClouds clouds) {
    const bool fine = resolution == Resolution::fine;
    return {fine ? "RRTMGP with 256 and 224 g-points" : "RRTMGP with 128 and 112 g-points",
            true,
            [resolution](const std::string &folder) { Tables::files(folder, resolution); },
            [resolution, clouds](const std::string &folder) -> SchemeMaker {
                const auto tables = std::make_shared<const Tables>(Tables::read(folder, resolution));
                return [tables, clouds] { return std::make_unique<Rrtmgp>(tables, clouds); };
            },
            {1, 2, 0.01}}; // 46 us by night, 91 by day, 0.5 for a cloudy layer (34 layers)
}

} // namespace squall::radiation
