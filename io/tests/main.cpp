/// Runs the tests on every rank; one rank that fails makes all fail. Only rank 0 reports progress,
/// the others their failures.

#include <iostream>

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

class FailuresOnly : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult &result) override {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (result.failed())
            std::cerr << "rank " << rank << ": " << result.file_name() << ":" << result.line_number() << ": "
                      << result.message() << std::endl;
    }
};

} // namespace

int main(int argc, char **argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    testing::InitGoogleTest(&argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto &listeners = testing::UnitTest::GetInstance()->listeners();
    if (rank != 0) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailuresOnly);
    }
    int failed = RUN_ALL_TESTS();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
