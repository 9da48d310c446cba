#include "output/restart.hpp"

#include <array>

#include <fmt/format.h>

#include "output/location.hpp"
#include "output/stream.hpp"

namespace squall {
namespace {

/// A prognostic variable under the name that history gives it.
struct Variable {
    const char *name;
    Location where;
    Array3 State::*volume;
};

constexpr std::array<Variable, 5> variables = {{{"U", at::x_faces, &State::u},
                                                {"V", at::y_faces, &State::v},
                                                {"W", at::interfaces, &State::w},
                                                {"T", at::cells, &State::theta},
                                                {"PH", at::interfaces, &State::ph}}};

constexpr auto real_type = io::type_of<real>;

std::string start_of(const Config &config) {
    return io::format_time({0, config.run.start}, "%Y-%m-%dT%H:%M:%S");
}

/// What must be the same in the run that continues.
struct Identity {
    const char *name, *meaning;
    double value;
};

std::array<Identity, 4> identity(const Config &config, const Grid &grid) {
    return {{{"DX", "grid spacing west-east [m]", grid.dx},
             {"DY", "grid spacing south-north [m]", grid.dy},
             {"DT", "time step [s]", config.run.time_step},
             {"P_TOP", "pressure at the model top [Pa]", grid.vertical.p_top}}};
}

std::vector<io::Attribute> restart_attributes(const Config &config, const Grid &grid) {
    std::vector<io::Attribute> attributes = {{"TITLE", " RESTART FROM SQUALL V" SQUALL_VERSION " MODEL"},
                                             {"START_DATE", start_of(config)}};
    for (const auto &id : identity(config, grid)) attributes.emplace_back(id.name, id.value);
    return attributes;
}

io::Stream open_restart(io::Session &session, const StreamConfig &stream, const Config &config,
                        const Patch &patch, const Grid &grid) {
    auto spec = restart_spec(stream, config);
    spec.attributes = restart_attributes(config, grid);
    return open_stream(session, stream, config, spec, largest_patch(patch));
}

[[noreturn]] void refuse(const io::Reader &file, const std::string &what) {
    throw io::Error(fmt::format("{}: cannot continue from this restart file: {}", file.path(), what));
}

void check_domain(const io::Reader &file, const Config &config, const Patch &patch, const Grid &grid) {
    for (const auto &d : domain_dimensions(patch.nx_domain, patch.ny_domain, patch.shape.nz))
        if (const auto size = file.size(d.name); size != d.size)
            refuse(file, fmt::format("it has {} = {}, the run file asks for {}", d.name, size, d.size));
    for (const auto &id : identity(config, grid))
        if (const auto value = file.number(id.name); value != id.value)
            refuse(file, fmt::format("its {} is {}, the run file's {}", id.meaning, value, id.value));
    if (const auto start = file.text("START_DATE"); start != start_of(config))
        refuse(file, fmt::format("its run started at {}, the run file says {}", start, start_of(config)));
    std::vector<real> znw(grid.vertical.znw.size());
    file.read("ZNW", file.frames() - 1, {{0}, {static_cast<std::int64_t>(znw.size())}}, znw.data());
    if (znw != grid.vertical.znw) refuse(file, "its eta levels are not those of the run file");
}

void check_precision(const io::Reader &file) {
    if (file.field("MU").type == real_type) return;
    refuse(file, sizeof(real) == 4 ? "it is in double precision, this build computes in single"
                                   : "it is in single precision, this build computes in double");
}

} // namespace

Restart::Restart(io::Session &session, const StreamConfig &stream, const Config &config, const Patch &patch,
                 const Grid &grid)
    : settings_(stream), config_(config), patch_(patch), znw_(grid.vertical.znw),
      stream_(open_restart(session, stream, config, patch, grid)) {}

void Restart::write(double seconds, std::int64_t step, const State &state) {
    auto frame = stream_.begin({seconds, config_.run.start});
    if (patch_.cx == 0 && patch_.cy == 0) {
        const auto number = static_cast<std::int32_t>(step);
        frame.put("STEP", {}, &number);
        frame.put("SECONDS", {}, &seconds);
    }
    put_points(frame, "ZNW", patch_, at::column_interfaces, &znw_);
    put_points(frame, "MU", patch_, at::plane, state.mu.view());
    for (const auto &v : variables) put_points(frame, v.name, patch_, v.where, (state.*v.volume).view());
    frame.commit();
}

RestartFrame read_restart(const std::string &path, const Config &config, const Patch &patch,
                          const Grid &grid) {
    const io::Reader file(path);
    if (!file.has("SECONDS") || !file.has("STEP")) refuse(file, "it is not a restart file of this model");
    if (file.frames() == 0) refuse(file, "it holds no frame");
    check_domain(file, config, patch, grid);
    check_precision(file);

    const auto last = file.frames() - 1;
    RestartFrame frame{State(patch.shape), 0, 0};
    std::int32_t step = 0;
    file.read("STEP", last, {}, &step);
    frame.step = step;
    file.read("SECONDS", last, {}, &frame.seconds);
    const auto mu = frame.state.mu.view();
    file.read("MU", last, box_of(patch, at::plane), mu.origin, strides_of(mu));
    for (const auto &v : variables) {
        const auto a = (frame.state.*v.volume).view();
        file.read(v.name, last, box_of(patch, v.where), a.origin, strides_of(a));
    }
    return frame;
}

io::StreamSpec restart_spec(const StreamConfig &stream, const Config &config) {
    io::StreamSpec s = stream_spec(stream, config);
    s.dimensions = domain_dimensions(config.domain.nx, config.domain.ny, config.domain.nz);
    s.fields = {{"STEP", io::Type::i32, {}, {{"description", "number of the time step"}}},
                {"SECONDS", io::Type::f64, {}, {{"units", "seconds since " + start_of(config)}}},
                {"ZNW", real_type, dimensions_of(at::column_interfaces), {}},
                {"MU", real_type, dimensions_of(at::plane), {{"units", "Pa"}}}};
    for (const auto &v : variables) s.fields.push_back({v.name, real_type, dimensions_of(v.where), {}});
    return s;
}

} // namespace squall
