!> The heat equation on all ranks, with a frame every few steps. See README.md.
!>
!>     mpirun -n 4 heat-f90 PATH ENGINE PLACEMENT SERVERS
module slabs
    use mpi
    use, intrinsic :: iso_fortran_env, only: real32
    implicit none

    integer, parameter :: nx = 48, ny = 32, frames = 5, steps = 20 ! steps between frames
    real(real32), parameter :: alpha = 0.2 ! diffusivity x time step / spacing**2

    !> Rows first .. first + rows - 1 of the plate, with a row of the neighbours on either side.
    type :: slab
        integer :: comm, south, north, first, rows
        real(real32), allocatable :: t(:, :) !< (nx, 0:rows + 1)
    end type slab

contains

    function cut(comm) result(s)
        integer, intent(in) :: comm
        type(slab) :: s
        integer :: rank, size, ierror, i, j, row
        call MPI_Comm_rank(comm, rank, ierror)
        call MPI_Comm_size(comm, size, ierror)
        s%comm = comm
        s%south = merge(rank - 1, MPI_PROC_NULL, rank > 0)
        s%north = merge(rank + 1, MPI_PROC_NULL, rank < size - 1)
        s%first = ny*rank/size + 1
        s%rows = ny*(rank + 1)/size - s%first + 1
        allocate (s%t(nx, 0:s%rows + 1), source=0.0_real32)
        do j = 1, s%rows ! a hot block in a cold plate
            do i = 1, nx
                row = s%first + j - 1
                if (row > ny/4 .and. row <= ny/2 .and. i > nx/4 .and. i <= nx/2) s%t(i, j) = 100
            end do
        end do
    end function cut

    subroutine exchange_halo(s)
        type(slab), intent(inout) :: s
        integer :: ierror
        call MPI_Sendrecv(s%t(:, 1), nx, MPI_REAL, s%south, 0, s%t(:, s%rows + 1), nx, MPI_REAL, s%north, 0, &
                          s%comm, MPI_STATUS_IGNORE, ierror)
        call MPI_Sendrecv(s%t(:, s%rows), nx, MPI_REAL, s%north, 0, s%t(:, 0), nx, MPI_REAL, s%south, 0, &
                          s%comm, MPI_STATUS_IGNORE, ierror)
    end subroutine exchange_halo

    !> One step; the rim of the plate keeps its temperature.
    subroutine step(s)
        type(slab), intent(inout) :: s
        real(real32) :: next(nx, 0:s%rows + 1)
        integer :: i, j, row
        call exchange_halo(s)
        next = s%t
        do j = 1, s%rows
            row = s%first + j - 1
            if (row == 1 .or. row == ny) cycle
            do i = 2, nx - 1
                next(i, j) = s%t(i, j) + alpha*(((s%t(i - 1, j) + s%t(i + 1, j)) &
                                                 + (s%t(i, j - 1) + s%t(i, j + 1))) - 4*s%t(i, j))
            end do
        end do
        s%t = next
    end subroutine step

end module slabs

program heat
    use mpi
    use, intrinsic :: iso_fortran_env, only: error_unit, int32, real64
    use slabs
    use squall_io
    implicit none

    type(squall_session) :: session
    character(256) :: path, engine, placement, servers
    integer :: granted, ierror, n

    if (command_argument_count() /= 4) then
        write (error_unit, '(a)') 'usage: heat-f90 PATH ENGINE PLACEMENT SERVERS'
        stop 2
    end if
    call get_command_argument(1, path)
    call get_command_argument(2, engine)
    call get_command_argument(3, placement)
    call get_command_argument(4, servers)
    read (servers, *) n

    call MPI_Init_thread(MPI_THREAD_MULTIPLE, granted, ierror) ! for placement thread
    call session%open(MPI_COMM_WORLD, servers=n)
    if (session%computes()) then
        call compute()
    else
        call session%serve()
    end if
    call session%close()
    call MPI_Finalize(ierror)

contains

    subroutine compute()
        type(slab) :: s
        type(squall_stream_spec) :: spec
        type(squall_stream) :: stream
        integer :: f, k
        s = cut(session%comm())
        call declare(spec)
        call stream%open(session, spec)
        call spec%free()
        call stream%put('row', [(int(s%first - 2 + k, int32), k=1, s%rows)], start=[s%first])
        do f = 0, frames - 1
            call write_frame(stream, s, 60.0_real64*f)
            do k = 1, steps
                call step(s)
            end do
        end do
        call stream%close()
    end subroutine compute

    subroutine declare(spec)
        type(squall_stream_spec), intent(inout) :: spec
        call spec%init('heat', path)
        call spec%set('engine', engine)
        call spec%set('placement', placement)
        call spec%set('frames_per_file', 0) ! all in one file
        call spec%set('record_dimension', 'time')
        call spec%dimension('y', ny)
        call spec%dimension('x', nx)
        call spec%field('time', squall_f64)
        call spec%attribute('units', 'seconds since 2000-01-01T00:00:00', field='time')
        call spec%field('row', squall_i32, ['y'], per_frame=.false.)
        call spec%field('T', squall_f32, ['x', 'y']) ! fastest first
        call spec%attribute('units', 'K', field='T')
        call spec%attribute('title', 'A hot block in a cold plate')
        call spec%attribute('alpha', alpha)
    end subroutine declare

    subroutine write_frame(stream, s, seconds)
        type(squall_stream), intent(in) :: stream
        type(slab), intent(in) :: s
        real(real64), intent(in) :: seconds
        type(squall_frame) :: frame
        call stream%begin(seconds, frame)
        if (s%south == MPI_PROC_NULL) call frame%put('time', seconds) ! one rank is enough
        call frame%put('T', s%t(:, 1:s%rows), start=[1, s%first])
        call frame%commit() ! t may be changed again
    end subroutine write_frame

end program heat
