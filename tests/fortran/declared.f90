!> Declares a decomposition by indices, texts, a time axis and an optional field on two ranks.
program declared
    use mpi
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    use squall_io
    implicit none
    type(squall_session) :: session
    type(squall_stream_spec) :: spec
    type(squall_stream) :: stream
    type(squall_frame) :: frame
    type(squall_reader) :: file
    real(real32) :: t(2, 3) ! a column too many: a section is put
    real(real64) :: seconds
    character(:), allocatable :: calendar, epoch
    character(256) :: path
    character(10) :: name
    integer :: mine(2), rank, ierror, takers, first, last, c
    real(real64), allocatable :: p(:, :)

    call get_command_argument(1, path)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call session%open(MPI_COMM_WORLD, staging_limit=1000000_int64)
    mine = merge([4, 1], [2, 3], rank == 0)
    first = merge(1, 3, rank == 0)
    last = merge(2, 5, rank == 0)

    call spec%init('s', path)
    call spec%set('record_dimension', 'time')
    call spec%set('calendar', '360_day')
    call spec%time(units='days since 2000-01-01', bounds=.true.)
    call spec%dimension('cell', 5)
    call spec%dimension('lev', 2)
    call spec%decomposition('cells', ['cell'])
    call spec%indices('cells', mine)
    if (rank == 1) call spec%unowned('cells', [5], [1])
    call spec%field('T', squall_f32, ['cell', 'lev '])
    call spec%decomposed('T', 'cells')
    call spec%fill('T', -9.0_real64)
    call spec%field('N', squall_i64)
    call spec%field('flag', squall_i8)
    call spec%optional('flag')
    call spec%texts('name', 12)
    call spec%source('P', squall_f64, ['cell', 'lev '])
    call spec%field('P_mean', squall_f64)
    call spec%reduction('P_mean', of='P', method='mean', over=['cell'])
    call spec%reduction_within('P_mean', 'cell', 2, 5)
    call spec%field('P_median', squall_f64)
    call spec%reduction('P_median', of='P', method='quantile', over=['cell', 'lev '])
    call spec%reduction_set('P_median', 'low', 0.0_real64)
    call spec%reduction_set('P_median', 'high', 1000.0_real64)
    call spec%reduction_set('P_median', 'bins', '1000')
    call stream%open(session, spec)

    call stream%begin(60*86400.0_real64, frame, epoch='2000-01-01', bounds=[59*86400.0_real64, 60*86400.0_real64])
    t(:, 1) = mine
    t(:, 2) = -777
    t(:, 3) = 100 + mine
    call session%put_points('T', t(:, 1:3:2), takers)
    if (rank == 0) print '(a, 1x, i0)', 'takers', takers
    call frame%set('N', 2_int64**40)
    p = reshape([(100.0_real64*c, c = first, last), (10.0_real64*c, c = first, last)], [last - first + 1, 2])
    call frame%put('P', p, start=[first, 1])
    call frame%leave_out('flag')
    name = 'gust front'
    if (rank == 0) call frame%put('name', name)
    call frame%commit()
    call session%progress()
    call stream%close()
    call session%close()

    if (rank == 0) then
        call file%open(path)
        call file%time(1, seconds, epoch, calendar)
        print '(a, 1x, a)', squall_format_time(-86400.0_real64, '%Y-%m-%d', '2000-03-01', calendar), calendar
        print '(i0)', nint(seconds/57.6_real64)
        call file%close()
    end if
    call MPI_Finalize(ierror)
end program declared
