/// A parallel file that one of its writers cannot close, in a process of its own: it trusts HDF5 no more.

#include <algorithm>

#include "support.hpp"

namespace {
bool disk_fails = false; ///< what this rank brings to the disk does not get there
}

/// Stands before MPI's own.
extern "C" int MPI_File_sync(MPI_File file) {
    const int code = PMPI_File_sync(file);
    return disk_fails ? MPI_ERR_IO : code;
}

namespace squall::io::test {

/// Closing is done by all writers together: who closed would wait for the one that does not, until the
/// deadline, and would report that.
TEST(Unclosable, NoWriterClosesAFileThatOneOfThemCannot) {
    const auto all = engines();
    if (std::ranges::find(all, "netcdf-parallel") == all.end()) GTEST_SKIP();
    const Scratch dir;
    const auto patch = my_patch(ranks());
    auto spec = weather(dir / "%H.nc");
    spec.engine = "netcdf-parallel";
    spec.frames_per_file = 5;
    Session session(MPI_COMM_WORLD, {.timeout = unmet});
    auto stream = session.open(spec);
    put_fixed(stream, patch);
    write_frame(stream, patch, 0);
    disk_fails = rank() == 0;
    const auto text = error_of([&] { write_frame(stream, patch, 1); });
    EXPECT_TRUE(text.find("flushing the file") != std::string::npos) << text;
    EXPECT_TRUE(same_everywhere(text)) << text;
}

} // namespace squall::io::test
