/// Who makes fields of others: the ranks that hold the points, servers, or rank 0 of whole fields; and
/// coarser grids.

#include <filesystem>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "reduce/made_by_servers.hpp"
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

/// Of a field that is written itself, unweighted.
StreamSpec unweighted(const std::string &path, const std::string &engine) {
    auto s = zonal(path, engine, "servers");
    s.fields = {
        s.sources[0],
        made("zonal_mean", {.of = "T", .over = {"x"}}),
        made("mean", {.of = "T", .over = {"z", "y", "x"}}),
        made("most", {.of = "T", .method = "max", .over = {"z"}}, Type::f32),
        made("median", {.of = "T", .method = "quantile", .over = {"y", "x"}, .low = -1e5, .high = 1e5}),
        made("coarse", {.of = "T", .coarsen = {{"y", 3, "y_coarse"}, {"x", 4, "x_coarse"}}})};
    s.sources.erase(s.sources.begin());
    return s;
}

std::vector<std::vector<double>> made_in(const std::string &file, std::int64_t frame) {
    std::vector<std::vector<double>> all;
    for (const auto *name : {"T", "zonal_mean", "mean", "most", "median", "coarse"})
        all.push_back(all_of(file, name, frame));
    return all;
}

std::string maker_of_zonal_mean(const StreamSpec &spec) {
    const auto made = made_fields(spec);
    return std::ranges::find(made, std::string("zonal_mean"), &MadeField::name)->by;
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
    EXPECT_NE(refusal({"w", 2, "v"})
                  .find("`coarsen` names dimension w, which is not left of those of fine: z, y, x"),
              std::string::npos);
    EXPECT_NE(refusal({"x", 1, "v"}).find("makes one point of 1 of dimension x"), std::string::npos);
    EXPECT_NE(refusal({"x", 2, "z"}).find("dimension z has size 5, but x by 2 makes 7"), std::string::npos);
}

TEST(Gathering, ComesToTheSameBits) {
    for (const auto *placement : {"inline", "thread"})
        for (const auto cut : {Cut::columns, Cut::bricks}) {
            const Scratch dir;
            auto spec = zonal(dir / "x.nc", "netcdf", placement);
            spec.reduce = "gather";
            EXPECT_EQ(maker_of_zonal_mean(spec), "rank 0");
            write_zonal(spec, cut, 3);
            expect_zonal(dir / "x.nc", 3);
        }
}

TEST(Servers, MakeOfWhatTheyReceiveWhatTheRanksWouldMake) {
    for (const auto &engine : storing_engines())
        for (const int servers : {1, 2, 3}) {
            if (servers >= ranks()) continue;
            for (const bool shared : {true, false}) {
                const Scratch dir;
                SCOPED_TRACE(fmt::format("{}, {} servers, shared memory {}", engine, servers, shared));
                for (const auto *who : {"", "ranks"}) {
                    auto spec = unweighted(dir / (*who ? "ranks" : "servers"), engine);
                    spec.reduce = who;
                    EXPECT_EQ(maker_of_zonal_mean(spec), *who ? "ranks" : "servers");
                    write_zonal(spec, Cut::columns, 3, {.servers = servers, .shared_memory = shared});
                }
                for (std::int64_t f = 0; f < 3; ++f)
                    EXPECT_EQ(made_in(dir / "servers", f), made_in(dir / "ranks", f));
            }
        }
}

TEST(Servers, MakeNothingThatTheyWouldNeedMoreFor) {
    const auto spec = unweighted("x.nc", "netcdf");
    EXPECT_EQ(made_fields(spec).size(), spec.fields.size() - 1);
    const auto why = [&](auto spoil) {
        auto other = spec;
        spoil(other);
        EXPECT_EQ(maker_of_zonal_mean(other), "ranks");
        other.reduce = "servers";
        return error_of([&] { maker_of_zonal_mean(other); });
    };
    EXPECT_EQ(why([](StreamSpec &s) { s.placement = "thread"; }),
              "stream zonal: field zonal_mean: servers cannot make it: the placement is thread; leave reduce "
              "empty, "
              "and the ranks make it");
    EXPECT_NE(why([](StreamSpec &s) { s.fields[1].reduction->weight = "area"; }).find("do not hold a weight"),
              std::string::npos);
    EXPECT_NE(why([](StreamSpec &s) {
                  s.subset = {{"x", 2, 9}};
                  s.fields.resize(2);
              }).find("only a part"),
              std::string::npos);
    EXPECT_NE(why([](StreamSpec &s) { s.on_lost_server = "take-over"; }).find("take-over"),
              std::string::npos);
    EXPECT_NE(why([](StreamSpec &s) {
                  s.sources.push_back(s.fields[0]);
                  s.fields.erase(s.fields.begin());
              }).find("T is not written"),
              std::string::npos);
    auto odd = spec;
    odd.reduce = "here";
    EXPECT_NE(error_of([&] { made_fields(odd); }).find("choose one of: ranks, servers, gather"),
              std::string::npos);
}

/// A frame on the one server, which counts the blocks of which it was given the memory.
class Counted final : public Staged {
  public:
    explicit Counted(const Layout &layout) : layout_(layout) {}

    std::vector<std::pair<int, Box>> boxes() const override { return {}; }
    std::vector<Block> take(int field) override { return look(field); }
    std::vector<Block> look(int field) const override {
        const auto &f = layout_.fields[static_cast<std::size_t>(field)];
        const auto all = whole_of(f.shape);
        const auto bytes = static_cast<std::size_t>(volume(all)) * size_of(f.staged);
        std::vector<Block> blocks;
        auto *block = pool_->take(bytes);
        if (!block) throw Error("there is no room for " + f.field.name);
        blocks.push_back({field, all, Memory(pool_, block, bytes)});
        fill_points(blocks[0].memory.data(), f.staged, volume(all), 1);
        return blocks;
    }
    std::size_t most() const { return pool_->most_used(); }

  private:
    const Layout &layout_;
    std::shared_ptr<Pool> pool_ = std::make_shared<Pool>(std::make_shared<Arena>(1 << 20, false), 0);
};

TEST(Servers, HoldOneSourceAtATime) {
    auto spec = unweighted("x.nc", "netcdf");
    constexpr int sources = 6;
    for (int n = 1; n < sources; ++n) {
        const auto name = fmt::format("T{}", n);
        spec.fields.push_back(spec.fields[0]);
        spec.fields.back().name = name;
        spec.fields.push_back(made(name + "_mean", {.of = name, .over = {"x"}}));
    }
    const Layout layout(spec);
    const Crew crew(MPI_COMM_SELF, Patience(60, 0, 0));
    Evaluator evaluator(std::make_shared<const Layout>(spec), true);
    Counted frame(layout);
    const MadeByServers made(crew, layout, evaluator, frame);
    const auto bytes_of = [&](const auto &wanted) {
        std::size_t bytes = 0;
        for (const auto &f : layout.fields)
            if (wanted(f)) bytes += Pool::rounded(static_cast<std::size_t>(f.bytes()));
        return bytes;
    };
    const auto results = bytes_of([](const FieldLayout &f) { return f.field.reduction.has_value(); });
    const auto source = bytes_of([](const FieldLayout &f) { return f.field.name == "T"; });
    EXPECT_LE(frame.most(), results + source);
    EXPECT_EQ(made.look(layout.find("T3_mean")).size(), 1U);
}

TEST(Servers, FailAFrameOfWhichPointsAreMissing) {
    if (ranks() < 3) GTEST_SKIP() << "two computing ranks and a server";
    const Scratch dir;
    Session session(MPI_COMM_WORLD, {.servers = 1});
    if (!session.computes()) return session.serve();
    auto spec = unweighted(dir / "x_%M.nc", "netcdf");
    spec.on_error = "continue";
    spec.frames_per_file = 1;
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    auto stream = session.open(spec);
    const auto boxes = boxes_of(Cut::rows, me, n);
    put_area(stream, boxes);
    for (int f = 0; f < 3; ++f) {
        auto frame = stream.begin({60.0 * f});
        if (f != 1 || me > 0) put_t(frame, boxes, f);
        frame.commit();
    }
    stream.close();
    session.close();
    for (const auto *minute : {"00", "01", "02"})
        EXPECT_EQ(std::filesystem::exists(dir / fmt::format("x_{}.nc", minute)), minute != std::string("01"));
}

} // namespace squall::io::test
