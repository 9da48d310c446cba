#include "placements/local.hpp"

#include <fmt/format.h>

#include "placements/session_ranks.hpp"

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
        if (drain_.group().size() == 1) close();
    }
    std::uint64_t stored_bytes() const override { return stored_bytes_; }

  private:
    Drain &drain_;
    int number_;
    bool waits_; ///< for each frame
    std::uint64_t stored_bytes_ = 0;
};

const char *granted_level() {
    int level = 0;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
           : level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                          : "MPI_THREAD_SERIALIZED";
}

/// Whether frames that the drain's thread stores make it call MPI.
bool calls_mpi(const Layout &layout, const Drain &drain) {
    return drain.group().size() > 1 || layout.engine->together;
}

void require_threads(const Layout &layout, const Drain &drain) {
    if (threads_call_mpi()) return;
    const auto ranks = drain.group().size();
    const auto &spec = layout.spec;
    const auto advice = "request it in MPI_Init_thread, or use placement servers or inline";
    if (ranks > 1)
        throw Error(
            fmt::format("stream {}: placement thread needs MPI_THREAD_MULTIPLE for messages among the "
                        "{} ranks, but MPI grants {}; {}",
                        spec.name, ranks, granted_level(), advice));
    if (calls_mpi(layout, drain))
        throw Error(fmt::format("stream {}: placement {} would write through the engine {} in a thread of "
                                "its own, which calls MPI "
                                "on one rank too and so needs MPI_THREAD_MULTIPLE, but MPI grants {}; {} for "
                                "all streams of this rank",
                                spec.name, spec.placement, spec.engine, granted_level(), advice));
    if (const auto other = drain.stream_through_mpi(); !other.empty())
        throw Error(
            fmt::format("stream {}: with placement thread all streams of this rank are written in a "
                        "thread, but that of stream {} calls MPI and so needs MPI_THREAD_MULTIPLE, and "
                        "MPI grants {}; {}",
                        spec.name, other, granted_level(), advice));
}

} // namespace

std::unique_ptr<Placement> take_over_here(PlacedStream stream) {
    auto &drain = stream.members->drain();
    if (threads_call_mpi() || (!calls_mpi(*stream.layout, drain) && drain.stream_through_mpi().empty()))
        drain.work_in_background();
    return std::make_unique<Local>(drain, std::move(stream), false, true);
}

std::unique_ptr<Placement> place_here(PlacedStream stream) {
    auto &drain = stream.members->drain();
    const bool inline_placement = stream.layout->spec.placement == "inline";
    if (!inline_placement || drain.in_background()) require_threads(*stream.layout, drain);
    if (!inline_placement) drain.work_in_background();
    return std::make_unique<Local>(drain, std::move(stream), inline_placement);
}

} // namespace squall::io
