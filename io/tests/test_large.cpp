/// Boxes, messages and files of more points and bytes than 31 bits count, in memory that is mapped and not
/// there, and in files that are mostly holes.

#include <algorithm>
#include <cstdint>

#include <fcntl.h>
#include <sys/mman.h>

#include "common/box.hpp"
#include "direct.hpp"
#include "drain/parcels.hpp"
#include "hostile.hpp"

namespace squall::io::test {
namespace {

constexpr std::int64_t beyond = std::int64_t(1) << 31;

/// Zeros that take no memory but where they are changed.
class Zeros {
  public:
    explicit Zeros(std::size_t bytes)
        : bytes_(bytes), at_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
        if (at_ == MAP_FAILED) throw Error("no room for zeros");
    }
    ~Zeros() { munmap(at_, bytes_); }
    Zeros(const Zeros &) = delete;
    Zeros &operator=(const Zeros &) = delete;
    template <class T> T *as() const { return static_cast<T *>(at_); }

  private:
    std::size_t bytes_;
    void *at_;
};

class Parcels : public testing::TestWithParam<Type> {};

TEST_P(Parcels, OfALargePartCoverItInMessagesThatMpiCanCount) {
    const auto element = static_cast<std::int64_t>(size_of(GetParam()));
    const Box whole{{0, 0, 0}, {3, 70'000, 40'000}}; // 8.4 thousand million points
    const Box line{{0}, {3 * beyond + 5}};
    const std::vector<std::pair<Box, Box>> cases = {{whole, whole},
                                                    {{{1, 5, 7}, {2, 69'000, 39'990}}, whole},
                                                    {{{0, 0, 39'999}, {3, 70'000, 1}}, whole},
                                                    {{{beyond}, {2 * beyond + 3}}, line}};
    auto *const base = reinterpret_cast<std::byte *>(std::uintptr_t(1) << 44);
    for (const auto &[part, box] : cases) {
        const auto all = parcels(part, GetParam());
        EXPECT_EQ(tiling_fault_in(part, all), "");
        for (const auto &p : all) {
            ASSERT_LE(volume(p) * element, std::int64_t(1) << 30) << text(p);
            const MessageType type(p, box, GetParam());
            MPI_Count size = 0, low = 0, extent = 0;
            MPI_Type_size_x(type, &size);
            MPI_Type_get_true_extent_x(type, &low, &extent);
            ASSERT_EQ(size, volume(p) * element) << text(p);
            std::vector<std::int64_t> last(p.start);
            for (std::size_t d = 0; d < last.size(); ++d) last[d] += p.count[d] - 1;
            const auto first = offset_in(box, p.start) * element;
            ASSERT_EQ(type.in(static_cast<void *>(base)), base + first) << text(p);
            ASSERT_EQ(low, 0);
            ASSERT_EQ(extent, (offset_in(box, last) + 1) * element - first) << text(p);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Parcels, testing::Values(Type::character, Type::i16, Type::f32, Type::f64),
                         [](const auto &test) { return name_of(test.param); });

/// A patch whose rows lie far from each other in the model's memory.
TEST(Large, StridesInMemoryReachFurtherThan31Bits) {
    const Scratch dir;
    constexpr auto stride = beyond + 1;
    const Zeros memory(3 * beyond * sizeof(float));
    StreamSpec spec;
    spec.name = "far";
    spec.path = dir / "far.nc";
    spec.dimensions = {{"y", 3}, {"x", 2}};
    spec.fields = {{"A", Type::f32, {"y", "x"}, {}}};
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 2; ++x) memory.as<float>()[y * stride + x] = static_cast<float>(2 * y + x);
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    auto frame = stream.begin({});
    frame.put("A", {{0, 0}, {3, 2}}, memory.as<float>(), {stride, 1});
    frame.commit();
    stream.close();
    std::vector<float> back(6);
    Reader(spec.path).read("A", 0, {{0, 0}, {3, 2}}, back.data());
    EXPECT_EQ(back, (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

/// 2^33 points in a file that is mostly a hole.
TEST(Large, FilesAreReadAtTheirFarEnd) {
    const Scratch dir;
    constexpr std::uint64_t rows = 4 * beyond / 8, begin = 200;
    Classic header(5);
    header.count(0).list(10, 2).dimension("y", rows).dimension("x", 8).none();
    header.list(11, 1).variable("T", {0, 1}, 1, begin); // bytes
    write_bytes(dir / "x.nc", header.bytes());
    std::filesystem::resize_file(dir / "x.nc", begin + rows * 8);
    const std::string last = {1, 2, 3, 4, 5, 6, 7, 8};
    std::fstream file(dir / "x.nc", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(begin + (rows - 1) * 8));
    file << last << std::flush;
    std::vector<std::int32_t> back(6);
    Reader(dir / "x.nc").read("T", 0, {{rows - 2, 5}, {2, 3}}, back.data());
    EXPECT_EQ(back, (std::vector<std::int32_t>{0, 0, 0, 6, 7, 8}));
}

/// One box of more than 2^31 bytes: as one variable of a part, and as one shard.
TEST(Large, BoxesAreWrittenInWhole) {
    constexpr std::int64_t rows = 32'769, columns = 32'768;
    const Zeros points(rows * columns * sizeof(std::int16_t));
    auto *const values = points.as<std::int16_t>();
    values[0] = 1;
    values[rows * columns - 1] = 2;
    const auto all = engines();
    for (const char *engine : {"netcdf-split", "zarr"}) {
        if (std::ranges::find(all, engine) == all.end()) continue;
        SCOPED_TRACE(engine);
        const Scratch dir;
        StreamSpec spec;
        spec.name = "large";
        spec.path = dir / "x";
        spec.engine = engine;
        spec.dimensions = {{"y", rows}, {"x", columns}};
        spec.fields = {{"A", Type::i16, {"y", "x"}, {}}};
        if (engine == std::string("zarr")) spec.options = {{"chunk", "4097,4096"}, {"shard", "32769,32768"}};
        const Layout layout(spec);
        Direct writer(layout, spec.path);
        writer.write(0, 0, {{whole_of({rows, columns}), values}});
        writer.close(1);
        const Reader file(spec.path);
        std::vector<std::int16_t> back(2);
        file.read("A", 0, {{rows - 1, columns - 2}, {1, 2}}, back.data());
        EXPECT_EQ(back, (std::vector<std::int16_t>{0, 2}));
        file.read("A", 0, {{0, 0}, {1, 2}}, back.data());
        EXPECT_EQ(back, (std::vector<std::int16_t>{1, 0}));
    }
}

} // namespace
} // namespace squall::io::test
