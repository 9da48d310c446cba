// The heat equation on all ranks, with a frame every few steps. See README.md.
//
//     mpirun -n 4 heat-cpp PATH ENGINE PLACEMENT SERVERS
#include <cstdint>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

#include <squall/io.hpp>

namespace io = squall::io;

namespace {

constexpr int nx = 48, ny = 32, frames = 5, steps = 20; // steps between frames
constexpr float alpha = 0.2f;                           // diffusivity x time step / spacing^2

/// Rows first .. first + rows - 1 of the plate, with a row of the neighbours on either side.
class Slab {
  public:
    explicit Slab(MPI_Comm comm) : comm_(comm) {
        int rank = 0, size = 1;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        south_ = rank > 0 ? rank - 1 : MPI_PROC_NULL;
        north_ = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
        first = ny * rank / size;
        rows = ny * (rank + 1) / size - first;
        t.resize((rows + 2) * nx);
        next_.resize(t.size());
        for (int j = 1; j <= rows; ++j) // a hot block in a cold plate
            for (int i = 0; i < nx; ++i) {
                const int row = first + j - 1;
                const bool hot = row >= ny / 4 && row < ny / 2 && i >= nx / 4 && i < nx / 2;
                t[j * nx + i] = hot ? 100.0f : 0.0f;
            }
    }

    /// One step; the rim of the plate keeps its temperature.
    void step() {
        exchange_halo();
        for (int j = 1; j <= rows; ++j)
            for (int i = 0; i < nx; ++i) {
                const float *c = &t[j * nx + i];
                const int row = first + j - 1;
                const bool rim = row == 0 || row == ny - 1 || i == 0 || i == nx - 1;
                next_[j * nx + i] = rim ? *c : *c + alpha * (((c[-1] + c[1]) + (c[-nx] + c[nx])) - 4.0f * *c);
            }
        t.swap(next_);
    }

    bool is_first() const { return south_ == MPI_PROC_NULL; }

    int first = 0, rows = 0;
    std::vector<float> t;

  private:
    void exchange_halo() {
        float *own = t.data() + nx, *last = t.data() + rows * nx;
        MPI_Sendrecv(own, nx, MPI_FLOAT, south_, 0, last + nx, nx, MPI_FLOAT, north_, 0, comm_,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(last, nx, MPI_FLOAT, north_, 0, t.data(), nx, MPI_FLOAT, south_, 0, comm_,
                     MPI_STATUS_IGNORE);
    }

    MPI_Comm comm_;
    int south_ = MPI_PROC_NULL, north_ = MPI_PROC_NULL;
    std::vector<float> next_;
};

io::StreamSpec declare(const std::string &path, const std::string &engine, const std::string &placement) {
    io::StreamSpec spec;
    spec.name = "heat";
    spec.path = path;
    spec.engine = engine;
    spec.placement = placement;
    spec.frames_per_file = 0; // all in one file
    spec.record_dimension = "time";
    spec.dimensions = {{"y", ny}, {"x", nx}}; // slowest first
    spec.fields = {
        {"time", io::Type::f64, {}, {{"units", "seconds since 2000-01-01T00:00:00"}}},
        {"row", io::Type::i32, {"y"}, {}, false},
        {"T", io::Type::f32, {"y", "x"}, {{"units", "K"}}},
    };
    spec.attributes = {{"title", "A hot block in a cold plate"}, {"alpha", alpha}};
    return spec;
}

void put_rows(io::Stream &stream, const Slab &slab) {
    std::vector<std::int32_t> row(slab.rows);
    std::iota(row.begin(), row.end(), slab.first);
    stream.put("row", {{slab.first}, {slab.rows}}, row.data());
}

void write_frame(io::Stream &stream, const Slab &slab, double seconds) {
    auto frame = stream.begin({.seconds = seconds});
    if (slab.is_first()) frame.put("time", {}, &seconds); // one rank is enough for what all ranks know
    frame.put("T", {{slab.first, 0}, {slab.rows, nx}}, slab.t.data() + nx);
    frame.commit(); // t may be changed again
}

void compute(io::Session &session, const io::StreamSpec &spec) {
    Slab slab(session.comm());
    auto stream = session.open(spec);
    put_rows(stream, slab);
    for (int f = 0; f < frames; ++f) {
        write_frame(stream, slab, 60.0 * f);
        for (int n = 0; n < steps; ++n) slab.step();
    }
    stream.close();
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 5) {
        std::cerr << "usage: " << argv[0] << " PATH ENGINE PLACEMENT SERVERS\n";
        return 2;
    }
    int granted = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted); // for placement thread
    try {
        io::Session session(MPI_COMM_WORLD, {.servers = std::stoi(argv[4])});
        if (session.computes()) {
            compute(session, declare(argv[1], argv[2], argv[3]));
            session.close();
        } else {
            session.serve();
        }
    } catch (const std::exception &e) {
        std::cerr << "heat: " << e.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
}
