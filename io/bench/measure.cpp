#include "measure.hpp"

#include <filesystem>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "baseline.hpp"
#include "yardsticks.hpp"

namespace squall::bench {
namespace {

double slowest(double value, MPI_Comm comm) {
    double all = value;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    return all;
}

/// Seconds that the slowest rank takes when all begin together.
template <class F> double timed(MPI_Comm comm, F f) {
    MPI_Barrier(comm);
    const double start = seconds();
    f();
    return slowest(seconds() - start, comm);
}

io::StreamSpec stream(const Settings &settings, const Contents &contents) {
    io::StreamSpec spec;
    spec.name = "bench";
    spec.path = settings.directory + "/squall-%Y-%m-%d_%H:%M:%S";
    spec.engine = settings.engine;
    spec.placement = settings.placement;
    spec.codec = settings.codec;
    spec.frames_per_file = settings.frames_per_file;
    spec.staging_limit = settings.staging_limit;
    if (settings.engine == "pnetcdf" || settings.engine == "netcdf-parallel")
        spec.options["ompio"] = "accept"; // whoever sets OMPI_MCA_io measures what that is worth
    for (const auto &option : settings.options) {
        const auto equals = option.find('=');
        if (equals == std::string::npos)
            throw std::invalid_argument(fmt::format("--option {}: expected key=value", option));
        spec.options[option.substr(0, equals)] = option.substr(equals + 1);
    }
    spec.burst_dir = settings.burst_directory;
    const char *names[] = {"z", "y", "x"};
    for (int d = 0; d < 3; ++d) spec.dimensions.push_back({names[d], contents.shape[d]});
    std::vector<io::Attribute> attributes;
    for (const auto &[name, text] : field_attributes) attributes.emplace_back(name, text);
    for (const auto &name : contents.names)
        spec.fields.push_back({.name = name, .dimensions = {"z", "y", "x"}, .attributes = attributes});
    return spec;
}

std::unique_ptr<Baseline> baseline(const Settings &settings, const Contents &contents, MPI_Comm comm) {
    const auto make = baselines().find(settings.engine);
    if (!settings.baseline || make == baselines().end()) return nullptr;
    const auto colon = settings.codec.find(':');
    const int level = colon == std::string::npos ? -1 : std::stoi(settings.codec.substr(colon + 1));
    return make->second({comm, contents, settings.codec.substr(0, colon), level});
}

class Measurement {
  public:
    Measurement(io::Session &session, const Settings &settings)
        : session_(session), settings_(settings), comm_(session.comm()),
          contents_(settings.file.empty() ? made_up(settings) : from_history(settings)),
          patch_(*contents_, part_of(*contents_, comm_), Order::model), copy_(patch_),
          baseline_(baseline(settings, *contents_, comm_)) {
        MPI_Comm_rank(comm_, &rank_);
        measured_.bytes = contents_->bytes();
        measured_.shape = contents_->shape;
        measured_.fields = contents_->fields();
    }

    Measured run() {
        const MemoryGrowth growth;
        auto stream = session_.open(bench::stream(settings_, *contents_));
        for (int frame = 0; frame < settings_.frames; ++frame) {
            computing_.run(settings_.interval);
            write_yardsticks();
            // The library's buffers are not Squall's: Squall's memory is read before they come.
            if (frame > 0 && baseline_) write_baseline();
            write_frame(stream, frame);
            if (!baseline_ || frame == 0) measured_.memory = growth.most();
        }
        stream.close();
        if (!baseline_) measured_.memory = growth.most();
        measured_.streams = session_.close();
        return measured_;
    }

  private:
    void write_yardsticks() {
        const auto path = fmt::format("{}/raw-{}", settings_.directory, rank_);
        if (rank_ == 0) give_pages_back(settings_.directory);
        MPI_Barrier(comm_);
        measured_.copy.push_back(slowest(copy_.run(), comm_));
        MPI_Barrier(comm_);
        measured_.raw.push_back(slowest(write_raw(patch_, path, false), comm_));
        MPI_Barrier(comm_);
        measured_.raw_fsync.push_back(slowest(write_raw(patch_, path, true), comm_));
    }

    void write_baseline() {
        const auto path = settings_.directory + "/plain";
        measured_.baseline.push_back(timed(comm_, [&] { baseline_->write(path); }));
        if (rank_ == 0) std::filesystem::remove_all(path);
    }

    void write_frame(io::Stream &stream, int number) {
        MPI_Barrier(comm_);
        auto frame = stream.begin({.seconds = 600.0 * number, .epoch = "2000-01-01T00:00:00"});
        for (int f = 0; f < contents_->fields(); ++f)
            frame.put(contents_->names[f], patch_.box, patch_.first(f), patch_.strides);
        frame.commit();
    }

    io::Session &session_;
    const Settings &settings_;
    MPI_Comm comm_;
    std::unique_ptr<Contents> contents_;
    Patch patch_;
    Copy copy_;
    Computing computing_;
    std::unique_ptr<Baseline> baseline_;
    Measured measured_;
    int rank_ = 0;
};

} // namespace

Measured measure(io::Session &session, const Settings &settings) {
    return Measurement(session, settings).run();
}

} // namespace squall::bench
