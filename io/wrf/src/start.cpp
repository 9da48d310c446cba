/// WRF starts MPI without asking for threads that call it, which placement `thread` needs on several ranks.
/// Its call is answered here, and asks for them.

#include <dlfcn.h>
#include <mpi.h>

extern "C" {

void mpi_init_thread_(const MPI_Fint *, MPI_Fint *provided, MPI_Fint *error) {
    using Start = void (*)(const MPI_Fint *, MPI_Fint *, MPI_Fint *);
    const MPI_Fint required = MPI_THREAD_MULTIPLE;
    // The library's own call prepares its Fortran constants too.
    if (const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "mpi_init_thread_"))) {
        start(&required, provided, error);
        return;
    }
    int given = MPI_THREAD_SINGLE;
    *error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &given);
    *provided = given;
}

void mpi_init_(MPI_Fint *error) {
    MPI_Fint provided = 0;
    mpi_init_thread_(nullptr, &provided, error);
}
}
