/// What a run would do, worked out without running it: `squall-model CASE.toml --plan`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "parallel/tiles.hpp"
#include "run/shares.hpp"
#include "run/stability.hpp"
#include "settings/config.hpp"
#include "squall/io_encode.hpp"

namespace squall {

/// What a stream's frames are, as far as the run file does not say.
struct StreamFacts {
    std::string name;
    std::string placement;      ///< as the run would choose it
    double bytes_per_frame = 0; ///< as stored, before any codec
    double staged_bytes = 0;    ///< of a frame, on the rank with the largest patch
    bool at_start = false;      ///< whether a cold start writes a frame of the initial state
    std::map<std::string, int> made =
        {}; ///< how many fields are made of others, by whom: ranks, servers, rank 0
    io::Encodable encodable = {};
    double source_bytes = 0; ///< of what these are made of, over the domain
    double sent_bytes = 0;   ///< of what servers receive of it to make them
    double bins_bytes = 0;   ///< of the bins of quantiles, of one of those who make them
};

/// What a plan depends on besides the run file.
struct PlanFacts {
    int ranks = 1, threads = 1; ///< that compute
    int servers = 0;            ///< ranks set aside to write
    std::size_t l2_bytes = 0;
    double begin = 0;         ///< model time at which the run starts [s]: of the restart frame, or 0
    double wind = 0;          ///< fastest wind to expect [m s-1]
    bool wind_assumed = true; ///< or taken from the initial state
    std::function<std::size_t(const Config &, Shape)> patch_bytes; ///< memory that a domain's patch takes
    std::vector<StreamFacts> streams;                              ///< of every stream that is switched on
};

struct Decomposition {
    int px = 1, py = 1;
    Shape smallest, largest; ///< patches
    double halo_share = 0;   ///< halo columns over owned columns of the largest patch
    TileSize tile;
    std::size_t tiles = 0; ///< of the largest patch
};

struct StepPlan {
    Stepping stepping;
    std::int64_t steps = 0;
    double wind = 0;
    bool wind_assumed = true;
    double courant = 0, courant_limit = 0; ///< of advection by `wind` in the least favourable direction
    double acoustic = 0;                   ///< limit 1
    double recommended_step = 0;           ///< [s]
    int recommended_substeps = 0;          ///< with the time step as it is
    bool stable() const { return courant <= courant_limit && acoustic < 1; }
};

/// What plans of output take for granted, and say so.
inline constexpr double assumed_speed = 1.5e6;     ///< cells x steps that a thread computes [s-1]
inline constexpr double assumed_bandwidth = 200e6; ///< that a server stores [B s-1]

struct StreamPlan {
    std::string name, engine, placement;
    double interval = 0;
    double staged_bytes = 0, staging_limit = 0; ///< of a frame and at most, on a rank
    bool spills = false;     ///< a rank writes what the limit does not hold to a local disk
    double server_bytes = 0; ///< of a frame, on a server; 0 without servers
    double steps = 0;        ///< from frame to frame
    double seconds =
        0; ///< wall time from frame to frame: to store one takes at most so long, or the model waits
    double bandwidth() const { return bytes_per_frame / seconds; } ///< that this needs [B s-1]
    int servers() const;                                           ///< that this needs
    std::int64_t frames = 0, files = 0;
    double bytes_per_frame = 0;
    double bytes() const { return bytes_per_frame * static_cast<double>(frames); }
    std::string first_file, last_file;       ///< below run.directory; empty where there are no frames
    std::map<std::string, int> made;         ///< as in StreamFacts
    double source_bytes = 0, bins_bytes = 0; ///< as there
    io::Encodable encodable;                 ///< what ranks can compress before they send it
};

struct Plan {
    Config config;
    int ranks = 1, threads = 1, servers = 0;
    int first_rank = 0, all_ranks = 1; ///< of those that compute
    double begin = 0;
    Decomposition decomposition;
    StepPlan step;
    std::size_t bytes_per_rank = 0;  ///< of the largest patch
    std::vector<StreamPlan> streams; ///< those that are switched on
    std::vector<Plan> nests;         ///< of the outermost domain: all, parents first
    /// Whether the time steps of all domains are.
    bool stable() const;
};

/// Throws std::invalid_argument where the domain cannot be split as asked (choose_process_grid).
Decomposition plan_decomposition(const Config &config, const PlanFacts &facts);

/// The same facts for a domain that some ranks have.
PlanFacts facts_on(const Share &share, PlanFacts facts);

/// Throws std::invalid_argument as plan_decomposition, and where facts about a stream are missing.
Plan make_plan(const Config &config, const PlanFacts &facts);

/// The plan as aligned text, with the verdict on each stability limit.
std::string format_plan(const Plan &plan);

} // namespace squall
