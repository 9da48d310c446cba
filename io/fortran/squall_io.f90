!> Squall's output runtime in Fortran: streams of frames, written while the program computes.
!>
!>     use squall_io
!>     type(squall_session) :: session
!>     type(squall_stream_spec) :: spec
!>     type(squall_stream) :: history
!>     type(squall_frame) :: frame
!>
!>     call session%open(MPI_COMM_WORLD)                 ! with mpi_f08: MPI_COMM_WORLD%MPI_VAL
!>     call spec%init('history', 'history_%H.nc')
!>     call spec%dimension('x', nx)
!>     call spec%dimension('y', ny)
!>     call spec%field('T', squall_f32, ['x', 'y'])
!>     call history%open(session, spec)
!>     call history%begin(3600d0, frame)
!>     call frame%put('T', t(1:mx, 1:my), start=[x1, y1])
!>     call frame%commit()
!>     call history%close()
!>     call session%close()
!>
!> squall/io.hpp describes what sessions, streams, frames, engines and placements guarantee.
!>
!> Conventions. Dimensions are listed fastest first, as in Fortran arrays; tools for the files list them in
!> the reverse order. Indices and frames count from 1. An array may be any section: its box has the shape of
!> the array, begins at `start` and is copied from the array directly. Trailing blanks of names and texts are
!> ignored. A text of several characters has them as its first dimension.
!>
!> Errors. With stat=, which is 0 on success, and errmsg=, a text of fixed length for the message, a call
!> returns a failure; without stat= it writes the message to standard error and stops the program.
!>
!> Who calls what. Collective over the ranks of the communicator: session%open; over the computing ranks:
!> stream%close, in the same order on every rank, and session%close. Everything else is local, except that
!> with placement 'inline' frame%commit waits until all computing ranks have committed the frame. Every
!> computing rank opens the same streams in the same order with equal declarations and commits the same
!> frames of a stream in the same order. A server (session%computes() is false) calls session%serve and
!> session%close, nothing else.
module squall_io
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_int, c_null_ptr, c_ptr, c_size_t
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use squall_io_c
    use squall_io_c_client
    use squall_io_declare, only: squall_stream_spec
    use squall_io_frames, only: squall_frame
    use squall_io_libraries, only: squall_lock_libraries, squall_unlock_libraries
    use squall_io_reading, only: squall_reader
    use squall_io_shared
    use squall_io_subscribing, only: squall_subscriber
    implicit none
    private
    public :: squall_f32, squall_f64, squall_i16, squall_i32, squall_char, squall_i8, squall_u8, squall_i64
    public :: squall_stream_spec, squall_frame, squall_reader, squall_subscriber, squall_format_time
    public :: squall_lock_libraries, squall_unlock_libraries

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

    !> A named sequence of frames.
    type, public :: squall_stream
        type(c_ptr) :: handle = c_null_ptr !< only for this library
    contains
        procedure :: open => stream_open
        procedure :: put => stream_put
        procedure :: put_points => stream_put_points
        procedure :: begin => stream_begin
        procedure :: sample => stream_sample
        procedure :: save => stream_save
        procedure :: restore => stream_restore
        procedure :: open_file => stream_open_file
        procedure :: close_file => stream_close_file
        procedure :: flush => stream_flush
        procedure :: close => stream_close
    end type squall_stream

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
        call finish(squall_io_session_spec_new(spec))
        if (present(servers)) call set('servers', whole(servers))
        if (present(servers_per_node)) call set('servers_per_node', whole(servers_per_node))
        if (present(groups)) call set('groups', whole(groups))
        if (present(assignment)) call set('assignment', assignment)
        if (present(shared_memory)) call set('shared_memory', truth(shared_memory))
        if (present(staging_limit)) call set('staging_limit', whole64(staging_limit))
        if (present(watchdog)) call set('watchdog', decimals(watchdog))
        if (present(timeout)) call set('timeout', decimals(timeout))
        if (present(report)) call set('report', report)
        status = squall_io_session_open_f(int(comm, c_int), spec, self%handle)
        call squall_io_session_spec_free(spec)
        call finish(status, stat, errmsg)
    contains
        subroutine set(key, value) ! of its kind, so that it cannot fail
            character(*), intent(in) :: key, value
            call finish(squall_io_session_spec_set(spec, c_text(key), c_text(value)))
        end subroutine set
    end subroutine session_open

    !> Whether this rank computes. Otherwise it is a server, which must call serve.
    function session_computes(self) result(answer)
        class(squall_session), intent(in) :: self
        logical :: answer
        integer(c_int) :: computes
        call finish(squall_io_session_computes(self%handle, computes))
        answer = computes /= 0
    end function session_computes

    !> The communicator of the computing ranks: valid as long as the session, and on these ranks only.
    function session_comm(self) result(comm)
        class(squall_session), intent(in) :: self
        integer :: comm
        integer(c_int) :: found
        call finish(squall_io_session_comm_f(self%handle, found))
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
        if (status == 0 .and. present(reports)) reports = reports_of(report)
        if (status == 0) call squall_io_report_free(report)
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

    !> Opens a declared stream. Local; touches no file. Fails for an invalid declaration. members: a
    !> communicator of a subset of the computing ranks; other ranks do not know the stream, and the call is
    !> collective over the members.
    subroutine stream_open(self, session, spec, members, stat, errmsg)
        class(squall_stream), intent(inout) :: self
        type(squall_session), intent(in) :: session
        type(squall_stream_spec), intent(in) :: spec
        integer, intent(in), optional :: members
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: status
        if (allocated(spec%fault)) then
            call refuse(spec%fault, stat, errmsg)
        else
            if (present(members)) then
                status = squall_io_stream_open_on_f(session%handle, spec%handle, int(members, c_int), self%handle)
            else
                status = squall_io_stream_open(session%handle, spec%handle, self%handle)
            end if
            call finish(status, stat, errmsg)
        end if
    end subroutine stream_open

    !> Copies this rank's box of a field that is fixed in time, before the first commit. As frame%put.
    subroutine stream_put(self, field, data, start, stat, errmsg)
        class(squall_stream), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(..)
        integer, intent(in), optional :: start(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int), allocatable :: first(:)
        first = start_or_none(start)
        call finish(squall_io_f_stream_put(self%handle, c_text(field), data, first, size(first, kind=c_int)), &
                    stat, errmsg)
    end subroutine stream_put

    !> All of this rank's points of a field that is fixed in time; as frame%put_points.
    subroutine stream_put_points(self, field, data, stat, errmsg)
        class(squall_stream), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(..)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_f_stream_put_points(self%handle, c_text(field), data), stat, errmsg)
    end subroutine stream_put_points

    !> Begins the frame of the time `seconds` after `epoch` (ISO 8601; default: 2000-01-01T00:00:00). Local.
    !> bounds: the interval that the frame represents, in seconds after the epoch, if the time axis has
    !> bounds. Fails while a frame of the stream is open, and if a frame in flight has failed.
    subroutine stream_begin(self, seconds, frame, epoch, bounds, stat, errmsg)
        class(squall_stream), intent(in) :: self
        real(real64), intent(in) :: seconds
        type(squall_frame), intent(inout) :: frame
        character(*), intent(in), optional :: epoch
        real(real64), intent(in), optional :: bounds(2)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:, kind=c_char), allocatable, target :: kept
        integer(c_int) :: status
        if (present(bounds)) then
            status = squall_io_stream_begin_bounds(self%handle, seconds, owner_of(kept, epoch), bounds(1), &
                                                   bounds(2), frame%handle)
        else
            status = squall_io_stream_begin(self%handle, seconds, owner_of(kept, epoch), frame%handle)
        end if
        call finish(status, stat, errmsg)
    end subroutine stream_begin

    !> Begins a sample between frames, for fields that are reduced over time: put their sources, and commit.
    !> Local.
    subroutine stream_sample(self, seconds, frame, epoch, stat, errmsg)
        class(squall_stream), intent(in) :: self
        real(real64), intent(in) :: seconds
        type(squall_frame), intent(inout) :: frame
        character(*), intent(in), optional :: epoch
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:, kind=c_char), allocatable, target :: kept
        call finish(squall_io_stream_sample(self%handle, seconds, owner_of(kept, epoch), frame%handle), stat, errmsg)
    end subroutine stream_sample

    !> Puts the accumulators of fields reduced over time since the last frame into a frame of another stream,
    !> whose spec declares them (accumulators). Local.
    subroutine stream_save(self, frame, stat, errmsg)
        class(squall_stream), intent(in) :: self
        type(squall_frame), intent(in) :: frame
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_stream_save(self%handle, frame%handle), stat, errmsg)
    end subroutine stream_save

    !> Restores accumulators that were saved in a frame (counted from 1) of a file, before anything is put.
    !> Local.
    subroutine stream_restore(self, file, frame, stat, errmsg)
        class(squall_stream), intent(in) :: self
        character(*), intent(in) :: file
        integer, intent(in) :: frame
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_stream_restore(self%handle, c_text(file), int(frame - 1, int64)), stat, errmsg)
    end subroutine stream_restore

    !> Opens a file of the program's, for the frames that follow, where the stream's path ends with '/': that is
    !> then the directory of the files, which the program opens and closes. name is relative to it. attributes: a
    !> spec whose attributes of the whole file are the file's beside those of the stream. Frames go behind those
    !> of a file that the session has closed under this name; with replace the file takes the place of what has
    !> its name, as a whole, when it is published (Stream::open_file in squall/io.hpp). Local; every rank opens
    !> the same files.
    subroutine stream_open_file(self, name, attributes, replace, stat, errmsg)
        class(squall_stream), intent(in) :: self
        character(*), intent(in) :: name
        type(squall_stream_spec), intent(in), optional :: attributes
        logical, intent(in), optional :: replace
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: spec
        logical :: replaces
        spec = c_null_ptr
        replaces = .false.
        if (present(replace)) replaces = replace
        if (present(attributes)) then
            if (allocated(attributes%fault)) then
                call refuse(attributes%fault, stat, errmsg)
                return
            end if
            spec = attributes%handle
        end if
        if (replaces) then
            call finish(squall_io_stream_replace_file(self%handle, c_text(name), spec), stat, errmsg)
        else
            call finish(squall_io_stream_open_file(self%handle, c_text(name), spec), stat, errmsg)
        end if
    end subroutine stream_open_file

    !> Closes it, after its last frame, without waiting: it is published when its frames are stored. What goes
    !> wrong is told by the next begin, commit, flush or close. Local; every rank calls it.
    subroutine stream_close_file(self, stat, errmsg)
        class(squall_stream), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_stream_close_file(self%handle), stat, errmsg)
    end subroutine stream_close_file

    !> Waits until the frames committed so far are stored and the files closed so far are published. Collective
    !> over the computing ranks.
    subroutine stream_flush(self, stat, errmsg)
        class(squall_stream), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_stream_flush(self%handle), stat, errmsg)
    end subroutine stream_flush

    !> Waits until every frame is stored and publishes a file that is not full. The stream is closed in any
    !> case. Collective over the computing ranks.
    subroutine stream_close(self, stat, errmsg)
        class(squall_stream), intent(inout) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: status
        status = squall_io_stream_close(self%handle)
        self%handle = c_null_ptr
        call finish(status, stat, errmsg)
    end subroutine stream_close

    !> Formats the time `seconds` after `epoch` (default: 2000-01-01T00:00:00) with a pattern of %Y %m %d %H
    !> %M %S, in a CF calendar (default: proleptic_gregorian).
    function squall_format_time(seconds, pattern, epoch, calendar) result(text)
        real(real64), intent(in) :: seconds
        character(*), intent(in) :: pattern
        character(*), intent(in), optional :: epoch, calendar
        character(:), allocatable :: text
        character(:, kind=c_char), allocatable, target :: kept, kept_calendar
        character(8*len(pattern) + 1, kind=c_char) :: buffer ! a year may have more than four digits
        call finish(squall_io_format_time_in(seconds, owner_of(kept, epoch), owner_of(kept_calendar, calendar), &
                                             c_text(pattern), buffer, len(buffer, kind=c_size_t)))
        text = buffer(:index(buffer, char(0)) - 1)
    end function squall_format_time

    function reports_of(report) result(reports)
        type(c_ptr), intent(in) :: report
        type(squall_stream_report), allocatable :: reports(:)
        type(c_stream_report) :: c
        integer(c_int) :: n, count
        call finish(squall_io_report_streams(report, count))
        allocate (reports(count))
        do n = 1, count
            call finish(squall_io_report_stream(report, n - 1, c))
            reports(n) = squall_stream_report( &
                f_text(c%name), f_text(c%engine), f_text(c%placement), f_text(c%codec), c%frames, c%failed, &
                c%skipped, c%bytes, c%stored_bytes, c%perceived_median, c%perceived_largest, c%perceived_total, &
                c%drain_median, c%drain_largest, c%waits, c%waited, c%spilled, c%staging_peak)
        end do
    end function reports_of

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

end module squall_io
