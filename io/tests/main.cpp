/// Runs the tests on every rank; one rank that fails makes all fail. Only rank 0 reports progress,
/// the others their failures. A test in which ranks wait for each other for ever says where they are.

#include <iostream>

#include <gtest/gtest.h>
#include <mpi.h>

#include "hung_test.hpp"

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
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    auto &listeners = testing::UnitTest::GetInstance()->listeners();
    if (rank != 0) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailuresOnly);
    }
    auto *hung = ranks > 1 ? new squall::test::HungTest(rank) : nullptr; // the listeners own it
    if (hung) listeners.Append(hung);
    int failed = RUN_ALL_TESTS();
    if (hung) hung->expect("all ranks' end");
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    if (hung) hung->expect("");
    return failed;
}
