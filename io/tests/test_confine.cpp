/// Paths and sizes that a file tells.

#include <filesystem>
#include <limits>

#include "common/confine.hpp"
#include "common/document.hpp"
#include "common/sizes.hpp"
#include "hostile.hpp"

namespace squall::io::test {
namespace {

namespace fs = std::filesystem;

TEST(Paths, LeadToWhatLiesBelowADirectoryOnly) {
    for (const auto *path : {"x", "x.nc", "a/b/c.nc", "./x", "..x", "a..b/..."})
        EXPECT_EQ(path_fault(path), "") << path;
    for (const auto *path : {"", "/", "/etc/passwd", "..", "../x", "a/../x", "a/..", ".", "./", "//x"})
        EXPECT_NE(path_fault(path), "") << path;
    for (const char c : {'\0', '\n', '\x1b'}) EXPECT_NE(path_fault(std::string("x") + c + "y"), "");
    EXPECT_EQ(name_fault("c.0.1"), "");
    for (const auto *name : {"a/b", "a/", "..", ""}) EXPECT_NE(name_fault(name), "") << name;
}

TEST(Paths, MayGoThroughLinksThatStayInside) {
    const Scratch dir;
    fs::create_directories(dir / "run/real");
    fs::create_directories(dir / "other");
    write_bytes(dir / "run/real/x", "");
    fs::create_symlink(dir / "run", dir / "link_to_run");
    fs::create_symlink("real", dir / "run/inside");
    fs::create_symlink(dir / "other", dir / "run/outside");
    fs::create_symlink("..", dir / "run/up");
    fs::create_symlink("nowhere", dir / "run/dangling");
    fs::create_directories(dir / "run2");
    fs::create_symlink(dir / "run2", dir / "run/beside"); // a name that begins alike is not inside
    for (const auto *top : {"run", "link_to_run"}) {
        EXPECT_EQ(confined(dir / top, "real/x"), (dir / top) + "/real/x");
        EXPECT_EQ(confined(dir / top, "inside/x"), (dir / top) + "/inside/x");
        EXPECT_EQ(confined(dir / top, "new/y"), (dir / top) + "/new/y");
        for (const auto *path :
             {"outside", "outside/x", "up", "up/run/real/x", "dangling", "beside", "../run/x", "/x"})
            EXPECT_NE(error_of([&] { confined(dir / top, path); }), "") << path;
    }
    EXPECT_TRUE(lies_below(dir / "run", dir / "run/real/x"));
    EXPECT_TRUE(lies_below(dir / "run/", dir / "link_to_run/real"));
    EXPECT_TRUE(lies_below(dir / "absent", dir / "absent/x/y"));
    EXPECT_FALSE(lies_below(dir / "run", dir / "run"));
    EXPECT_FALSE(lies_below(dir / "run", dir / "run2/x"));
    EXPECT_FALSE(lies_below(dir / "run", dir / "run/../other/x"));
    EXPECT_FALSE(lies_below(dir / "run", dir / "run/outside/x"));
}

TEST(Sizes, ThatCannotBeCountedAreAnError) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(times(1ull << 31, 1ull << 32), 1ull << 63);
    EXPECT_NE(error_of([&] { times(1ull << 32, 1ull << 32); }), "");
    EXPECT_EQ(plus(most - 1, 1), most);
    EXPECT_NE(error_of([&] { plus(most, 1); }), "");
    EXPECT_EQ(points_in({}, 8), 1);
    EXPECT_EQ(points_in({3, 5}, 8), 15);
    EXPECT_EQ(points_in({3, 0, 5}, 8), 0);
    for (const auto &extents : std::vector<std::vector<std::int64_t>>{
             {-1}, {1ll << 32, 1ll << 32}, {1ll << 31, 1ll << 31}, {0, 1ll << 62, 1ll << 62}})
        EXPECT_NE(error_of([&] { points_in(extents, 8); }), "");
}

TEST(Documents, HaveBounds) {
    using Json = nlohmann::ordered_json;
    const auto reading = [](const std::string &text) {
        return error_of([&] { parse_document<Json>(text, "x.json"); });
    };
    const auto nested = [](int n) { return std::string(n, '[') + std::string(n, ']'); };
    EXPECT_EQ(reading(nested(deepest_document)), "");
    EXPECT_TRUE(contains(reading(nested(deepest_document + 1)), "x.json is nested more than 64 levels deep"));
    EXPECT_NE(reading(std::string(10'000'000, '[')), "");
    std::string wide = "{";
    for (int n = 0; n <= widest_object; ++n) wide += fmt::format("\"{}\":0,", n);
    EXPECT_TRUE(contains(reading(wide + "\"\":0}"), "more than 16384 names"));
    EXPECT_TRUE(contains(reading("{"), "x.json is damaged, restore it"));
}

TEST(Documents, NameThePlaceOfAWrongValue) {
    using Json = nlohmann::json;
    const auto json = Json::parse(R"({"a": {"n": 1e300, "m": 18446744073709551615, "l": [1, -2]}})");
    const Item item(json, "x.json");
    EXPECT_EQ(error_of([&] { item["a"]["n"].integer(); }).find("x.json, a, n: it must be a whole number"),
              0u);
    EXPECT_NE(error_of([&] { item["a"]["m"].integer(); }), "");
    EXPECT_NE(error_of([&] { item["a"]["l"].integers(); }), "");
    EXPECT_EQ(item["a"]["l"].integers(-2), (std::vector<std::int64_t>{1, -2}));
    EXPECT_NE(error_of([&] { item["b"]; }), "");
    EXPECT_NE(error_of([&] { item["a"]["l"]["x"]; }), "");
}

} // namespace
} // namespace squall::io::test
