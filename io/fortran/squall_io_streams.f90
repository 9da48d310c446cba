!> Streams, for module squall_io.
module squall_io_streams
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use squall_io_arrays
    use squall_io_c
    use squall_io_c_client
    use squall_io_declare, only: squall_stream_spec
    use squall_io_frames, only: squall_frame
    use squall_io_sessions, only: squall_session
    use squall_io_shared
    implicit none
    private

    !> A named sequence of frames.
    type, public :: squall_stream
        type(c_ptr) :: handle = c_null_ptr !< only for this library
    contains
        procedure :: open => stream_open
        procedure :: put => stream_put
        procedure :: put_points => stream_put_points
        procedure :: put_array => stream_put_array
        procedure :: begin => stream_begin
        procedure :: sample => stream_sample
        procedure :: save => stream_save
        procedure :: restore => stream_restore
        procedure :: open_file => stream_open_file
        procedure :: close_file => stream_close_file
        procedure :: flush => stream_flush
        procedure :: close => stream_close
    end type squall_stream

contains

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

    !> A patch of an array of a field that is fixed in time; as frame%put_array.
    subroutine stream_put_array(self, field, data, array, stat, errmsg)
        class(squall_stream), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(*)
        type(squall_array), intent(in) :: array
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(described_array), target :: described
        if (.not. describes(array, described, stat, errmsg)) return
        call finish(squall_io_stream_put_array(self%handle, c_text(field), c_array_of(described), data), stat, errmsg)
    end subroutine stream_put_array

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

end module squall_io_streams
