/// Who makes fields of others: the ranks that hold the points, or rank 0 of whole fields; and coarser grids.

#include "zonal.hpp"

namespace squall::io::test {
namespace {

/// Coarser by 4 and 3, which divide neither 13 nor 11.
StreamSpec coarse(const std::string &path, const std::string &engine, const std::string &placement) {
    auto s = zonal(path, engine, placement);
    const std::vector<Coarsening> blocks{{"y", 3, "y_coarse"}, {"x", 4, "x_coarse"}};
    s.fields = {made("T", {.of = "fine", .coarsen = blocks, .weight = "area"}),
                made("column", {.of = "fine", .over = {"z"}, .coarsen = blocks}),
                made("gust", {.of = "fine", .method = "max", .coarsen = {{"x", 4, "x_coarse"}}}, Type::f32)};
    s.sources[0].name = "fine";
    return s;
}

/// The points of a block, at most.
std::int64_t stop_of(std::int64_t block, std::int64_t size, std::int64_t n) {
    return std::min((block + 1) * size, n);
}

void expect_coarse(const std::string &file) {
    constexpr std::int64_t my = 4, mx = 4;
    const auto t = all_of(file, "T"), column = all_of(file, "column"), gust = all_of(file, "gust");
    ASSERT_EQ(t.size(), static_cast<std::size_t>(nz * my * mx));
    for (std::int64_t J = 0; J < my; ++J)
        for (std::int64_t I = 0; I < mx; ++I) {
            Sum all;
            std::int64_t n = 0;
            for (std::int64_t k = 0; k < nz; ++k) {
                Sum areas, values;
                for (auto j = 3 * J; j < stop_of(J, 3, ny); ++j) {
                    float most = -std::numeric_limits<float>::infinity();
                    for (auto i = 4 * I; i < stop_of(I, 4, nx); ++i) {
                        const auto x = value_at(k, j, i, 0);
                        areas.add(area_at(j, i)), values.add(area_at(j, i) * static_cast<double>(x));
                        all.add(static_cast<double>(x)), ++n;
                        most = std::max(most, x);
                    }
                    EXPECT_EQ(gust[static_cast<std::size_t>((k * ny + j) * mx + I)], most);
                }
                EXPECT_EQ(t[static_cast<std::size_t>((k * my + J) * mx + I)],
                          static_cast<double>(values.precise() / areas.precise()));
            }
            EXPECT_EQ(column[static_cast<std::size_t>(J * mx + I)], static_cast<double>(all.precise() / n));
        }
}

} // namespace

TEST(Coarsening, IsTheSameToTheBitHoweverTheDomainIsCut) {
    for (const auto cut : {Cut::rows, Cut::columns, Cut::bricks})
        for (const auto *placement : {"inline", "thread"}) {
            const Scratch dir;
            write_zonal(coarse(dir / "x.nc", "netcdf", placement), cut, 1, {}, "fine");
            SCOPED_TRACE(fmt::format("{}, cut {}", placement, static_cast<int>(cut)));
            expect_coarse(dir / "x.nc");
        }
}

TEST(Coarsening, TellsWhatItIs) {
    const Scratch dir;
    write_zonal(coarse(dir / "x.nc", "netcdf", "inline"), Cut::rows, 1, {}, "fine");
    const Reader file(dir / "x.nc");
    const auto &t = file.field("T");
    EXPECT_EQ(t.dimensions, (std::vector<std::string>{"z", "y_coarse", "x_coarse"}));
    const auto words = std::ranges::find(t.attributes, std::string("cell_methods"), &Attribute::name);
    ASSERT_NE(words, t.attributes.end());
    EXPECT_EQ(std::get<std::string>(words->value), "y_coarse: x_coarse: mean (weighted by area)");
}

TEST(Coarsening, ThatCannotBeIsRefused) {
    Session session(MPI_COMM_WORLD);
    const auto refusal = [&](const Coarsening &coarsening) {
        auto spec = coarse("x.nc", "netcdf", "inline");
        spec.fields[0].reduction->coarsen = {coarsening};
        return error_of([&] { session.open(spec); });
    };
    EXPECT_NE(
        refusal({"w", 2, "v"})
            .find(
                "`coarsen` names dimension w, which is not among the remaining dimensions of fine: z, y, x"),
        std::string::npos);
    EXPECT_NE(refusal({"x", 1, "v"}).find("by a factor of 1 from dimension x"), std::string::npos);
    EXPECT_NE(refusal({"x", 2, "z"}).find("dimension z has size 5, but x by 2 gives 7"), std::string::npos);
}

} // namespace squall::io::test
