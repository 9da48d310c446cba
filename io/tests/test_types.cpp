/// Types of elements, through every engine.

#include <limits>

#include <gtest/gtest.h>

#include "declared.hpp"

namespace squall::io::test {

template <class T> std::vector<T> extremes() {
    return {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(0), T(1), T(77)};
}

template <class T> void put_extremes(Frame &frame, const std::string &name) {
    const auto all = extremes<T>();
    const Part part(5);
    frame.put(name, part.box(), all.data() + part.begin);
}

template <class T> void expect_extremes(const Reader &file, const std::string &name) {
    EXPECT_EQ(file.field(name).type, type_of<T>) << name;
    std::vector<T> all(5);
    file.read(name, 0, {{0}, {5}}, all.data());
    EXPECT_EQ(all, extremes<T>()) << name;
}

TEST(Types, OfAllSizesComeBackExactlyFromEveryEngine) {
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        auto spec = stream_of("types", dir / "x", engine);
        spec.dimensions = {{"n", 5}};
        spec.fields = {{"i8", Type::i8, {"n"}, {}},   {"u8", Type::u8, {"n"}, {}},
                       {"i16", Type::i16, {"n"}, {}}, {"i32", Type::i32, {"n"}, {}},
                       {"i64", Type::i64, {"n"}, {}}, {"f64", Type::f64, {"n"}, {}}};
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        auto frame = stream.begin({});
        put_extremes<std::int8_t>(frame, "i8");
        put_extremes<std::uint8_t>(frame, "u8");
        put_extremes<std::int16_t>(frame, "i16");
        put_extremes<std::int32_t>(frame, "i32");
        put_extremes<std::int64_t>(frame, "i64");
        put_extremes<double>(frame, "f64");
        EXPECT_EQ(error_of([&] { frame.commit(); }), "") << engine;
        EXPECT_EQ(error_of([&] { stream.close(); }), "") << engine;
        const Reader file(dir / "x");
        SCOPED_TRACE(engine);
        expect_extremes<std::int8_t>(file, "i8");
        expect_extremes<std::uint8_t>(file, "u8");
        expect_extremes<std::int16_t>(file, "i16");
        expect_extremes<std::int32_t>(file, "i32");
        expect_extremes<std::int64_t>(file, "i64");
        expect_extremes<double>(file, "f64");
        MPI_Barrier(MPI_COMM_WORLD); // before the directory goes
    }
}

TEST(Types, TextsOfAnyLengthUpToTheirLetters) {
    for (const auto &engine : storing_engines()) {
        const Scratch dir;
        auto spec = stream_of("texts", dir / "x", engine);
        spec.dimensions = {{"station", 6}};
        spec.fields = {{"name", Type::text, {"station"}, {}}, {"event", Type::text, {}, {}}};
        spec.fields[0].letters = 12;
        spec.fields[1].letters = 20;
        Session session(MPI_COMM_WORLD);
        auto stream = session.open(spec);
        const std::vector<std::string> names{"Genève", "", "a", "exactly 12 b", "Ísafjörð", "x y"};
        auto frame = stream.begin({});
        const Part part(6);
        frame.put("name", part.box(), names.data() + part.begin);
        frame.set("event", "gust front");
        EXPECT_EQ(error_of([&] { frame.commit(); }), "") << engine;
        stream.close();
        const Reader file(dir / "x");
        EXPECT_EQ(file.texts("name", 0, {{0}, {6}}), names) << engine;
        EXPECT_EQ(file.texts("name", 0, {{4}, {1}}), std::vector<std::string>{"Ísafjörð"});
        EXPECT_EQ(file.texts("event", 0), std::vector<std::string>{"gust front"}) << engine;
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST(Types, ATextThatIsTooLongFailsTheFrame) {
    const Scratch dir;
    auto spec = stream_of("texts", dir / "x");
    spec.fields = {{"event", Type::text, {}, {}}};
    spec.fields[0].letters = 4;
    Session session(MPI_COMM_WORLD);
    auto stream = session.open(spec);
    auto frame = stream.begin({});
    frame.set("event", "storm");
    const auto text = error_of([&] { frame.commit(); });
    EXPECT_NE(text.find("\"storm\" has 5 bytes, but the field's letters are 4"), std::string::npos) << text;
}

} // namespace squall::io::test
