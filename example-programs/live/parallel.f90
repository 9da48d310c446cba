! As live.f90 on several ranks, each of which reads its rows of a field of two dimensions.
!
!     mpiexec -n 4 parallel-f90 RUN FIELD
program live_frames
    use, intrinsic :: iso_fortran_env, only: int64, output_unit, real32
    use mpi
    use squall_io
    implicit none
    type(squall_subscriber) :: live
    type(squall_reader) :: frame
    character(1000) :: run, field
    integer(int64), allocatable :: extents(:)
    real(real32), allocatable :: values(:, :)
    real(real32) :: mine, most
    integer :: level, rank, ranks, first, rows, status
    logical :: there

    call get_command_argument(1, run)
    call get_command_argument(2, field)
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, level, status)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, status)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, status)
    call live%open(trim(run), comm=MPI_COMM_WORLD) ! all ranks get the same frames
    do while (.not. live%ended())
        call live%next(60d0, frame, there)
        if (.not. there) cycle
        call frame%describe(trim(field), extents=extents) ! fastest dimension first
        first = int(extents(2)*rank/ranks) + 1
        rows = int(extents(2)*(rank + 1)/ranks) + 1 - first
        if (allocated(values)) deallocate (values)
        allocate (values(extents(1), rows))
        call frame%read(trim(field), 1, values, start=[1, first])
        call frame%close()
        call live%release()
        mine = maxval(values)
        call MPI_Reduce(mine, most, 1, MPI_REAL, MPI_MAX, 0, MPI_COMM_WORLD, status)
        if (rank == 0) write (output_unit, '(i0, 1x, f0.4)') live%number() - 1, most
        flush (output_unit)
    end do
    call live%close()
    call MPI_Finalize(status)
end program live_frames
