/// Headers of classic netCDF files that lie: an Error that says so, never a crash, a hang, or gigabytes.

#include <netcdf.h>

#include "engines/netcdf/classic.hpp"
#include "hostile.hpp"
#include "squall/io_append.hpp"

namespace squall::io::test {
namespace {

constexpr std::uint32_t dimensions = 10, variables = 11, attributes = 12;
constexpr std::uint32_t nc_char = 2, nc_float = 5;

/// Of records: T(Time, x = 4) of floats, 16 bytes each.
std::string with_records(std::uint32_t records, std::size_t there) {
    Classic file(2);
    file.u32(records).list(dimensions, 2).dimension("Time", 0).dimension("x", 4).none();
    file.list(variables, 1).variable("T", {0, 1}, nc_float, 100);
    return file.data(100 - file.bytes().size() + 16 * there).bytes();
}

class HostileClassic : public testing::Test {
  protected:
    std::string reading(const std::string &bytes) {
        write_bytes(dir_ / "x.nc", bytes);
        return reading_all(dir_ / "x.nc");
    }
    Scratch dir_;
};

TEST_F(HostileClassic, RecordsThatAreStillComingAreThoseThatTheFileIsLongEnoughFor) {
    EXPECT_EQ(reading(with_records(0xffffffff, 3)), "");
    EXPECT_EQ(Reader(dir_ / "x.nc").frames(), 3);
    EXPECT_EQ(reading(with_records(0xffffffff, 0)), "");
    EXPECT_EQ(Reader(dir_ / "x.nc").frames(), 0);
}

TEST_F(HostileClassic, MoreRecordsThanTheFileIsLongEnoughForAreRefused) {
    EXPECT_TRUE(contains(reading(with_records(0xfffffffe, 3)), "its header describes 68719476804"));
    EXPECT_TRUE(contains(reading(with_records(4, 3)), "it was truncated"));
    EXPECT_EQ(reading(with_records(3, 3)), "");
}

/// It went through the header again for each record too many: four thousand million times, for longer than a
/// test may take.
TEST_F(HostileClassic, WholeRecordsAreCountedAtOnce) {
    write_bytes(dir_ / "x.nc", with_records(0xfffffffe, 3));
    EXPECT_EQ(netcdf::whole_records(dir_ / "x.nc"), 3);
}

TEST_F(HostileClassic, RecordsWithoutFieldsAreNone) {
    Classic file(5);
    file.count(std::uint64_t(1) << 60).list(dimensions, 1).dimension("Time", 0).none().none();
    EXPECT_EQ(reading(file.bytes()), "");
    EXPECT_EQ(Reader(dir_ / "x.nc").frames(), 0);
}

TEST_F(HostileClassic, ExtentsWhoseProductWrapsToNothingAreRefused) {
    Classic file(5);
    file.count(0).list(dimensions, 2);
    file.dimension("x", std::uint64_t(1) << 32).dimension("y", std::uint64_t(1) << 32).none();
    file.list(variables, 1).variable("T", {0, 1}, nc_float, 8);
    EXPECT_TRUE(contains(reading(file.data(64).bytes()), "more bytes than can be counted"));
}

TEST_F(HostileClassic, ABeginAtTheEndOfTheWorldIsRefused) {
    Classic file(2);
    file.u32(0).list(dimensions, 1).dimension("x", 4).none();
    file.list(variables, 1).variable("T", {0}, nc_float, ~std::uint64_t(0) - 3);
    EXPECT_TRUE(contains(reading(file.data(64).bytes()), "more bytes than can be counted"));
}

TEST_F(HostileClassic, ListsLongerThanTheFileAreRefusedBeforeTheyAreReserved) {
    for (const auto tag : {dimensions, variables, attributes}) {
        Classic file(1);
        file.u32(0);
        for (const auto before : {dimensions, attributes})
            if (tag > dimensions && (tag == variables || before == dimensions)) file.none();
        file.list(tag, 0x7fffffff);
        EXPECT_TRUE(contains(reading(file.data(40).bytes()), "ends inside its header")) << tag;
    }
    Classic name(5);
    name.count(0).list(dimensions, 1).count(std::uint64_t(1) << 62).data(40);
    EXPECT_TRUE(contains(reading(name.bytes()), "ends inside its header"));
    Classic value(5);
    value.count(0).none().list(attributes, 1).name("a").u32(nc_float).count(std::uint64_t(1) << 62).data(40);
    EXPECT_NE(reading(value.bytes()), "");
}

TEST_F(HostileClassic, DimensionsThatAreNotThereAreRefused) {
    Classic file(1);
    file.u32(0).list(dimensions, 1).dimension("x", 4).none();
    file.list(variables, 1).variable("T", {7}, nc_float, 80);
    EXPECT_TRUE(contains(reading(file.data(64).bytes()), "gives field T dimension number 7 of 1"));
}

TEST_F(HostileClassic, SeveralRecordDimensionsOrOneThatIsNotFirstAreRefused) {
    Classic two(1);
    two.u32(1).list(dimensions, 2).dimension("Time", 0).dimension("more", 0).none().none();
    EXPECT_TRUE(contains(reading(two.bytes()), "two record dimensions"));
    Classic second(1);
    second.u32(1).list(dimensions, 2).dimension("Time", 0).dimension("x", 4).none();
    second.list(variables, 1).variable("T", {1, 0}, nc_float, 100);
    EXPECT_TRUE(contains(reading(second.data(64).bytes()), "in another place than first"));
}

TEST_F(HostileClassic, ADimensionThatIsDeclaredTwiceIsRefused) {
    Classic file(1);
    file.u32(0).list(dimensions, 2).dimension("x", 4).dimension("x", 400).none();
    file.list(variables, 1).variable("T", {1}, nc_char, 80);
    EXPECT_TRUE(contains(reading(file.data(500).bytes()), "dimension x is declared twice"));
}

TEST_F(HostileClassic, TypesThatTheFormatDoesNotHaveAreRefused) {
    for (const std::uint32_t type : {0u, 7u, 11u, 12u, 0xffffffffu}) {
        Classic file(1);
        file.u32(0).none().none().list(variables, 1).variable("T", {}, type, 60);
        EXPECT_TRUE(contains(reading(file.data(64).bytes()), "which the format does not have")) << type;
    }
}

TEST_F(HostileClassic, AHeaderCutAnywhereIsRefused) {
    const auto whole = with_records(2, 2);
    EXPECT_EQ(reading(whole), "");
    for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_NE(reading(whole.substr(0, n)), "") << n;
}

/// Every type, byte order and padding, against the library of those who made the format.
TEST_F(HostileClassic, ReadsWhatTheLibraryWrote) {
    for (const int format : {0, NC_64BIT_OFFSET, NC_64BIT_DATA}) {
        const auto path = dir_ / "x.nc";
        int id = 0, dims[3], variable = 0;
        ASSERT_EQ(nc_create(path.c_str(), NC_CLOBBER | format, &id), 0);
        nc_def_dim(id, "y", 3, &dims[1]);
        nc_def_dim(id, "Time", NC_UNLIMITED, &dims[0]);
        nc_def_dim(id, "x", 5, &dims[2]);
        const std::vector<nc_type> types =
            format == NC_64BIT_DATA ? std::vector<nc_type>{NC_BYTE,  NC_SHORT,  NC_INT,  NC_FLOAT, NC_DOUBLE,
                                                           NC_UBYTE, NC_USHORT, NC_UINT, NC_INT64, NC_UINT64}
                                    : std::vector<nc_type>{NC_BYTE, NC_SHORT, NC_INT, NC_FLOAT, NC_DOUBLE};
        for (const auto type : types)
            for (const bool record : {true, false}) {
                const auto name = fmt::format("{}{}", record ? "r" : "f", type);
                nc_def_var(id, name.c_str(), type, record ? 3 : 2, dims + (record ? 0 : 1), &variable);
                const double value[] = {7, 9};
                nc_put_att_double(id, variable, "of_its_type", type, 2, value);
            }
        nc_put_att_text(id, NC_GLOBAL, "TITLE", 5, "a b c");
        ASSERT_EQ(nc_enddef(id), 0);
        std::vector<double> values(2 * 3 * 5);
        for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<double>(n) + 2;
        for (int v = 0; v < 2 * std::ssize(types); ++v) {
            const std::size_t start[] = {0, 0, 0}, count[] = {2, 3, 5};
            ASSERT_EQ(nc_put_vara_double(id, v, start + v % 2, count + v % 2, values.data()), 0);
        }
        nc_close(id);
        const Reader file(path);
        EXPECT_EQ(file.frames(), 2);
        EXPECT_EQ(file.text("TITLE"), "a b c");
        ASSERT_EQ(file.fields().size(), 2 * types.size());
        for (const auto &f : file.fields()) {
            const auto &value = f.attributes.at(0).value;
            std::visit([&](const auto &v) { EXPECT_TRUE(v.size() == 2 && v[1] == 9) << f.name; }, value);
            std::vector<double> part(2 * 3);
            file.read(f.name, 1, {{1, 2}, {2, 3}}, part.data());
            const std::size_t frame = f.per_frame ? 15 : 0;
            for (std::size_t n = 0; n < part.size(); ++n)
                EXPECT_EQ(part[n], values[frame + (1 + n / 3) * 5 + 2 + n % 3]) << f.name;
        }
    }
}

/// They were looked up in a list of the dimensions that are in no group.
TEST(Netcdf4, DimensionsOfGroupsShareOneNumberingWithTheOthers) {
    const Scratch dir;
    const auto path = dir / "x.nc";
    int id = 0, group = 0, inner = 0, x = 0, variable = 0;
    ASSERT_EQ(nc_create(path.c_str(), NC_CLOBBER | NC_NETCDF4, &id), 0);
    nc_def_grp(id, "group", &group);
    for (const auto *name : {"a", "b", "c"}) nc_def_dim(group, name, 7, &inner);
    nc_def_dim(id, "x", 3, &x);
    nc_def_var(id, "T", NC_FLOAT, 1, &x, &variable);
    const float values[] = {1, 2, 3};
    ASSERT_EQ(nc_put_var_float(id, variable, values), 0);
    nc_close(id);
    const Reader file(path);
    EXPECT_EQ(file.shape("T"), (std::vector<std::int64_t>{3}));
    float last = 0;
    file.read("T", 0, {{2}, {1}}, &last);
    EXPECT_EQ(last, 3);
}

/// Boxes of all shapes, so that runs of points are read one by one, together, and in parts.
TEST_F(HostileClassic, AnyBoxIsReadAsItLies) {
    Classic header(2);
    header.u32(0).list(dimensions, 3).dimension("z", 3).dimension("y", 4).dimension("x", 50).none();
    header.list(variables, 1).variable("T", {0, 1, 2}, 4, 200); // of 4-byte integers
    auto bytes = header.data(200 - header.bytes().size()).bytes();
    for (std::uint32_t n = 0; n < 600; ++n)
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(n >> shift);
    write_bytes(dir_ / "x.nc", bytes);
    const Reader file(dir_ / "x.nc");
    for (const auto &[start, count] :
         std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>>{
             {{0, 0, 0}, {3, 4, 50}},
             {{1, 0, 0}, {2, 4, 50}},
             {{0, 1, 0}, {3, 2, 50}},
             {{0, 1, 7}, {3, 3, 30}},
             {{1, 1, 49}, {2, 3, 1}},
             {{2, 3, 0}, {1, 1, 2}}}) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(count[0] * count[1] * count[2]));
        file.read("T", 0, {start, count}, values.data());
        std::size_t n = 0;
        for (auto z = start[0]; z < start[0] + count[0]; ++z)
            for (auto y = start[1]; y < start[1] + count[1]; ++y)
                for (auto x = start[2]; x < start[2] + count[2]; ++x)
                    EXPECT_EQ(values[n++], (z * 4 + y) * 50 + x);
    }
}

/// A record of one byte each, its time.
std::string with_times_of_a_byte(std::uint32_t records) {
    constexpr std::uint32_t nc_byte = 1;
    const std::string units = "seconds since 2000-01-01";
    Classic file(2);
    file.u32(records).list(dimensions, 1).dimension("Time", 0).none().list(variables, 1);
    file.name("Time").count(1).count(0).list(attributes, 1).name("units").u32(nc_char).name(units);
    file.u32(nc_byte).count(0).offset(200);
    return file.data(200 - file.bytes().size() + records).bytes();
}

TEST_F(HostileClassic, TimesTakeNoMoreMemoryThanTheFileMeans) {
    write_bytes(dir_ / "x.nc", with_times_of_a_byte(1000));
    const auto times = Reader(dir_ / "x.nc").times();
    ASSERT_EQ(times.size(), 1000u);
    EXPECT_EQ(times[7].seconds, 1);
    write_bytes(dir_ / "x.nc", with_times_of_a_byte(1'000'000));
    const auto said = error_of([&] { Reader(dir_ / "x.nc").times(); });
    EXPECT_TRUE(contains(said, "the times of 1000000 frames are too many")) << said;
    EXPECT_TRUE(contains(said, "read Time itself, in parts")) << said;
    EXPECT_EQ(EarlierFile(dir_ / "x.nc").frames_before({2, "2000-01-01"}), 1'000'000); // one after the other
}

} // namespace
} // namespace squall::io::test
