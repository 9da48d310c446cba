/// How often ranks call MPI for a frame: counted, by functions that stand before MPI's own. The runtime's own
/// collective calls do not block; those of libraries do, or are not made through MPI's names.

#include <map>
#include <string>

#include "declared.hpp"

namespace {

/// Of this rank, by name.
std::map<std::string, int> calls;

} // namespace

extern "C" {
int MPI_Iallreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request) {
    ++calls["allreduce"];
    return PMPI_Iallreduce(from, to, n, type, op, comm, request);
}
int MPI_Ireduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request *request) {
    ++calls["reduce"];
    return PMPI_Ireduce(from, to, n, type, op, root, comm, request);
}
int MPI_Ibcast(void *data, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request) {
    ++calls["bcast"];
    return PMPI_Ibcast(data, n, type, root, comm, request);
}
int MPI_Igather(const void *from, int n, MPI_Datatype type, void *to, int each, MPI_Datatype there, int root,
                MPI_Comm comm, MPI_Request *request) {
    ++calls["gather"];
    return PMPI_Igather(from, n, type, to, each, there, root, comm, request);
}
int MPI_Igatherv(const void *from, int n, MPI_Datatype type, void *to, const int *each, const int *at,
                 MPI_Datatype there, int root, MPI_Comm comm, MPI_Request *request) {
    ++calls["gather"];
    return PMPI_Igatherv(from, n, type, to, each, at, there, root, comm, request);
}
}

namespace squall::io::test {
namespace {

class Calls : public testing::TestWithParam<std::string> {};

/// Of a frame in the middle of a file.
std::map<std::string, int> calls_of_frame(const std::string &engine, int fields) {
    const Scratch dir;
    constexpr std::int64_t points = 3000;
    Session session(MPI_COMM_WORLD, {.timeout = unmet});
    auto spec = stream_of("s", dir / "x", engine);
    spec.placement = "inline";
    spec.frames_per_file = 0;
    spec.dimensions = {{"y", 3}, {"x", points / 3}};
    for (int f = 0; f < fields; ++f)
        spec.fields.push_back({fmt::format("F{}", f), Type::f32, {"y", "x"}, {}});
    auto stream = session.open(spec);
    const std::vector<float> row(points / 3, 1.5f);
    std::map<std::string, int> middle;
    for (int n = 0; n < 3; ++n) {
        auto frame = stream.begin({60.0 * n});
        for (const auto &f : spec.fields) frame.put(f.name, {{rank(), 0}, {1, points / 3}}, row.data());
        calls.clear();
        frame.commit();
        if (n == 1) middle = calls;
    }
    stream.close();
    session.close();
    return middle;
}

TEST_P(Calls, OfRanksThatAgreeOnAFrameAreAsManyForTenFieldsAsForTwo) {
    ASSERT_EQ(ranks(), 3);
    const auto few = calls_of_frame(GetParam(), 2), many = calls_of_frame(GetParam(), 10);
    EXPECT_GT(few.at("allreduce"), 2);
    EXPECT_EQ(few, many);
}

INSTANTIATE_TEST_SUITE_P(, Calls, testing::ValuesIn(storing_engines()), [](const auto &param) {
    auto name = param.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

} // namespace
} // namespace squall::io::test
