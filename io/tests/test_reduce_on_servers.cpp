/// Fields that servers make of others: of those that they receive to write them, and of what is sent for it.

#include <filesystem>

#include "common/box.hpp"
#include "common/copy.hpp"
#include "reduce/made_by_servers.hpp"
#include "zonal.hpp"

namespace squall::io::test {
namespace {

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

/// All methods, of fields that are not written, or in part only, weighted and masked in every way: by fields
/// that are fixed in time or not, written or not, that lack dimensions.
StreamSpec of_all_kinds(const std::string &path, const std::string &engine, const std::string &who) {
    auto s = zonal(path, engine, "servers");
    s.reduce = who;
    if (engine == "zarr") s.codec = "zstd", s.options = {{"encode", "ranks"}, {"chunk", "3,4,4"}};
    s.dimensions.push_back({"y_part", ny});
    s.subset = {{"y_part", 2, 7}};
    s.sources = {s.sources[0],
                 {"mass", Type::f32, {"z", "y", "x"}, {}},
                 {"depth", Type::f64, {"z"}, {}, false},
                 {"share", Type::f32, {"x"}, {}},
                 {"land", Type::i8, {"y", "x"}, {}, false},
                 {"number_of", Type::i32, {"y", "x"}, {}},
                 made("average", {.of = "T", .over = {"Time"}}, Type::f32)};
    const std::vector<Field> written{{"area", Type::f64, {"y", "x"}, {}, false},
                                     {"written", Type::f32, {"z", "y", "x"}, {}},
                                     {"in_part", Type::f32, {"z", "y_part", "x"}, {}}};
    s.fields.insert(s.fields.end(), written.begin(), written.end());
    const std::vector<Field> more{
        made("by_mass", {.of = "T", .over = {"y", "x"}, .weight = "mass", .mask = "land"}),
        made("by_depth", {.of = "T", .over = {"z"}, .weight = "depth"}),
        made("by_share", {.of = "number_of", .over = {"x"}, .weight = "share"}),
        made("by_itself", {.of = "mass", .method = "sum", .over = {"z"}, .weight = "area"}),
        made("written_by_mass", {.of = "written", .over = {"x"}, .weight = "mass"}),
        made("of_written", {.of = "written", .method = "max", .over = {"y"}}),
        made("of_part", {.of = "in_part", .over = {"y_part"}}),
        made("median", {.of = "T", .method = "quantile", .over = {"y", "x"}, .low = -1e5, .high = 1e5}),
        made("median_mass", {.of = "T",
                             .method = "quantile",
                             .over = {"y", "x"},
                             .weight = "mass",
                             .mask = "land",
                             .low = -1e5,
                             .high = 1e5}),
        made("within", {.of = "T", .method = "sum", .over = {"y", "x"}, .within = {{"y", 3, 9}}}),
        made("coarse",
             {.of = "T", .coarsen = {{"y", 3, "y_coarse"}, {"x", 4, "x_coarse"}}, .weight = "area"}),
        made("of_average", {.of = "average", .over = {"x"}, .mask = "land"})};
    s.fields.insert(s.fields.end(), more.begin(), more.end());
    return s;
}

/// Points of a box, z fastest, then x.
template <class T> std::vector<T> points_of(const Box &box, int number) {
    std::vector<T> points;
    for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
        for (auto i = box.start[2]; i < box.start[2] + box.count[2]; ++i)
            for (std::int64_t k = 0; k < nz; ++k)
                points.push_back(static_cast<T>(std::abs(value_at(k, j, i, number)) / 7));
    return points;
}

/// Returns how many bytes count as written.
std::uint64_t write_all_kinds(const StreamSpec &spec, Cut cut, SessionSpec session_spec) {
    Session session(MPI_COMM_WORLD, session_spec);
    if (!session.computes()) return session.serve(), 0;
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    const auto boxes = boxes_of(cut, me, n);
    auto stream = session.open(spec);
    put_area(stream, boxes);
    const std::vector<double> depth{1. / 3, 2, 5, 7, 11};
    stream.put("depth", {{0}, {nz}}, depth.data());
    for (const auto &box : boxes) {
        std::vector<std::int8_t> land;
        for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
            for (auto i = box.start[2]; i < box.start[2] + box.count[2]; ++i) land.push_back((i + j) % 3 > 0);
        stream.put("land", {{box.start[1], box.start[2]}, {box.count[1], box.count[2]}}, land.data());
    }
    for (int f = 0; f < 3; ++f) {
        auto frame = stream.begin({60.0 * f});
        for (const auto &box : boxes) {
            const auto as_put = Strides{1, nz * box.count[2], nz};
            frame.put("mass", box, points_of<double>(box, f).data(),
                      as_put);                                             // with more digits than declared
            const auto west = std::max<std::int64_t>(box.start[2] - 1, 0); // a halo, that others put, too
            const auto width = std::min(box.start[2] + box.count[2] + 1, std::int64_t(nx)) - west;
            const Box row{{0, 0, west}, {nz, 1, width}};
            frame.put("share", {{west}, {width}}, points_of<float>(row, 0).data(), {nz});
            frame.put("written", box, points_of<float>(box, f).data(), as_put);
            frame.put("in_part", box, points_of<float>(box, f + 1).data(), as_put);
            frame.put("number_of", {{box.start[1], box.start[2]}, {box.count[1], box.count[2]}},
                      points_of<std::int32_t>(box, f).data(), {nz * box.count[2], nz});
        }
        put_t(frame, boxes, f);
        frame.commit();
    }
    stream.close();
    const auto report = session.close();
    return rank() == 0 ? report.at(0).bytes : 0;
}

using Values = std::map<std::string, std::vector<double>>;
/// By frame; on the first rank.
std::vector<Values> all_in(const std::string &file) {
    if (rank() > 0) return {};
    const Reader reader(file);
    std::vector<Values> frames(static_cast<std::size_t>(reader.frames()));
    for (std::size_t f = 0; f < frames.size(); ++f)
        for (const auto &field : reader.fields()) {
            const auto all = whole_of(reader.shape(field.name));
            auto &values = frames[f][field.name];
            values.resize(static_cast<std::size_t>(volume(all)));
            reader.read(field.name, static_cast<std::int64_t>(f), all, values.data());
        }
    return frames;
}

/// Which fields, in which frames.
std::vector<std::string> different(const std::vector<Values> &one, const std::vector<Values> &other) {
    std::vector<std::string> names;
    if (one.size() != other.size()) names.push_back("the number of frames");
    for (std::size_t f = 0; f < std::min(one.size(), other.size()); ++f)
        for (const auto &[name, values] : other[f])
            if (one[f].size() != other[f].size() || one[f].at(name) != values)
                names.push_back(fmt::format("{} of frame {}", name, f));
    return names;
}

std::vector<std::vector<double>> made_in(const std::string &file, std::int64_t frame) {
    std::vector<std::vector<double>> all;
    for (const auto *name : {"T", "zonal_mean", "mean", "most", "median", "coarse"})
        all.push_back(all_of(file, name, frame));
    return all;
}

} // namespace

TEST(Servers, MakeOfWhatTheyReceiveWhatTheRanksWouldMake) {
    if (ranks() < 2) GTEST_SKIP() << "a computing rank and a server";
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        const auto write = [&](const std::string &name, const std::string &who, const SessionSpec &session) {
            auto spec = unweighted(dir / name, engine);
            spec.reduce = who;
            EXPECT_EQ(maker_of_zonal_mean(spec), who.empty() ? "servers" : "ranks");
            write_zonal(spec, Cut::columns, 3, session);
        };
        write("ranks", "ranks", {.servers = 1});
        for (const int servers : {1, 2, 3}) {
            if (servers >= ranks()) continue;
            for (const bool shared : {true, false}) {
                SCOPED_TRACE(fmt::format("{}, {} servers, shared memory {}", engine, servers, shared));
                const auto name = fmt::format("servers{}{}", servers, shared);
                write(name, "", {.servers = servers, .shared_memory = shared});
                for (std::int64_t f = 0; f < 3; ++f)
                    EXPECT_EQ(made_in(dir / name, f), made_in(dir / "ranks", f));
            }
        }
    }
}

TEST(Servers, MakeOfWhatIsSentToThemAloneWhatTheRanksWouldMake) {
    if (ranks() < 2) GTEST_SKIP() << "a computing rank and a server";
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        const auto cut = engine == "netcdf" ? Cut::bricks : Cut::columns;
        const auto bytes = write_all_kinds(of_all_kinds(dir / "ranks", engine, "ranks"), cut, {.servers = 1});
        const auto right = all_in(dir / "ranks");
        if (rank() == 0) {
            ASSERT_EQ(right.size(), 3U);
            EXPECT_EQ(right[0].size(), of_all_kinds("", engine, "").fields.size()); // and no sources
            expect_zonal(dir / "ranks", 3);
        }
        for (const int servers : {1, 2, 3}) {
            if (servers >= ranks()) continue;
            const bool shared = servers % 2 == 1 && ranks() != 3; // else by messages
            SCOPED_TRACE(fmt::format("{}, {} servers, shared memory {}", engine, servers, shared));
            const auto file = dir / fmt::format("servers{}", servers);
            const auto spec = of_all_kinds(file, engine, "servers");
            for (const auto &made : made_fields(spec)) EXPECT_EQ(made.by, "servers") << made.name;
            EXPECT_EQ(write_all_kinds(spec, cut, {.servers = servers, .shared_memory = shared}), bytes);
            EXPECT_EQ(different(all_in(file), right), std::vector<std::string>());
        }
    }
}

TEST(Servers, MakeNothingThatTheyWouldNeedMoreForUnlessAsked) {
    const auto spec = unweighted("x.nc", "netcdf");
    EXPECT_EQ(made_fields(spec).size(), spec.fields.size() - 1);
    const auto why = [&](auto spoil) {
        auto other = spec;
        spoil(other);
        EXPECT_EQ(maker_of_zonal_mean(other), "ranks");
        other.reduce = "servers";
        return error_of([&] { maker_of_zonal_mean(other); });
    };
    EXPECT_EQ(
        why([](StreamSpec &s) { s.placement = "thread"; }),
        "stream zonal: field zonal_mean: servers cannot compute it: the placement is thread; leave reduce "
        "empty, "
        "and the ranks compute it");
    EXPECT_NE(why([](StreamSpec &s) { s.on_lost_server = "take-over"; }).find("take-over"),
              std::string::npos);
    EXPECT_NE(why([](StreamSpec &s) { s.fields[0].optional = true; }).find("frames may leave out T"),
              std::string::npos);
    const auto at_a_station = [](StreamSpec &s) {
        s.places = {{.name = "station", .dimensions = {"y", "x"}, .count = 1, .positions = {1, 1}}};
        s.fields[1].reduction = Reduction{.of = "T", .method = "linear", .over = {}, .at = "station"};
    };
    EXPECT_NE(why([&](StreamSpec &s) {
                  at_a_station(s);
                  s.fields.resize(2);
                  s.placement = "thread";
              }).find("field zonal_mean: servers cannot compute it: the placement is thread"),
              std::string::npos);
    const auto asked = [&](auto change) {
        auto other = spec;
        change(other);
        EXPECT_EQ(maker_of_zonal_mean(other), "ranks");
        other.reduce = "servers";
        EXPECT_EQ(maker_of_zonal_mean(other), "servers");
    };
    asked([](StreamSpec &s) { s.fields[1].reduction->weight = "area"; });
    asked(at_a_station);
    asked([](StreamSpec &s) { s.subset = {{"x", 2, 9}}, s.fields.resize(2); });
    asked([](StreamSpec &s) {
        s.sources.push_back(s.fields[0]);
        s.fields.erase(s.fields.begin());
    });
    auto odd = spec;
    odd.reduce = "here";
    EXPECT_NE(error_of([&] { made_fields(odd); }).find("choose one of: ranks, servers"), std::string::npos);
}

/// A frame on the one server, which counts the blocks of which it was given the memory.
class Counted final : public Staged {
  public:
    explicit Counted(const Layout &layout) : layout_(layout) {}

    std::vector<std::pair<int, Box>> boxes() const override { return {}; }
    std::vector<Block> take(int field) override { return look(field); }
    std::vector<Block> look(int field) const override {
        const auto &f = layout_.staged(field);
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
    std::size_t used() const { return pool_->used(); }

  private:
    const Layout &layout_;
    std::shared_ptr<Pool> pool_ = std::make_shared<Pool>(std::make_shared<Arena>(1 << 20, false), 0);
};

/// `sent`: one is not written, and three are weighted.
void expect_one_source_at_a_time(bool sent) {
    auto spec = unweighted("x.nc", "netcdf");
    constexpr int sources = 6;
    for (int n = 1; n < sources; ++n) {
        const auto name = fmt::format("T{}", n);
        spec.fields.push_back(spec.fields[0]);
        spec.fields.back().name = name;
        spec.fields.push_back(made(name + "_mean", {.of = name, .over = {"x"}}));
    }
    if (sent) {
        spec.reduce = "servers";
        spec.sources = {{"mass", Type::f32, {"z", "y", "x"}, {}}, {"area", Type::f32, {"y", "x"}, {}, false}};
        for (const auto *name : {"T1_mean", "T3_mean", "T5_mean"})
            std::ranges::find(spec.fields, name, &Field::name)->reduction->weight =
                *name == 'T' && name[1] == '1' ? "area" : "mass";
        const auto t5 = std::ranges::find(spec.fields, "T5", &Field::name);
        spec.sources.push_back(*t5);
        spec.fields.erase(t5);
    }
    const Layout layout(spec);
    EXPECT_EQ(layout.sent.size(), sent ? 3U : 0U);
    const RankGroup group(MPI_COMM_SELF, Patience(60, 0, 0));
    Evaluator evaluator(std::make_shared<const Layout>(spec), true);
    Counted frame(layout);
    const MadeByServers made(group, layout, evaluator, frame,
                             [&] { return std::make_unique<Counted>(layout); });
    const auto bytes_of = [&](const auto &wanted) {
        std::size_t bytes = 0;
        for (const auto &f : layout.fields)
            if (wanted(f)) bytes += Pool::rounded(static_cast<std::size_t>(f.bytes()));
        return bytes;
    };
    const auto results = bytes_of([](const FieldLayout &f) { return f.field.reduction.has_value(); });
    const auto source = bytes_of([](const FieldLayout &f) { return f.field.name == "T"; });
    EXPECT_LE(frame.most(), results + source + (sent ? 2 * source : 0)); // the mass has 8 bytes
    EXPECT_EQ(frame.used(), results);
    EXPECT_EQ(made.look(layout.find("T3_mean")).size(), 1U);
}

TEST(Servers, HoldOneSourceAtATime) {
    for (const bool sent : {false, true}) expect_one_source_at_a_time(sent);
}

/// Of the second of three frames the first rank puts all but `lacking`, of which others are made.
void expect_the_second_to_fail(const StreamSpec &spec, const std::string &lacking) {
    Session session(MPI_COMM_WORLD, {.servers = 1, .shared_memory = lacking != "T"});
    if (!session.computes()) return session.serve();
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    auto stream = session.open(spec);
    const auto boxes = boxes_of(Cut::rows, me, n);
    put_area(stream, boxes);
    for (int f = 0; f < 3; ++f) {
        auto frame = stream.begin({60.0 * f});
        for (const auto *name : {"mass", "T"})
            if ((f != 1 || me > 0 || name != lacking) && (*name == 'T' || spec.sources.size() > 1))
                put_t(frame, boxes, f, name);
        frame.commit();
    }
    stream.close();
    session.close();
}

TEST(Servers, FailAFrameOfWhichPointsAreMissing) {
    if (ranks() < 3) GTEST_SKIP() << "two computing ranks and a server";
    for (const std::string lacking : {"T", "mass", "written T"}) {
        const Scratch dir;
        auto spec = unweighted(dir / "x_%M.nc", "netcdf");
        spec.on_error = "continue";
        spec.frames_per_file = 1;
        if (lacking != "written T") {
            spec.reduce = "servers";
            spec.sources.push_back(spec.fields[0]);
            spec.sources.push_back({"mass", Type::f32, {"z", "y", "x"}, {}});
            spec.fields.erase(spec.fields.begin());
            spec.fields[1].reduction->weight = "mass";
        }
        expect_the_second_to_fail(spec, lacking == "mass" ? "mass" : "T");
        for (const auto *minute : {"00", "01", "02"})
            EXPECT_EQ(std::filesystem::exists(dir / fmt::format("x_{}.nc", minute)),
                      minute != std::string("01"))
                << lacking;
    }
}

/// How many of one frame fail under a limit of so many bytes, on rank 0.
std::int64_t failing(std::size_t limit) {
    const Scratch dir;
    auto spec = zonal(dir / "x.nc", "netcdf", "servers");
    spec.reduce = "servers";
    spec.fields = {spec.fields[1]};
    spec.sources.pop_back();
    spec.staging_limit = limit;
    spec.on_error = "continue";
    Session session(MPI_COMM_WORLD, {.servers = 1});
    if (!session.computes()) return session.serve(), 0;
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    auto stream = session.open(spec);
    auto frame = stream.begin({0});
    put_t(frame, boxes_of(Cut::rows, me, n), 0);
    frame.commit();
    stream.close();
    const auto report = session.close();
    return rank() == 0 ? report.at(0).failed : 0;
}

TEST(Servers, FailAFrameOfWhoseSourcesTheyCannotHoldOne) {
    if (ranks() < 3) GTEST_SKIP() << "two computing ranks and a server";
    constexpr std::size_t source = nz * ny * nx * sizeof(float);
    EXPECT_EQ(failing(source * 3 / 4), rank() == 0);
    EXPECT_EQ(failing(source * 5 / 4), 0);
}

} // namespace squall::io::test
