#include <fmt/format.h>

#include "engines/adios/adios.hpp"
#include "engines/sst/contact.hpp"
#include "engines/sst/sst.hpp"

namespace squall::io {
namespace sst {
namespace {

/// Where ADIOS2 lacks a plane it takes another one.
#ifdef ADIOS2_HAVE_UCX
constexpr bool has_ucx = true;
#else
constexpr bool has_ucx = false;
#endif

std::string objection(const Layout &layout) {
    const auto &spec = layout.spec;
    if (!spec.path.ends_with(ending) || spec.path.find('%') != std::string::npos)
        return fmt::format("path \"{}\": a network stream has one file, which tells consumers its address; "
                           "the path must end in \"{}\" and have no %, such as \"{}{}\"",
                           spec.path, ending, spec.name, ending);
    if (!spec.burst_dir.empty()) return "a network stream has no files for a burst_dir";
    if (layout.option("data_plane", "evpath") == "mpi")
        return "option data_plane is \"mpi\": consumers would join the model's own MPI job, which ends when "
               "one of them dies; use evpath, or ucx on nodes with a network that supports it";
    if (layout.option("data_plane", "evpath") == "ucx" && !has_ucx)
        return "option data_plane is \"ucx\", which this build's ADIOS2 lacks; build one that has it with "
               "`make adios2`, or use evpath";
    return adios::level_fault(layout);
}

} // namespace
} // namespace sst

using Kind = OptionInfo::Kind;

extern const Engine sst_engine;
const Engine sst_engine = {
    .name = "sst",
    .makes = "a network stream (ADIOS2 SST) that consumers join and leave at any time",
    .codecs = {"none", "zstd", "lz4"},
    .options =
        {{"data_plane",
          Kind::word,
          "evpath",
          "",
          "transport of the data: `evpath` over TCP, `ucx` over UCX; `mpi` is refused, with the reason",
          {"evpath", "ucx", "mpi"}},
         {"queue_limit", Kind::number, "4", "", "frames queued for the slowest consumer; 0: no limit"},
         {"when_queue_full",
          Kind::word,
          "discard",
          "",
          "what to do when the queue is full: `discard` the frame, which counts as skipped, or `wait`",
          {"discard", "wait"}},
         {"stall",
          Kind::number,
          "30",
          "s",
          "time after which a consumer that takes nothing is dropped",
          {},
          1},
         {"first_consumer", Kind::number, "0", "s", "time that the first frame waits for a consumer"},
         {"consumers",
          Kind::number,
          "1",
          "",
          "consumers that `first_consumer` waits for; each rank of a parallel consumer counts as one",
          {},
          1},
         {"linger", Kind::number, "10", "s",
          "time for consumers to take the remaining frames when the stream ends"},
         {"interface", Kind::text, "", "", "network interface, such as `ib0`; empty: the host's first"}},
    .distribution = Distribution::to_first,
    .connect = sst::connect,
    .objection = sst::objection,
    .subscribe = sst::subscribe};

} // namespace squall::io
