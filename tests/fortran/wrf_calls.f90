!> Calls one of WRF's I/O layers as WRF did when the calls in a file were recorded (tests/data/wrf_calls.txt), on as many
!> ranks. LAYER and COMMUNICATORS are replaced before it is compiled.
!>
!> Fields get values that say where a point is and of which field; after a read every point is compared. Every status is
!> compared with the one recorded. Ends with the number of lines that went otherwise.
program wrf_calls
    use, intrinsic :: iso_fortran_env, only: int32, real32, real64
    implicit none
    include 'mpif.h'
    integer, parameter :: most = 99
    integer :: handles(most) = 0, rank, ranks, ierror, unit, status, wrong = 0, line_number = 0
    character(2000) :: line
    character(32) :: verb
    character(256) :: path
    logical :: gathered !< the first rank alone, with whole fields, as WRF calls its serial layer
    logical :: leaves = .false. !< the layer is left as it is at the end, as real.exe does

    call get_command_argument(1, path)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    gathered = 'LAYER' == 'ncd'
    if (.not. gathered .or. rank == 0) then
        call ext_LAYER_ioinit('', status)
        open (newunit=unit, file=path, status='old', action='read')
        do
            read (unit, '(a)', iostat=status) line
            if (status /= 0) exit
            line_number = line_number + 1
            if (line == '' .or. line(1:1) == '#') cycle
            read (line, *) verb
            call do_line(trim(verb))
        end do
    end if
    if (.not. leaves) call ext_LAYER_ioexit(status)
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    if (rank == 0) print '(a, i0)', 'wrong: ', wrong
    call MPI_Finalize(ierror)

contains

    subroutine do_line(what)
        character(*), intent(in) :: what
        character(256) :: file, system, element, date, of, text, found
        integer :: handle, type, count, recorded, state, step, n
        integer(int32) :: numbers(64)
        real(real32) :: reals(64)

        recorded = 0
        select case (what)
        case ('open_write')
            read (line, *) verb, handle, file, system
            call ext_LAYER_open_for_write_begin(trim(file), COMMUNICATORS trim(system), HISTORY handles(handle), status)
        case ('commit_write')
            read (line, *) verb, handle
            call ext_LAYER_open_for_write_commit(handles(handle), status)
        case ('open_read')
            read (line, *) verb, handle, file, recorded
            call ext_LAYER_open_for_read(trim(file), COMMUNICATORS '', handles(handle), status)
        case ('state')
            read (line, *) verb, handle, n
            call ext_LAYER_inquire_filename(handles(handle), file, state, status)
            call expect(state == n, 'the state of the file')
        case ('leave')
            leaves = .true.
        case ('sync')
            read (line, *) verb, handle
            call ext_LAYER_iosync(handles(handle), status)
        case ('close')
            read (line, *, iostat=n) verb, handle, recorded
            call ext_LAYER_ioclose(handles(handle), status)
        case ('step_time') ! WRF asks on one rank
            read (line, *) verb, handle, step, date, recorded
            status = recorded
            if (rank == 0) then
                found = ''
                if (step > 0) call ext_LAYER_get_next_time(handles(handle), found, status)
                if (step < 0) call ext_LAYER_get_previous_time(handles(handle), found, status)
                call expect(found == date, 'the time')
            end if
        case ('put_text')
            read (line, *) verb, handle, element, date, of, text, recorded
            n = max(len_trim(text), 1)
            if (date /= '') then
                call ext_LAYER_put_dom_td_char(handles(handle), trim(element), trim(date), text(:n), status)
            else if (of == '') then
                call ext_LAYER_put_dom_ti_char(handles(handle), trim(element), text(:n), status)
            else
                call ext_LAYER_put_var_ti_char(handles(handle), trim(element), trim(of), text(:n), status)
            end if
        case ('put_numbers')
            read (line, *) verb, handle, element, date, of, type, count
            if (type == 104) then
                read (line, *) verb, handle, element, date, of, type, count, reals(:count), recorded
                call ext_LAYER_put_dom_ti_real(handles(handle), trim(element), reals, count, status)
            else
                read (line, *) verb, handle, element, date, of, type, count, numbers(:count), recorded
                if (type == 106) call ext_LAYER_put_dom_ti_integer(handles(handle), trim(element), numbers, count, status)
                if (type == 107) call ext_LAYER_put_dom_ti_logical(handles(handle), trim(element), numbers /= 0, count, status)
            end if
        case ('get_text')
            read (line, *) verb, handle, element, date, of, text, recorded
            found = ''
            if (date /= '') then
                call ext_LAYER_get_dom_td_char(handles(handle), trim(element), trim(date), found, status)
            else
                call ext_LAYER_get_dom_ti_char(handles(handle), trim(element), found, status)
            end if
            if (recorded == 0) call expect(found == text, 'the text')
        case ('get_numbers')
            read (line, *) verb, handle, element, date, of, type, count, recorded
            if (type == 104) call ext_LAYER_get_dom_ti_real(handles(handle), trim(element), reals, count, n, status)
            if (type == 106) call ext_LAYER_get_dom_ti_integer(handles(handle), trim(element), numbers, count, n, status)
            if (recorded == 0) call expect(n == count, 'the count of numbers')

        case ('wait') ! for ever, as a model that computes
            do
                call sleep(1)
            end do
        case ('write', 'read')
            call do_field(what, recorded)
        case default
            call expect(.false., 'the verb')
        end select
        call expect(status == recorded, 'the status')
    end subroutine

    subroutine do_field(what, recorded)
        character(*), intent(in) :: what
        integer, intent(out) :: recorded
        character(80) :: date, name, order, dimensions(3)
        integer :: handle, type, domain(6), all_bounds(12, 0:3), bounds(12), comm, iocomm
        integer(int32), allocatable :: memory(:)
        integer :: words, first(3), last(3), from(3), upto(3)

        read (line, *) verb, handle, date, name, type, order, dimensions, domain, all_bounds, recorded
        bounds = all_bounds(:, mod(rank, 4))
        if (gathered) bounds = [domain, domain]
        first = bounds(1:3); last = bounds(4:6); from = bounds(7:9); upto = bounds(10:12)
        words = merge(2, 1, type == 105)
        allocate (memory(words*max(1, product(max(0, last - first + 1)))), source=-999_int32)
        comm = MPI_COMM_WORLD; iocomm = comm
        if (what == 'write') then
            call for_patch(.true., trim(name), trim(date), type, first, last, from, upto, memory)
            call ext_LAYER_write_field(handles(handle), trim(date), trim(name), memory, type, FIELD_COMMUNICATORS 0, &
                trim(order), '', dimensions, domain(1:3), domain(4:6), first, last, from, upto, status)
        else
            call ext_LAYER_read_field(handles(handle), trim(date), trim(name), memory, type, FIELD_COMMUNICATORS 0, &
                trim(order), '', dimensions, domain(1:3), domain(4:6), first, last, from, upto, status)
            if (recorded == 0) call for_patch(.false., trim(name), trim(date), type, first, last, from, upto, memory)
        end if

    end subroutine

    !> Fills the patch, or compares it and what lies around it.
    subroutine for_patch(fill, name, date, type, first, last, from, upto, memory)
        logical, intent(in) :: fill
        character(*), intent(in) :: name, date
        integer, intent(in) :: type, first(3), last(3), from(3), upto(3)
        integer(int32), intent(inout) :: memory(:)
        integer(int32) :: expected(2)
        real(real64) :: value
        logical :: inside
        integer :: a, b, c, d, at, words
        words = merge(2, 1, type == 105)
        do c = first(3), last(3)
            do b = first(2), last(2)
                do a = first(1), last(1)
                    at = words*(a - first(1) + (last(1) - first(1) + 1)*(b - first(2) + (last(2) - first(2) + 1)*(c - first(3))))
                    inside = all([a, b, c] >= from .and. [a, b, c] <= upto)
                    value = code(name, date, a, b, c)
                    expected = -999
                    if (inside) then
                        if (type == 104) expected(1) = transfer(real(value, real32), 0_int32)
                        if (type == 105) expected = transfer(value, expected)
                        if (type == 106) expected(1) = int(value, int32)
                        if (type == 107) expected(1) = merge(-1, 0, mod(a + b + c, 2) == 0) ! as some compilers have it
                    end if
                    if (fill) then
                        memory(at + 1:at + words) = expected(:words)
                    else
                        if (type == 107 .and. inside) expected(1) = abs(expected(1))
                        do d = 1, words
                            if (memory(at + d) /= expected(d)) then
                                call expect(.false., 'a value of '//name)
                                return
                            end if
                        end do
                    end if
                end do
            end do
        end do
    end subroutine

    !> What tests/test_wrf_layers.py expects too.
    function code(name, date, a, b, c) result(value)
        character(*), intent(in) :: name, date
        integer, intent(in) :: a, b, c
        real(real64) :: value
        integer :: n, salt, minute
        salt = 0
        do n = 1, len(name)
            salt = salt + ichar(name(n:n))
        end do
        read (date(15:16), *) minute
        value = a + 64*b + 4096*c + 500000*mod(salt + minute, 16)
    end function

    subroutine expect(as_recorded, what)
        logical, intent(in) :: as_recorded
        character(*), intent(in) :: what
        if (as_recorded) return
        wrong = wrong + 1
        print '(a, i0, a, i0, 4a, i0)', 'rank ', rank, ', line ', line_number, ', ', what, ': ', trim(line(:60)), status
    end subroutine
end program wrf_calls
