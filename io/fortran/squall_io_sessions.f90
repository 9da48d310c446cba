!> Sessions, for module squall_io.
module squall_io_sessions
    use, intrinsic :: iso_c_binding, only: c_double, c_int, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use squall_io_c
    use squall_io_c_client
    use squall_io_shared
    implicit none
    private

    !> The ranks that write together.
    type, public :: squall_session
        type(c_ptr) :: handle = c_null_ptr !< only for this library
    contains
        procedure :: open => session_open
        procedure :: computes => session_computes
        procedure :: comm => session_comm
        procedure :: put => session_put
        procedure :: put_points => session_put_points
        procedure :: progress => session_progress
        procedure :: serve => session_serve
        procedure :: close => session_close
    end type squall_session

    !> Statistics of a stream over the whole session. Times in seconds; see StreamReport in squall/io.hpp.
    type, public :: squall_stream_report
        character(:), allocatable :: name, engine, placement, codec
        integer(int64) :: frames = 0, failed = 0, skipped = 0, bytes = 0, stored_bytes = 0
        real(real64) :: perceived_median = 0, perceived_largest = 0, perceived_total = 0
        real(real64) :: drain_median = 0, drain_largest = 0
        integer(int64) :: waits = 0
        real(real64) :: waited = 0
        integer(int64) :: spilled = 0, staging_peak = 0
    end type squall_stream_report

contains

    !> Opens a session on a duplicate of `comm`. Collective; fails on all ranks. MPI must be initialised and
    !> must not be finalised before the session is closed. The other arguments: SessionSpec in
    !> squall/io.hpp.
    subroutine session_open(self, comm, servers, servers_per_node, groups, assignment, shared_memory, &
                            staging_limit, watchdog, timeout, report, stat, errmsg)
        class(squall_session), intent(inout) :: self
        integer, intent(in) :: comm
        integer, intent(in), optional :: servers, servers_per_node, groups
        character(*), intent(in), optional :: assignment, report
        logical, intent(in), optional :: shared_memory
        integer(int64), intent(in), optional :: staging_limit ! bytes
        real(real64), intent(in), optional :: watchdog, timeout
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: spec
        integer(c_int) :: status
        status = squall_io_session_spec_new(spec)
        if (status /= 0) then
            call finish(status, stat, errmsg)
            return
        end if
        if (present(servers)) call set('servers', whole(servers))
        if (present(servers_per_node)) call set('servers_per_node', whole(servers_per_node))
        if (present(groups)) call set('groups', whole(groups))
        if (present(assignment)) call set('assignment', assignment)
        if (present(shared_memory)) call set('shared_memory', truth(shared_memory))
        if (present(staging_limit)) call set('staging_limit', whole64(staging_limit))
        if (present(watchdog)) call set('watchdog', decimals(watchdog))
        if (present(timeout)) call set('timeout', decimals(timeout))
        if (present(report)) call set('report', report)
        if (status == 0) status = squall_io_session_open_f(int(comm, c_int), spec, self%handle)
        call squall_io_session_spec_free(spec)
        call finish(status, stat, errmsg)
    contains
        subroutine set(key, value)
            character(*), intent(in) :: key, value
            if (status == 0) status = squall_io_session_spec_set(spec, c_text(key), c_text(value))
        end subroutine set
    end subroutine session_open

    !> Whether this rank computes. Otherwise it is a server, which must call serve.
    function session_computes(self, stat, errmsg) result(answer)
        class(squall_session), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        logical :: answer
        integer(c_int) :: computes, status
        status = squall_io_session_computes(self%handle, computes)
        if (status /= 0) computes = 0
        call finish(status, stat, errmsg)
        answer = computes /= 0
    end function session_computes

    !> The communicator of the computing ranks: valid as long as the session, and on these ranks only.
    function session_comm(self, stat, errmsg) result(comm)
        class(squall_session), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer :: comm
        integer(c_int) :: found, status
        status = squall_io_session_comm_f(self%handle, found)
        if (status /= 0) found = 0
        call finish(status, stat, errmsg)
        comm = int(found)
    end function session_comm

    !> Advances frames in flight, without waiting. Call it once per step if steps are long and other ranks
    !> contribute to fields of the frame.
    subroutine session_progress(self, stat, errmsg)
        class(squall_session), intent(inout) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_session_progress(self%handle), stat, errmsg)
    end subroutine session_progress

    !> On a server: writes frames until all computing ranks have closed the session.
    subroutine session_serve(self, stat, errmsg)
        class(squall_session), intent(inout) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_session_serve(self%handle), stat, errmsg)
    end subroutine session_serve

    !> Ends the session, whose streams must be closed, even if the call fails. Collective over the computing
    !> ranks; on a server, after serve. reports: the statistics of the streams on the first computing rank,
    !> empty on others.
    subroutine session_close(self, reports, stat, errmsg)
        class(squall_session), intent(inout) :: self
        type(squall_stream_report), allocatable, intent(out), optional :: reports(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: report
        integer(c_int) :: status
        report = c_null_ptr
        status = squall_io_session_close(self%handle, report)
        self%handle = c_null_ptr
        if (status == 0) then
            if (present(reports)) call get_reports(report, reports, status)
            call squall_io_report_free(report)
        end if
        call finish(status, stat, errmsg)
    end subroutine session_close

    !> Puts this rank's box of a per-frame field into every open frame of the streams that declare it, with
    !> one copy for all streams that keep the same points in the same form; arguments as in frame%put.
    !> takers: the number of streams that took it.
    subroutine session_put(self, field, data, start, takers, stat, errmsg)
        class(squall_session), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(..)
        integer, intent(in), optional :: start(:)
        integer, intent(out), optional :: takers
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int), allocatable :: first(:)
        integer(c_int) :: status, took
        first = start_or_none(start)
        took = 0
        status = squall_io_f_session_put(self%handle, c_text(field), data, first, size(first, kind=c_int), took)
        if (present(takers)) takers = took
        call finish(status, stat, errmsg)
    end subroutine session_put

    !> The same with all of this rank's points of a decomposition.
    subroutine session_put_points(self, field, data, takers, stat, errmsg)
        class(squall_session), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(..)
        integer, intent(out), optional :: takers
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: status, took
        took = 0
        status = squall_io_f_session_put_points(self%handle, c_text(field), data, took)
        if (present(takers)) takers = took
        call finish(status, stat, errmsg)
    end subroutine session_put_points

    subroutine get_reports(report, reports, status)
        type(c_ptr), intent(in) :: report
        type(squall_stream_report), allocatable, intent(out) :: reports(:)
        integer(c_int), intent(out) :: status
        type(c_stream_report) :: c
        integer(c_int) :: n, count
        status = squall_io_report_streams(report, count)
        if (status /= 0) count = 0
        allocate (reports(count))
        do n = 1, count
            status = squall_io_report_stream(report, n - 1, c)
            if (status /= 0) return
            reports(n) = squall_stream_report( &
                f_text(c%name), f_text(c%engine), f_text(c%placement), f_text(c%codec), c%frames, c%failed, &
                c%skipped, c%bytes, c%stored_bytes, c%perceived_median, c%perceived_largest, c%perceived_total, &
                c%drain_median, c%drain_largest, c%waits, c%waited, c%spilled, c%staging_peak)
        end do
    end subroutine get_reports

    pure function whole64(number) result(text)
        integer(int64), intent(in) :: number
        character(:), allocatable :: text
        character(24) :: buffer
        write (buffer, '(i0)') number
        text = trim(buffer)
    end function whole64

    !> A number as text, without loss of precision.
    pure function decimals(number) result(text)
        real(real64), intent(in) :: number
        character(:), allocatable :: text
        character(32) :: buffer
        write (buffer, '(es24.16e3)') number
        text = trim(adjustl(buffer))
    end function decimals

end module squall_io_sessions
