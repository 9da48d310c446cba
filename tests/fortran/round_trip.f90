!> Writes sections, scalars and a text on one rank, reads them back and prints what it found.
program round_trip
    use mpi
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use squall_io
    implicit none
    type(squall_session) :: session
    type(squall_stream_spec) :: spec
    type(squall_stream) :: stream
    type(squall_frame) :: frame
    type(squall_reader) :: file
    type(squall_stream_report), allocatable :: reports(:)
    real(real32) :: a(0:5, 4, 2), part(2, 3)
    real(real64), allocatable :: two(:)
    integer(int64), allocatable :: extents(:)
    character(400) :: message
    character(:), allocatable :: title, names(:)
    character(3) :: word
    character(256) :: path
    integer :: i, ierror, stat
    integer(int32) :: step
    complex :: wrong(2)

    call get_command_argument(1, path)
    call MPI_Init(ierror)
    call session%open(MPI_COMM_WORLD, watchdog=5.0_real64, shared_memory=.false.)

    call spec%init('bad', path)
    call spec%set('engin', 'zarr')
    call stream%open(session, spec, stat=stat, errmsg=message)
    print '(i0, 2a)', stat, ' ', message

    call spec%init('s', path)
    call spec%dimension('x', 4)
    call spec%dimension('y', 3)
    call spec%dimension('n', 3)
    call spec%field('A', squall_f32, ['x', 'y'])
    call spec%field('STEP', squall_i32)
    call spec%field('WORD', squall_char, ['n'])
    call spec%attribute('two', [1.5_real64, 2.5_real64])
    call spec%attribute('title', 'a title')
    call stream%open(session, spec)
    a = reshape([(real(i, real32), i=1, size(a))], shape(a))
    call stream%begin(60.0_real64, frame)
    call frame%put('A', a(1:4, 1:3, 2))
    call frame%put('STEP', 7)
    word = 'abc'
    call frame%put('WORD', word)
    call frame%put('A', wrong, stat=stat, errmsg=message)
    print '(i0, 2a)', stat, ' ', message(:24)
    call frame%commit()
    call stream%close()
    call session%close(reports)
    print '(a, 1x, i0, 1x, i0)', reports(1)%name, reports(1)%frames, reports(1)%bytes

    call file%open(path)
    call file%describe('A', dimensions=names, extents=extents)
    print '(2a, 2(1x, i0), 1x, i0)', names, extents, file%frames()
    call file%read('A', 1, part, start=[3, 1])
    print '(6(f0.0, 1x))', part
    print '(l1)', all(part == a(3:4, 1:3, 2))
    call file%read('STEP', 1, step)
    call file%read('WORD', 1, word)
    call file%attribute('two', two)
    call file%attribute('title', title)
    print '(i0, 1x, a, 2(1x, f0.1), 1x, a)', step, word, two, title
    call file%read('A', 2, part, stat=stat, errmsg=message)
    print '(i0, 1x, a)', stat, trim(message(index(message, "field"):))
    call file%close()
    print '(a)', squall_format_time(3600.0_real64, '%Y-%m-%d_%H')
    call squall_lock_libraries()
    call squall_unlock_libraries()
    call squall_unlock_libraries(stat, message)
    print '(i0, 1x, a)', stat, message(:29)
    call MPI_Finalize(ierror)
end program round_trip
