/// status.json of the run's directory: how the run is, for `squall status`, readers that follow it, and
/// others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "run/budget.hpp"
#include "run/monitor.hpp"
#include "run/roll_call.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

/// What the frames of a stream have cost this rank so far.
struct StreamCost {
    std::int64_t frames = 0;
    double last = 0, total = 0; ///< [s]
};

/// Writes the file anew every second from a thread of its own, with a beat that counts, until the run's last
/// word; so whoever looks can tell a run that lives from one that was killed. Nobody waits for it, and a file
/// that cannot be written is no error. What its members mean: docs/reference/status.md. On rank 0 of a run.
class StatusFile {
  public:
    StatusFile(const Config &config, int ranks, int threads);
    /// Without a last word: the file stays as it is, and the run is taken for dead.
    ~StatusFile();

    /// Integration begins at a model time [s since run.start].
    void begin(double seconds);
    /// After each step; `streams`: of all domains, in the order of with_nests().
    void step(double seconds, std::int64_t steps, const Health &health,
              const std::vector<StreamCost> &streams);

    /// Now and then: how the computing ranks are.
    void ranks(const std::vector<RankState> &states);

    /// The budgets that were closed last, of all domains.
    void budgets(const std::vector<Budget> &closed);

    /// The last word. `reports`: of the session.
    void done(const std::vector<io::StreamReport> &reports);
    void stopped(const std::string &why, const std::string &restart,
                 const std::vector<io::StreamReport> &reports);
    void died(const std::string &why);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace squall
