/// Fields at places: stations and platforms that move.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "declared.hpp"

namespace squall::io::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Bilinear in j and i, so that the interpolated value is known between points too.
double plane(double k, double j, double i, int frame) {
    return 1000 * frame + 100 * k + 7 * j + 0.5 * i + 0.25 * i * j;
}

Field at(const std::string &name, const std::string &of, const std::string &method = "linear",
         Type type = Type::f64) {
    Field f{name, type, {}, {}};
    f.reduction = Reduction{.of = of, .method = method, .over = {}, .at = "station"};
    return f;
}

/// South to north, west to east: on a point, on a row, anywhere, in every corner.
std::vector<double> positions() {
    std::vector<double> all{3, 4, 2, 5.5, 7.25, 8.75, 0, 0, 0, nx - 1.0, ny - 1.0, 0, ny - 1.0, nx - 1.0};
    for (int n = 0; n < 40; ++n) {
        all.push_back(std::fmod(n * 0.377, ny - 1.0));
        all.push_back(std::fmod(n * 1.713, nx - 1.0));
    }
    return all;
}

StreamSpec stations(const std::string &path, const std::string &engine, const std::string &placement) {
    auto s = stream_of("stations", path, engine);
    s.placement = placement;
    s.frames_per_file = 0;
    s.dimensions = {{"z", nz}, {"y", ny}, {"x", nx}, {"x_stag", nx + 1}};
    s.sources = {{"T", Type::f64, {"z", "y", "x"}, {}},
                 {"HGT", Type::f64, {"y", "x"}, {}},
                 {"S", Type::f64, {"y", "z", "x"}, {}},
                 {"U", Type::f64, {"z", "y", "x_stag"}, {}}};
    s.fields = {at("t", "T"), at("hgt", "HGT"), at("s", "S"), at("u", "U"), at("near", "HGT", "nearest")};
    s.places = {{.name = "station",
                 .dimensions = {"y", "x"},
                 .count = std::ssize(positions()) / 2,
                 .positions = positions(),
                 .staggers = {{"x_stag", "x", 0.5}}}};
    return s;
}

enum class Cut { rows, columns, bricks };

std::vector<Box> boxes_of(Cut cut, int r, int n) {
    const auto from = [](std::int64_t size, int part, int parts) { return size * part / parts; };
    const auto box = [](std::int64_t y0, std::int64_t y1, std::int64_t x0, std::int64_t x1) {
        return Box{{0, y0, x0}, {nz, y1 - y0, x1 - x0}};
    };
    if (cut == Cut::rows) return {box(from(ny, r, n), from(ny, r + 1, n), 0, nx)};
    if (cut == Cut::columns) return {box(0, ny, from(nx, r, n), from(nx, r + 1, n))};
    return {box(0, 6, from(nx, r, n), from(nx, r + 1, n)),
            box(6, ny, from(nx, n - 1 - r, n), from(nx, n - r, n))};
}

/// The values of f(k, j, i) in a box, in the model's order.
template <class F> std::vector<double> values(const Box &box, F f) {
    std::vector<double> all;
    for (auto j = box.start[1]; j < box.start[1] + box.count[1]; ++j)
        for (std::int64_t k = 0; k < box.count[0]; ++k)
            for (auto i = box.start[2]; i < box.start[2] + box.count[2]; ++i)
                all.push_back(f(static_cast<double>(k), static_cast<double>(j), static_cast<double>(i)));
    return all;
}

void put(Frame &frame, const std::string &field, const Box &box, auto f) {
    const auto all = values(box, f);
    frame.put(field, box, all.data(), {box.count[2], box.count[0] * box.count[2], 1});
}

void put_all(Frame &frame, const std::vector<Box> &boxes, int number) {
    for (auto box : boxes) {
        put(frame, "T", box, [&](double k, double j, double i) { return plane(k, j, i, number); });
        const Box flat{{box.start[1], box.start[2]}, {box.count[1], box.count[2]}};
        const auto hgt = values({{0, box.start[1], box.start[2]}, {1, box.count[1], box.count[2]}},
                                [](double, double j, double i) { return plane(0, j, i, 0); });
        frame.put("HGT", flat, hgt.data());
        const auto slices = values(box, [&](double k, double j, double i) { return plane(k, j, i, number); });
        frame.put("S", {{box.start[1], 0, box.start[2]}, {box.count[1], nz, box.count[2]}}, slices.data());
        if (box.start[2] + box.count[2] == nx) ++box.count[2]; // the last face is the last rank's
        put(frame, "U", box, [&](double k, double j, double i) { return plane(k, j, i - 0.5, number); });
    }
}

void write(const StreamSpec &spec, Cut cut, int frames, SessionSpec session_spec = {}) {
    Session session(MPI_COMM_WORLD, session_spec);
    if (!session.computes()) return session.serve();
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    auto stream = session.open(spec);
    for (int f = 0; f < frames; ++f) {
        auto frame = stream.begin({60.0 * f});
        put_all(frame, boxes_of(cut, me, n), f);
        frame.commit();
        session.progress();
    }
    stream.close();
    session.close();
}

std::vector<double> expect_stations(const std::string &file, int frames) {
    std::vector<double> bits;
    const auto where = positions();
    for (int f = 0; f < frames; ++f) {
        const auto t = all_of(file, "t", f), u = all_of(file, "u", f), hgt = all_of(file, "hgt", f),
                   near = all_of(file, "near", f);
        EXPECT_EQ(t.size(), where.size() / 2 * nz);
        EXPECT_EQ(all_of(file, "s", f), t);
        for (std::size_t p = 0; p < where.size() / 2; ++p) {
            const double j = where[2 * p], i = where[2 * p + 1];
            EXPECT_NEAR(hgt[p], plane(0, j, i, 0), 1e-12 * 1000);
            EXPECT_EQ(near[p], plane(0, std::floor(j + 0.5), std::floor(i + 0.5), 0));
            for (int k = 0; k < nz; ++k) {
                const auto n = p * nz + static_cast<std::size_t>(k);
                EXPECT_NEAR(t[n], plane(k, j, i, f), 1e-12 * 5000) << p;
                EXPECT_NEAR(u[n], plane(k, j, i, f), 1e-12 * 5000) << p;
            }
        }
        bits.insert(bits.end(), t.begin(), t.end());
        bits.insert(bits.end(), u.begin(), u.end());
    }
    return bits;
}

} // namespace

TEST(Places, HaveTheSameBitsHoweverTheDomainIsCutAndByEveryEngine) {
    std::vector<double> first;
    for (const auto &engine : storing_engines())
        for (const auto cut : {Cut::rows, Cut::columns, Cut::bricks}) {
            const Scratch dir;
            write(stations(dir / "x", engine, "inline"), cut, 2);
            SCOPED_TRACE(fmt::format("{}, cut {}", engine, static_cast<int>(cut)));
            const auto bits = expect_stations(dir / "x", 2);
            if (first.empty()) first = bits;
            EXPECT_EQ(bits, first);
        }
}

TEST(Places, AreTheSameWhoeverWrites) {
    const Scratch dir;
    write(stations(dir / "thread.nc", "netcdf", "thread"), Cut::bricks, 3);
    const auto first = expect_stations(dir / "thread.nc", 3);
    for (const int servers : {1, 2}) {
        if (servers >= ranks()) continue;
        const auto file = dir / fmt::format("servers{}.nc", servers);
        write(stations(file, "netcdf", "servers"), Cut::columns, 3, {.servers = servers});
        EXPECT_EQ(expect_stations(file, 3), first);
    }
}

TEST(Places, AreTheSameWhoeverMakesThem) {
    if (ranks() < 2) GTEST_SKIP() << "a computing rank and a server";
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        const auto write_by = [&](const std::string &who, const SessionSpec &session) {
            auto s = stations(dir / who, engine, "servers");
            s.reduce = who.starts_with("servers") ? "servers" : who;
            if (engine == "zarr") s.options = {{"chunk", "5,2"}}; // a column is several servers'
            for (const auto &made : made_fields(s)) EXPECT_EQ(made.by, s.reduce);
            write(s, Cut::bricks, 2, session);
            return expect_stations(dir / who, 2);
        };
        const auto right = write_by("ranks", {.servers = 1});
        for (const int servers : {1, 2, 3}) {
            if (servers >= ranks()) continue;
            const bool shared = servers % 2 == 1 && ranks() != 2; // else by messages
            SCOPED_TRACE(fmt::format("{}, {} servers, shared memory {}", engine, servers, shared));
            const auto who = fmt::format("servers{}", servers);
            EXPECT_EQ(write_by(who, {.servers = servers, .shared_memory = shared}), right);
        }
    }
}

/// Four frames of three that move, of which one leaves the domain and one is nowhere.
void write_ships(StreamSpec s, const SessionSpec &session_spec = {}) {
    s.places[0].positions = {};
    s.places[0].count = 3;
    Session session(MPI_COMM_WORLD, session_spec);
    if (!session.computes()) return session.serve();
    int me = 0, n = 1;
    MPI_Comm_rank(session.comm(), &me);
    MPI_Comm_size(session.comm(), &n);
    auto stream = session.open(s);
    for (int f = 0; f < 4; ++f) {
        auto frame = stream.begin({60.0 * f});
        frame.places("station", {1.0 + f, 2.5, f < 2 ? 3.25 : 100.0, 0.5 * f, nan, 1});
        put_all(frame, boxes_of(Cut::columns, me, n), f);
        frame.commit();
    }
    stream.close();
    session.close();
}

TEST(Places, ThatMoveAreTheSameWhoeverMakesThem) {
    if (ranks() < 2) GTEST_SKIP() << "a computing rank and a server";
    const Scratch dir;
    const auto write_by = [&](const std::string &who, const SessionSpec &session) {
        auto s = stations(dir / who, "netcdf", "servers");
        s.reduce = who.starts_with("servers") ? "servers" : who;
        write_ships(s, session);
        std::vector<double> bits;
        for (int f = 0; f < 4; ++f)
            for (const auto *name : {"t", "u", "s", "hgt", "near"})
                for (const double x : all_of(dir / who, name, f)) bits.push_back(x);
        return bits;
    };
    const auto right = write_by("ranks", {.servers = 1});
    for (const int servers : {1, 2, 3}) {
        if (servers >= ranks()) continue;
        const auto who = fmt::format("servers{}", servers);
        EXPECT_EQ(write_by(who, {.servers = servers, .shared_memory = servers == 1}), right);
    }
}

TEST(Places, ThatMoveAreWhereTheFrameSays) {
    const Scratch dir;
    write_ships(stations(dir / "ship.nc", "netcdf", "thread"));
    for (int f = 0; f < 4; ++f) {
        const auto t = all_of(dir / "ship.nc", "t", f);
        const double fill = 9.9692099683868690e+36;
        for (std::size_t k = 0; k < nz; ++k) {
            EXPECT_NEAR(t[k], plane(static_cast<double>(k), 1.0 + f, 2.5, f), 1e-9);
            if (f < 2)
                EXPECT_NEAR(t[nz + k], plane(static_cast<double>(k), 3.25, 0.5 * f, f), 1e-9);
            else
                EXPECT_EQ(t[nz + k], fill); // it has left the domain
            EXPECT_EQ(t[2 * nz + k], fill);
        }
    }
}

TEST(Places, ThatMoveAndAreNowhereSaidFailTheFrame) {
    const Scratch dir;
    auto s = stations(dir / "x.nc", "netcdf", "inline");
    s.places[0].positions = {};
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(s);
    auto frame = stream.begin({0});
    put_all(frame, boxes_of(Cut::rows, rank(), ranks()), 0);
    const auto fault = error_of([&] { frame.commit(); });
    EXPECT_NE(fault.find("call Frame::places before"), std::string::npos) << fault;
    EXPECT_TRUE(same_everywhere(fault));
    stream.close();
    session.close();
}

TEST(Places, WithAPointThatNobodyPutFailTheFrameByName) {
    const Scratch dir;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(stations(dir / "x.nc", "netcdf", "inline"));
    auto frame = stream.begin({0});
    auto boxes = boxes_of(Cut::rows, rank(), ranks());
    if (rank() == ranks() - 1) --boxes[0].count[1]; // the northernmost row
    put_all(frame, boxes, 0);
    const auto fault = error_of([&] { frame.commit(); });
    EXPECT_NE(fault.find(" of station are missing or were put twice"), std::string::npos) << fault;
    stream.close();
    session.close();
}

TEST(Places, OutsideTheDomainAreNamedBeforeAnythingIsWritten) {
    Session session(MPI_COMM_WORLD);
    const auto refused = [&](auto change) {
        auto s = stations("never.nc", "netcdf", "inline");
        change(s);
        return error_of([&] { session.open(s); });
    };
    EXPECT_NE(refused([](auto &s) {
                  s.places[0].positions[4] = ny - 0.75;
              }).find("field t: place 2 of station is at 10.25 along y, where T has no points (0 to 10)"),
              std::string::npos);
    EXPECT_NE(
        refused([](auto &s) { s.fields[0].reduction->at = "statoin"; }).find("did you mean \"station\"?"),
        std::string::npos);
    EXPECT_NE(refused([](auto &s) {
                  s.fields[0].reduction->method = "mean";
              }).find(R"(the method must be "linear" or "nearest", not "mean")"),
              std::string::npos);
    EXPECT_NE(refused([](auto &s) {
                  s.places[0].staggers = {};
              }).find("U lacks dimension x of the places; its dimensions are: z, y, x_stag"),
              std::string::npos);
    EXPECT_NE(refused([](auto &s) { s.places[0].positions.pop_back(); }).find("positions for"),
              std::string::npos);
    session.close();
}

} // namespace squall::io::test
