!> Hands arrays on as programs do whose procedures get the first element only: any order of dimensions, a halo,
!> strips along the boundary, columns, empty patches; and asks every procedure that can fail for its status.
module legacy
    use mpi
    use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
    use squall_io
    implicit none
    integer, parameter :: nx = 6, ny = 5, nz = 3, halo = 2
    type(squall_session) :: session
    type(squall_stream) :: stream
    character(400) :: message
    integer :: rank, ranks, j0, j1

contains

    !> What gets an array without its shape, as a layer below a model does.
    subroutine put(frame, name, a, array)
        type(squall_frame), intent(in) :: frame
        character(*), intent(in) :: name
        type(*), intent(in) :: a(*)
        type(squall_array), intent(in) :: array
        integer :: stat
        call frame%put_array(name, a, array, stat=stat, errmsg=message)
        if (stat /= 0) print '(a)', trim(message)
    end subroutine put

    !> An array of this order with a halo; of the dimensions in memory, fastest first.
    function in_halo(type, order) result(array)
        integer, intent(in) :: type
        character(*), intent(in) :: order
        type(squall_array) :: array
        integer :: first(3), last(3), whole(3), n
        whole = [nx, ny, nz]
        do n = 1, len(order)
            first(n) = 1
            last(n) = whole(index('XYZ', order(n:n)))
            if (order(n:n) == 'Y') then
                first(n) = j0
                last(n) = j1
            end if
        end do
        n = len(order)
        array = squall_array(type, order, domain_first=[1, 1, 1], memory_first=first(:n) - halo, &
                             memory_last=last(:n) + halo, patch_first=first(:n), patch_last=last(:n))
    end function in_halo

    real(real64) function at(i, j, k)
        integer, intent(in) :: i, j, k
        at = i + 10*j + 100*k
    end function at

    !> Says what failed, and how.
    subroutine tell(what, stat)
        character(*), intent(in) :: what
        integer, intent(in) :: stat
        if (rank == 0) print '(2a, i0, 2a)', what, ' ', stat, ' ', trim(message)
        message = ''
    end subroutine tell

end module legacy

program legacy_arrays
    use legacy
    implicit none
    character(256) :: path
    integer :: ierror, i, j, k, stat, n
    integer(int64) :: frames
    logical :: answer
    character(:), allocatable :: text
    character(:), allocatable :: names(:)
    type(squall_stream_spec) :: spec
    type(squall_frame) :: frame, none
    type(squall_reader) :: file
    type(squall_session) :: no_session
    type(squall_stream) :: no_stream
    type(squall_subscriber) :: nobody
    type(squall_array) :: array
    real(real32), allocatable :: xzy(:, :, :)
    real(real64), allocatable :: zyx(:, :, :)
    integer(int16), allocatable :: yx(:, :)
    integer(int8) :: column(nz)
    integer(int64) :: scalar(1)
    real(real32) :: strip(1 - halo:ny + halo, nz, 2)
    character :: list(7)
    real(real64), allocatable :: back(:, :, :)

    call get_command_argument(1, path)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    message = ''
    j0 = 1 + rank*ny/ranks
    j1 = (rank + 1)*ny/ranks
    if (ranks > 1 .and. rank == ranks - 1) j1 = j0 - 1 ! none here,
    if (ranks > 1 .and. rank == ranks - 2) j1 = ny     ! but here

    call session%open(MPI_COMM_WORLD, stat=stat, errmsg=message)
    call spec%init('s', path)
    call spec%dimension('x', nx)
    call spec%dimension('y', ny)
    call spec%dimension('z', nz)
    call spec%dimension('width', 2)
    call spec%dimension('letters', 7)
    call spec%field('XZY', squall_f32, ['x', 'y', 'z'])
    call spec%field('ZYX', squall_f64, ['x', 'y', 'z'])
    call spec%field('YX', squall_i16, ['x', 'y'])
    call spec%field('Z', squall_i8, ['z'])
    call spec%field('C', squall_char, ['letters'])
    call spec%field('SCALAR', squall_i64)
    call spec%field('STRIP', squall_f32, ['y    ', 'z    ', 'width'])
    call spec%field('FIXED', squall_f32, ['x', 'y', 'z'], per_frame=.false.)
    call stream%open(session, spec)

    allocate (xzy(1 - halo:nx + halo, 1 - halo:nz + halo, j0 - halo:j1 + halo))
    allocate (zyx(1 - halo:nz + halo, j0 - halo:j1 + halo, 1 - halo:nx + halo))
    allocate (yx(j0 - halo:j1 + halo, 1 - halo:nx + halo))
    xzy = -1
    zyx = -1
    yx = -1
    strip = -1
    do i = 1, nx
        do j = j0, j1
            yx(j, i) = int(at(i, j, 0), int16)
            do k = 1, nz
                xzy(i, k, j) = real(at(i, j, k), real32)
                zyx(k, j, i) = at(i, j, k)
                if (i < 3) strip(j, k, i) = real(at(i, j, k), real32)
            end do
        end do
    end do
    column = [integer(int8) :: 1, 2, 3]
    scalar = 2_int64**40
    list = ['l', 'e', 't', 't', 'e', 'r', 's']

    call stream%put_array('FIXED', xzy, in_halo(squall_f32, 'XZY'), stat=stat, errmsg=message)
    call stream%begin(0.0_real64, frame)
    call put(frame, 'XZY', xzy, in_halo(squall_f32, 'XZY'))
    call put(frame, 'ZYX', zyx, in_halo(squall_f64, 'ZYX'))
    call put(frame, 'YX', yx, in_halo(squall_i16, 'YX'))
    call put(frame, 'Z', column, squall_array(squall_i8, 'Z', [1], [1], [nz], [1], [nz]))
    call put(frame, 'C', list, squall_array(squall_char, 'C', [1], [1], [7], [1], [7]))
    call put(frame, 'SCALAR', scalar, squall_array(squall_i64, '0'))
    call put(frame, 'STRIP', strip, squall_array(squall_f32, 'XSZ', [1, 1, 1], [1 - halo, 1, 1], [ny + halo, nz, 2], &
                                                 [j0, 1, 1], [j1, nz, 2]))
    call frame%put_array('XZY', xzy, squall_array(squall_f32, 'XZT'), stat=stat, errmsg=message)
    call tell('too few bounds', stat)
    array = in_halo(squall_f32, 'XZY')
    array%order = 'XZT'
    call frame%put_array('XZY', xzy, array, stat=stat, errmsg=message)
    call tell('order', stat)
    array = in_halo(squall_f32, 'XZY')
    array%patch_last(1) = nx + halo + 1
    if (ranks == 1) call frame%put_array('XZY', xzy, array, stat=stat, errmsg=message)
    if (ranks == 1) call tell('patch', stat)
    call frame%commit()
    call stream%close()

    call file%open(path, comm=MPI_COMM_WORLD, readers=1)
    allocate (back(1 - halo:nz + halo, 1 - halo:nx + halo, j0 - halo:j1 + halo))
    back = -1
    call file%read_array('XZY', 1, back, in_halo(squall_f64, 'ZXY'))
    n = count(back /= -1)
    do i = 1, nx
        do j = j0, j1
            do k = 1, nz
                if (back(k, i, j) /= at(i, j, k)) n = n - 1000000
            end do
        end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (rank == 0) print '(a, i0)', 'read back ', n
    call file%close()

    ! Nothing of this stops the program.
    answer = no_session%computes(stat=stat, errmsg=message)
    call tell('computes', stat)
    n = no_session%comm(stat=stat, errmsg=message)
    call tell('comm', stat)
    call no_session%serve(stat=stat, errmsg=message)
    call tell('serve', stat)
    call no_session%progress(stat=stat, errmsg=message)
    call tell('progress', stat)
    call no_stream%open(no_session, spec, stat=stat, errmsg=message)
    call tell('open', stat)
    call no_stream%begin(0.0_real64, none, stat=stat, errmsg=message)
    call tell('begin', stat)
    call no_stream%put_array('A', xzy, in_halo(squall_f32, 'XZY'), stat=stat, errmsg=message)
    call tell('put_array', stat)
    call none%set('A', 1.0_real64, stat=stat, errmsg=message)
    call tell('set real', stat)
    call none%set('A', 1, stat=stat, errmsg=message)
    call tell('set int', stat)
    call none%set('A', 1_int64, stat=stat, errmsg=message)
    call tell('set int64', stat)
    call none%set('A', 'b', stat=stat, errmsg=message)
    call tell('set text', stat)
    call none%places('A', reshape([1.0_real64], [1, 1]), stat=stat, errmsg=message)
    call tell('places', stat)
    call none%length('A', 1, stat=stat, errmsg=message)
    call tell('length', stat)
    call none%leave_out('A', stat=stat, errmsg=message)
    call tell('leave_out', stat)
    call none%commit(stat=stat, errmsg=message)
    call tell('commit', stat)
    call none%abandon(stat=stat, errmsg=message)
    call tell('abandon', stat)
    frames = file%frames(stat=stat, errmsg=message)
    call tell('frames', stat)
    names = file%field_names(stat=stat, errmsg=message)
    call tell('field_names', stat)
    names = file%dimension_names(stat=stat, errmsg=message)
    call tell('dimension_names', stat)
    names = file%attribute_names(stat=stat, errmsg=message)
    call tell('attribute_names', stat)
    call file%describe('A', stat=stat, errmsg=message)
    call tell('describe', stat)
    answer = nobody%ended(stat=stat, errmsg=message)
    call tell('ended', stat)
    n = nobody%number(stat=stat, errmsg=message)
    call tell('number', stat)
    text = squall_format_time(0.0_real64, '%Q', stat=stat, errmsg=message)
    call tell('format_time', stat)
    call session%close()
    call MPI_Finalize(ierror)
end program legacy_arrays
