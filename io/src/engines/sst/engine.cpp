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
        return fmt::format(
            "path \"{}\": a network stream has one file, which tells consumers its address; the "
            "path must end in \"{}\" and have no % in it, such as \"{}{}\"",
            spec.path, ending, spec.name, ending);
    if (!spec.burst_dir.empty()) return "a network stream has no files for a burst_dir";
    if (layout.option("data_plane", "evpath") == "mpi")
        return "option data_plane is \"mpi\": consumers would join the model's own MPI job, which ends when "
               "one "
               "of them dies; choose evpath, or ucx where nodes have its network";
    if (layout.option("data_plane", "evpath") == "ucx" && !has_ucx)
        return "option data_plane is \"ucx\", which this build's ADIOS2 lacks; `make adios2` builds one that "
               "has it, "
               "or choose evpath";
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
          "how points travel: `evpath` by TCP, `ucx` by UCX; `mpi` is refused, with the reason",
          {"evpath", "ucx", "mpi"}},
         {"queue_limit", Kind::number, "4", "", "frames that wait for the slowest consumer; 0: no limit"},
         {"when_queue_full",
          Kind::word,
          "discard",
          "",
          "then: `discard` the frame, which is counted as skipped, or `wait`",
          {"discard", "wait"}},
         {"stall",
          Kind::number,
          "30",
          "s",
          "after which a consumer that takes nothing is left behind",
          {},
          1},
         {"first_consumer", Kind::number, "0", "s", "that the first frame waits for a consumer"},
         {"consumers",
          Kind::number,
          "1",
          "",
          "so many `first_consumer` waits for; each rank of a parallel one is one",
          {},
          1},
         {"linger", Kind::number, "10", "s", "that consumers have to take what is left when the stream ends"},
         {"interface", Kind::text, "", "", "network interface, such as `ib0`; empty: the host's first"}},
    .distribution = Distribution::to_first,
    .connect = sst::connect,
    .objection = sst::objection,
    .subscribe = sst::subscribe};

} // namespace squall::io
