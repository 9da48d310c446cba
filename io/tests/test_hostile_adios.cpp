/// Indices of BP5 directories that lie.

#include <bit>

#include "engines/adios/index.hpp"
#include "hostile.hpp"

namespace squall::io::test {
namespace {

using adios::parse_index;
using Numbers = std::vector<std::uint64_t>;

std::string header() {
    std::string bytes(64, '\0');
    bytes[36] = std::endian::native == std::endian::little ? 0 : 1;
    bytes[37] = 5;
    return bytes;
}

std::string record(char kind, const Numbers &numbers, std::uint64_t more = 0) {
    const std::uint64_t length = numbers.size() * sizeof(std::uint64_t) + more;
    std::string bytes(1 + sizeof length + numbers.size() * sizeof length, kind);
    std::memcpy(bytes.data() + 1, &length, sizeof length);
    if (!numbers.empty())
        std::memcpy(bytes.data() + 1 + sizeof length, numbers.data(), numbers.size() * sizeof length);
    return bytes;
}

std::string parsing(const std::string &records) {
    return error_of([&] { parse_index(header() + records); });
}

TEST(HostileBp5, AnHonestIndexIsUnderstood) {
    const auto index =
        parse_index(header() + record('w', {2, 1, 1, 0, 0}) + record('s', {0, 100, 1, 0, 40, 7, 40, 60, 7}) +
                    record('s', {100, 50, 0, 7, 7}));
    EXPECT_EQ(index.ends.size(), 2u);
    EXPECT_EQ(index.metadata, 150u);
    EXPECT_EQ(index.least, (Numbers{100}));
}

TEST(HostileBp5, DataFilesThatNobodyWritesAreNotReserved) {
    constexpr auto many = std::uint64_t(1) << 60;
    for (const auto &numbers :
         {Numbers{1, 1, many, 0}, Numbers{many, 1, 1, 0}, Numbers{many, 1, many, 0}, Numbers{1, 1, 1, 1},
          Numbers{1, 1, 1, many}, Numbers{1, 1, 0, 0}, Numbers{1, 1}})
        EXPECT_TRUE(contains(parsing(record('w', numbers)), "md.idx")) << numbers.size();
}

TEST(HostileBp5, StepsThatAreShorterThanTheySayOrReachTooFarAreRefused) {
    const auto writers = record('w', {2, 1, 1, 0, 0});
    constexpr auto most = ~std::uint64_t(0);
    for (const auto &numbers :
         {Numbers{0, 1, most, 0, 1}, Numbers{0, 1, 1, 0, 1, 0}, Numbers{most, 1, 0, 0, 0},
          Numbers{0, 1, 1, most, 1, 0, 0, 0, 0}, Numbers{0, 1}, Numbers{}})
        EXPECT_NE(parsing(writers + record('s', numbers)), "") << numbers.size();
}

TEST(HostileBp5, ALastRecordThatIsCutIsNotThere) {
    const auto whole =
        header() + record('w', {1, 1, 1, 0}) + record('s', {0, 10, 0, 0}) + record('s', {10, 10, 0, 0});
    EXPECT_EQ(parse_index(whole).ends.size(), 2u);
    for (std::size_t n = 1; n < 40; ++n)
        EXPECT_EQ(parse_index(whole.substr(0, whole.size() - n)).ends.size(), 1u);
    EXPECT_EQ(parse_index(whole + record('s', {}, ~std::uint64_t(0))).ends.size(), 2u);
    for (std::size_t n = 0; n < 64; ++n) EXPECT_NE(error_of([&] { parse_index(whole.substr(0, n)); }), "");
}

} // namespace
} // namespace squall::io::test
