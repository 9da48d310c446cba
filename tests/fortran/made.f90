! Fields made of others: at stations and on a ship, over time through a restart, onto levels.
program made
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi
    use squall_io
    implicit none
    integer, parameter :: nx = 8, ny = 3, nz = 4
    type(squall_session) :: session
    type(squall_stream_spec) :: spec, kept
    type(squall_stream) :: stream, restart
    type(squall_frame) :: frame
    type(squall_reader) :: file
    character(512) :: directory
    real(real64) :: t(nx, ny, nz), p(nx, ny, nz), most(nx, ny), tower(nz, 2), ship(nz, 1), level(nx, ny, 2), coarse(3, 2)
    integer :: rank, ranks, first, last, ierror, step, i, j, k

    call get_command_argument(1, directory)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    first = nx*rank/ranks + 1
    last = nx*(rank + 1)/ranks

    call session%open(MPI_COMM_WORLD)
    call declare(spec, 'a')
    call stream%open(session, spec)
    call kept%init('restart', trim(directory)//'/restart.nc')
    call kept%dimension('x', nx)
    call kept%dimension('y', ny)
    call kept%dimension('z', nz)
    call kept%accumulators(spec)
    call restart%open(session, kept)
    call put(0, .true.)
    call put(1, .false.)
    call restart%begin(1.0_real64, frame)
    call stream%save(frame)
    call frame%commit()
    call restart%close()
    call stream%close()
    call spec%free()
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call declare(spec, 'b')
    call stream%open(session, spec)
    call stream%restore(trim(directory)//'/restart.nc', 1)
    call put(2, .true.)
    call stream%close()
    call session%close()

    if (rank == 0) then
        call file%open(trim(directory)//'/b.nc')
        call file%read('most', 1, most)
        call file%read('tower', 1, tower)
        call file%read('ship', 1, ship)
        call file%read('level', 1, level)
        call file%read('coarse', 1, coarse)
        call file%close()
        print '(a, 2f8.2)', 'most', most(1, 1), most(8, 3)
        print '(a, 2f8.2)', 'tower', tower(1, 1), tower(4, 2)
        print '(a, f8.2)', 'ship', ship(2, 1)
        print '(a, 2f8.2)', 'level', level(3, 2, 1), level(3, 2, 2)
        print '(a, 2f8.2)', 'coarse', coarse(1, 1), coarse(3, 2)
    end if
    call MPI_Finalize(ierror)

contains

    subroutine declare(spec, name)
        type(squall_stream_spec), intent(inout) :: spec
        character(*), intent(in) :: name
        call spec%init('made', trim(directory)//'/'//name//'.nc')
        call spec%set('frames_per_file', 0)
        call spec%dimension('x', nx)
        call spec%dimension('y', ny)
        call spec%dimension('z', nz)
        call spec%dimension('pressure', 2)
        call spec%source('T', squall_f64, ['x', 'y', 'z'])
        call spec%source('P', squall_f64, ['x', 'y', 'z'])
        call spec%source('T_sfc', squall_f64, ['x', 'y'])
        call spec%places('station', 2, ['x', 'y'], reshape([4.5_real64, 1.5_real64, 8.0_real64, 3.0_real64], [2, 2]))
        call spec%places('ship', 1, ['x', 'y'])
        call spec%field('most', squall_f64)
        call spec%reduction('most', of='T_sfc', method='max', over=['Time'])
        call spec%field('tower', squall_f64)
        call spec%reduction('tower', of='T', method='linear')
        call spec%reduction_set('tower', 'at', 'station')
        call spec%field('ship', squall_f64)
        call spec%reduction('ship', of='T', method='linear')
        call spec%reduction_set('ship', 'at', 'ship')
        call spec%field('coarse', squall_f64)
        call spec%reduction('coarse', of='T_sfc', method='mean')
        call spec%reduction_coarsen('coarse', 'x', 3, 'x_coarse')
        call spec%reduction_coarsen('coarse', 'y', 2, 'y_coarse')
        call spec%field('level', squall_f64)
        call spec%reduction('level', of='T', method='interpolate', over=['z'])
        call spec%reduction_set('level', 'onto', 'pressure')
        call spec%reduction_set('level', 'coordinate', 'P')
        call spec%reduction_set('level', 'outside', 'nearest')
        call spec%reduction_levels('level', [850.0_real64, 1100.0_real64])
    end subroutine declare

    subroutine put(step, whole)
        integer, intent(in) :: step
        logical, intent(in) :: whole
        forall (i = 1:nx, j = 1:ny, k = 1:nz) t(i, j, k) = 100*k + 10*j + i + 1000*modulo(step, 2)
        forall (i = 1:nx, j = 1:ny, k = 1:nz) p(i, j, k) = 1100 - 100*k
        if (whole) then
            call stream%begin(real(step, real64), frame)
            call frame%places('ship', reshape([2.5_real64, 1.0_real64], [2, 1]))
            call frame%put('P', p(first:last, :, :), start=[first, 1, 1])
            call frame%put('T', t(first:last, :, :), start=[first, 1, 1])
        else
            call stream%sample(real(step, real64), frame)
        end if
        call frame%put('T_sfc', t(first:last, :, 1), start=[first, 1])
        call frame%commit()
    end subroutine put
end program made
