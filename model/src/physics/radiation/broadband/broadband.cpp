#include "physics/radiation/broadband/broadband.hpp"

#include <algorithm>
#include <utility>

#include "physics/radiation/broadband/dudhia_shortwave.hpp"
#include "physics/radiation/broadband/emissivity_longwave.hpp"

namespace squall::radiation {
namespace {

/// A solver of one part of the spectrum, which takes its columns as requests.
template <class Solver> class Part {
  public:
    void solve(std::span<const Task> tasks, Fluxes *Task::*wanted) {
        requests_.clear();
        for (const Task &t : tasks) requests_.push_back({t.column, nullptr, t.*wanted});
        solver_.solve(requests_);
    }

  private:
    Solver solver_;
    std::vector<Request> requests_{};
};

class Broadband final : public Scheme {
  public:
    void solve_longwave(std::span<const Task> tasks) override { longwave_.solve(tasks, &Task::longwave); }
    void solve_shortwave(std::span<const Task> tasks) override { shortwave_.solve(tasks, &Task::shortwave); }

  private:
    Part<EmissivityLongwave> longwave_;
    Part<DudhiaShortwave> shortwave_;
};

class WithDudhia final : public Scheme {
  public:
    explicit WithDudhia(std::unique_ptr<Scheme> longwave) : longwave_(std::move(longwave)) {}

    void solve_longwave(std::span<const Task> tasks) override { longwave_->solve_longwave(tasks); }
    void solve_shortwave(std::span<const Task> tasks) override { shortwave_.solve(tasks, &Task::shortwave); }

  private:
    std::unique_ptr<Scheme> longwave_;
    Part<DudhiaShortwave> shortwave_;
};

} // namespace

SchemeEntry broadband_scheme() {
    return {"shortwave by Dudhia (1989) and longwave by emissivities, without tables", false,
            [](const std::string &) {},
            [](const std::string &) -> SchemeMaker { return [] { return std::make_unique<Broadband>(); }; }};
}

SchemeEntry with_dudhia(const SchemeEntry &longwave, const std::string &description) {
    const auto prepare = [prepare = longwave.prepare](const std::string &folder) -> SchemeMaker {
        return [make = prepare(folder)] { return std::make_unique<WithDudhia>(make()); };
    };
    const double by_night = longwave.costs.night; // sunlight costs next to nothing
    return {description,
            longwave.has_tables,
            longwave.check,
            prepare,
            {by_night, by_night, longwave.costs.cloudy_layer},
            false};
}

} // namespace squall::radiation
