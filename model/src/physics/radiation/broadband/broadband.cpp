#include "physics/radiation/broadband/broadband.hpp"

#include "physics/radiation/broadband/dudhia_shortwave.hpp"
#include "physics/radiation/broadband/emissivity_longwave.hpp"

namespace squall::radiation {
namespace {

class Broadband final : public Scheme {
  public:
    void solve_longwave(std::span<const Task> tasks) override { solve(longwave_, tasks, &Task::longwave); }
    void solve_shortwave(std::span<const Task> tasks) override { solve(shortwave_, tasks, &Task::shortwave); }

  private:
    template <class Solver> void solve(Solver &solver, std::span<const Task> tasks, Fluxes *Task::*wanted) {
        requests_.clear();
        for (const Task &t : tasks) requests_.push_back({t.column, nullptr, t.*wanted});
        solver.solve(requests_);
    }

    EmissivityLongwave longwave_;
    DudhiaShortwave shortwave_;
    std::vector<Request> requests_{};
};

} // namespace

SchemeEntry broadband_scheme() {
    return {"shortwave by Dudhia (1989) and longwave by emissivities, without tables", false,
            [](const std::string &) {},
            [](const std::string &) -> SchemeMaker { return [] { return std::make_unique<Broadband>(); }; }};
}

} // namespace squall::radiation
