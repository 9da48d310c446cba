#include "placements/local.hpp"

#include <fmt/format.h>

#include "placements/company.hpp"

namespace squall::io {
namespace {

class Local final : public Placement {
  public:
    Local(Drain &drain, PlacedStream stream, bool waits, bool successor = false)
        : drain_(drain), number_(stream.number), waits_(waits) {
        drain_.add(number_, {.layout = stream.layout,
                             .fixed = [fixed = stream.fixed] { return fixed->share(); },
                             .done = [tally = stream.tally](const Outcome &outcome) { tally->done(outcome); },
                             .shares = {},
                             .successor = successor});
    }

    void commit(std::unique_ptr<StagedHere> frame) override {
        drain_.submit(number_, std::move(frame));
        if (waits_) drain_.finish(number_, false);
    }
    void progress() override {
        while (drain_.work()) {
        }
    }
    std::string awaiting() const override { return "the disk, or other ranks to commit"; }
    void flush() override { drain_.finish(number_, true); }
    void close() override {
        drain_.close(number_);
        drain_.finish(number_, true);
        stored_bytes_ = drain_.stored_bytes(number_);
        drain_.remove(number_);
    }
    void close_alone() override {
        if (drain_.crew().size() == 1) close();
    }
    std::uint64_t stored_bytes() const override { return stored_bytes_; }

  private:
    Drain &drain_;
    int number_;
    bool waits_; ///< for each frame
    std::uint64_t stored_bytes_ = 0;
};

void require_threads(const Layout &layout, const Crew &crew) {
    int level = 0;
    MPI_Query_thread(&level);
    if (crew.size() == 1 || level == MPI_THREAD_MULTIPLE) return;
    const char *names[] = {"SINGLE", "FUNNELED", "SERIALIZED"};
    const char *granted = level == MPI_THREAD_SINGLE     ? names[0]
                          : level == MPI_THREAD_FUNNELED ? names[1]
                                                         : names[2];
    throw Error(fmt::format(
        "stream {}: placement thread needs MPI_THREAD_MULTIPLE for messages among the {} ranks, but MPI "
        "grants MPI_THREAD_{}; request it in MPI_Init_thread, or use placement servers or inline",
        layout.spec.name, crew.size(), granted));
}

} // namespace

std::unique_ptr<Placement> take_over_here(PlacedStream stream) {
    auto &drain = stream.members->drain();
    int level = 0;
    MPI_Query_thread(&level);
    if (drain.crew().size() == 1 || level == MPI_THREAD_MULTIPLE) drain.work_in_background();
    return std::make_unique<Local>(drain, std::move(stream), false, true);
}

std::unique_ptr<Placement> place_here(PlacedStream stream) {
    auto &drain = stream.members->drain();
    const bool inline_placement = stream.layout->spec.placement == "inline";
    if (!inline_placement) {
        require_threads(*stream.layout, drain.crew());
        drain.work_in_background();
    }
    return std::make_unique<Local>(drain, std::move(stream), inline_placement);
}

} // namespace squall::io
