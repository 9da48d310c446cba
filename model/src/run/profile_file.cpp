#include "run/profile_file.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>
#include <unistd.h>

#include "core/profile.hpp"
#include "run/agree.hpp"

namespace squall {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Of a thread: some hundred steps, 1.5 MB.
constexpr std::size_t events_of_a_thread = 1 << 16;

std::string host() {
    char name[256] = "";
    ::gethostname(name, sizeof name - 1);
    return name;
}

double microseconds(double seconds) { return std::round(1e7 * seconds) / 10; }

Json as_json(const Profile::Routine &r) {
    Json json{{"name", r.name},   {"file", r.file},   {"line", r.line}, {"kind", name_of(r.kind)},
              {"calls", r.calls}, {"total", r.total}, {"self", r.self}};
    if (r.parts) json["threads"] = r.threads;
    return json;
}

Json as_json(const Patch &p) {
    return {{"x0", p.x0}, {"y0", p.y0}, {"nx", p.shape.nx}, {"ny", p.shape.ny}, {"nz", p.shape.nz}};
}

Json as_json(const Profile &profile) {
    Json routines = Json::array(), events = Json::array();
    for (const auto &routine : profile.routines()) routines.push_back(as_json(routine));
    for (const auto &e : profile.events())
        events.push_back({e.thread, e.routine, microseconds(e.begin), microseconds(e.seconds)});
    return {{"routines", routines}, {"events", events}, {"events_lost", profile.events_lost()}};
}

} // namespace

ProfiledRun::ProfiledRun(MPI_Comm comm, std::string folder) : comm_(comm), folder_(std::move(folder)) {
    if (folder_.empty()) return;
    MPI_Comm_rank(comm_, &rank_);
    agree(comm_, [&] {
        std::error_code error;
        if (rank_ == 0) fs::create_directories(folder_, error);
        if (error)
            throw std::runtime_error(
                fmt::format("cannot create the folder {} for the profile: {}", folder_, error.message()));
    });
    MPI_Barrier(comm_);
    Profile::start(omp_get_max_threads(), events_of_a_thread);
}

ProfiledRun::~ProfiledRun() { Profile::stop(); }

void ProfiledRun::end(std::size_t steps, const Domain &root) {
    if (folder_.empty()) return;
    const double seconds = Profile::running()->seconds();
    const auto profile = Profile::stop();
    agree(comm_, [&] {
        const fs::path file = fs::path(folder_) / fmt::format("rank-{}.json", rank_);
        Json json{{"rank", rank_},
                  {"host", host()},
                  {"threads", omp_get_max_threads()},
                  {"steps", steps},
                  {"seconds", seconds},
                  {"cells", root.cells()},
                  {"patch", as_json(root.patch())}};
        json.update(as_json(*profile));
        std::ofstream out(file);
        out << json << '\n';
        if (!out.flush()) throw std::runtime_error("cannot write the profile to " + file.string());
    });
}

} // namespace squall
