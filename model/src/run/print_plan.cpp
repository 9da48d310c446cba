// What a run would do, found out and refused as the run would.
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <omp.h>

#include "initial/beginning.hpp"
#include "output/frame_size.hpp"
#include "output/history_declaration.hpp"
#include "output/restart.hpp"
#include "output/stream.hpp"
#include "physics/declared_state.hpp"
#include "run/agree.hpp"
#include "run/check_inputs.hpp"
#include "run/driver.hpp"
#include "run/patch_memory.hpp"
#include "run/plan.hpp"
#include "run/run_directory.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

/// The streams as the run would open them: what cannot work is refused here as there.
std::vector<io::StreamSpec> check_streams(io::Session &session, const Config &config,
                                          const std::vector<Shape> &largest) {
    std::vector<io::StreamSpec> specs;
    for (const StreamConfig &s : config.streams) {
        if (s.interval <= 0) continue;
        specs.push_back(s.name == "restart" ? restart_spec(s, config) : history_spec(s, config));
        open_stream(session, s, config, specs.back(), largest, Declared::for_plan).close();
    }
    return specs;
}

PlanFacts find_facts(int ranks) {
    PlanFacts facts;
    facts.ranks = ranks;
    facts.threads = omp_get_max_threads();
    facts.l2_bytes = l2_cache_bytes();
    facts.wind = 50; // of a strong jet; the state itself is not made for a plan
    facts.patch_bytes = [](const Config &domain, Shape s) {
        return patch_memory(domain, s, omp_get_max_threads());
    };
    return facts;
}

/// Where the patches of a domain begin, for the dimensions of its fields.
std::map<std::string, std::vector<std::int64_t>> starts_of_patches(const Config &c, const Decomposition &d) {
    std::vector<std::int64_t> x, y;
    const auto patch = [&](int rank) {
        return make_patch(rank, d.px, d.py, c.domain.nx, c.domain.ny, c.domain.nz, c.domain.boundaries,
                          c.identity.parent_grid_ratio);
    };
    for (int i = 0; i < d.px; ++i) x.push_back(patch(i).x0);
    for (int j = 0; j < d.py; ++j) y.push_back(patch(j * d.px).y0);
    return {{"west_east", x}, {"west_east_stag", x}, {"south_north", y}, {"south_north_stag", y}};
}

std::map<std::string, int> made_by(const io::StreamSpec &spec) {
    std::map<std::string, int> numbers;
    for (const auto &field : io::made_fields(spec)) ++numbers[field.by];
    return numbers;
}

} // namespace

bool print_plan(const Config &config, const RunOptions &options, MPI_Comm world) {
    io::Session session = open_session(world, config, session_spec(config));
    if (!session.computes()) {
        session.serve();
        return true;
    }
    int rank = 0, ranks = 1, all = 1;
    MPI_Comm_rank(session.comm(), &rank);
    MPI_Comm_size(session.comm(), &ranks);
    MPI_Comm_size(world, &all);
    PlanFacts facts = find_facts(ranks);
    facts.servers = all - ranks;
    const auto shares = choose_shares(config, ranks);
    const auto domains = with_nests(config);
    const auto number = [](const Config &domain) { return static_cast<std::size_t>(domain.identity.id - 1); };
    std::vector<Decomposition> splits(domains.size());
    std::vector<Shape> largest(domains.size());
    agree(session.comm(), [&] {
        facts.begin = beginning_of(config);
        for (const Config &domain : domains) {
            const std::size_t n = number(domain);
            splits[n] = plan_decomposition(domain, facts_on(shares[n], facts));
            largest[n] = splits[n].largest;
        }
    });
    for (const Config &domain : domains) {
        const auto starts = starts_of_patches(domain, splits[number(domain)]);
        const auto patches = number(domain) == 0 ? largest : std::vector{largest[number(domain)]};
        for (const auto &spec : check_streams(session, domain, patches))
            facts.streams.push_back({spec.name, spec.placement, stored_bytes(spec),
                                     staged_bytes(spec, patches), spec.name != "restart", made_by(spec),
                                     io::encodable(spec, starts), source_bytes(spec), sent_bytes(spec),
                                     bins_bytes(spec, patches)});
    }
    Plan plan;
    agree(session.comm(), [&] { plan = make_plan(config, facts); });
    if (rank == 0) std::cout << format_plan(plan) << std::flush;
    agree(session.comm(), [&] {
        if (rank != 0) return;
        frames_to_replace(config, options);
        check_directory(config);
    });
    const std::string note = check_inputs(config, session.comm());
    if (rank == 0 && !note.empty()) std::cout << note << std::endl;
    session.close();
    return plan.stable();
}

} // namespace squall
