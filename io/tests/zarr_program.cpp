/// For the tests in Python of stores: writes one, a frame for every line of its input, or shows what a
/// field holds.
///
///     io_zarr_program write PATH CODEC
///     io_zarr_program read PATH FIELD FRAME

#include <cstdlib>
#include <iostream>
#include <numeric>

#include "support.hpp"

using namespace squall::io;
using namespace squall::io::test;

namespace {

void write(const std::string &path, const std::string &codec) {
    auto spec = weather(path);
    spec.engine = "zarr";
    spec.codec = codec;
    spec.frames_per_file = 1000;
    spec.fields.push_back({"XTIME", Type::f64, {}, {{"units", "minutes since 2000-01-01 00:00:00"}}});
    spec.fields.push_back({"RAIN", Type::f32, {"south_north", "west_east"}, {{"_FillValue", -9999.0f}}});
    spec.fields.back().precision = {Precision::Kind::packed, 0, 0, 100};
    spec.fields.back().attributes.clear();
    spec.fields.push_back({"MASKED", Type::f32, {"west_east"}, {{"_FillValue", -9999.0f}}});
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    const Patch patch{0, ny};
    put_fixed(stream, patch);
    std::string line;
    for (int n = 0; std::getline(std::cin, line); ++n) {
        auto frame = stream.begin({3600.0 * n});
        put_frame(frame, patch, n);
        const double minutes = 60.0 * n;
        frame.put("XTIME", {}, &minutes);
        const std::vector<float> rain(ny * nx, 25.0f);
        frame.put("RAIN", {{0, 0}, {ny, nx}}, rain.data());
        std::vector<float> masked(nx, 1.0f);
        masked[3] = -9999.0f;
        frame.put("MASKED", {{0}, {nx}}, masked.data());
        frame.commit();
        std::cout << n + 1 << std::endl;
    }
    stream.close();
    session.close();
}

void read(const std::string &path, const std::string &field, int frame) {
    const Reader reader(path);
    const auto shape = reader.shape(field);
    const auto points = std::accumulate(shape.begin(), shape.end(), std::int64_t(1), std::multiplies<>());
    std::vector<double> values(static_cast<std::size_t>(points));
    reader.read(field, frame, {std::vector<std::int64_t>(shape.size(), 0), shape}, values.data());
    for (const auto x : values) std::cout << fmt::format("{}\n", x);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const std::vector<std::string> words(argv, argv + argc);
    int status = 0;
    try {
        if (argc == 4 && words[1] == "write")
            write(words[2], words[3]);
        else if (argc == 5 && words[1] == "read")
            read(words[2], words[3], std::stoi(words[4]));
        else
            throw Error("usage: io_zarr_program write PATH CODEC | read PATH FIELD FRAME");
    } catch (const std::exception &e) {
        std::cerr << e.what() << '\n';
        status = 1;
    }
    MPI_Finalize();
    return status;
}
