!> Frames, for module squall_io.
module squall_io_frames
    use, intrinsic :: iso_c_binding, only: c_int, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64
    use squall_io_arrays
    use squall_io_c
    use squall_io_c_client
    use squall_io_shared
    implicit none
    private

    !> All fields of a stream at one model time, under construction.
    type, public :: squall_frame
        type(c_ptr) :: handle = c_null_ptr !< only for this library
    contains
        procedure :: put => frame_put
        procedure :: put_points => frame_put_points
        procedure :: put_array => frame_put_array
        generic :: set => set_real, set_int, set_int64, set_text
        procedure :: places => frame_places
        procedure :: length => frame_length
        procedure :: leave_out => frame_leave_out
        procedure :: commit => frame_commit
        procedure :: abandon => frame_abandon
        procedure, private :: set_real, set_int, set_int64, set_text
    end type squall_frame

contains

    !> Copies this rank's box of a field: with the shape of `data`, beginning at `start` (1-based, fastest
    !> dimension first; default: 1 in each dimension). data: real32, real64, int8, int16, int32, int64 or
    !> character, a scalar, an array or any section of one; it can be reused on return. A text must be a
    !> variable: gfortran 12 does not pass the length of a literal. Local. Fails for another type and for a
    !> start of another rank; other errors fail the frame at its commit.
    subroutine frame_put(self, field, data, start, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(..)
        integer, intent(in), optional :: start(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int), allocatable :: first(:)
        first = start_or_none(start)
        call finish(squall_io_f_frame_put(self%handle, c_text(field), data, first, size(first, kind=c_int)), &
                    stat, errmsg)
    end subroutine frame_put

    !> Copies all of this rank's points of a field in a decomposition, in its order: they are the array's
    !> first dimensions, and the field's other dimensions follow. Otherwise as put.
    subroutine frame_put_points(self, field, data, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(..)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_f_frame_put_points(self%handle, c_text(field), data), stat, errmsg)
    end subroutine frame_put_points

    !> Copies the patch of an array whose first element is `data`; the rest of it, its halo, may be anything. The
    !> field's dimensions are x, y, z in this order, whatever that of the array. Of columns, lists and scalars,
    !> which every rank has, those of the first computing rank are put. Local.
    subroutine frame_put_array(self, field, data, array, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field
        type(*), intent(in) :: data(*)
        type(squall_array), intent(in) :: array
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(described_array), target :: described
        if (.not. describes(array, described, stat, errmsg)) return
        call finish(squall_io_frame_put_array(self%handle, c_text(field), c_array_of(described), data), stat, errmsg)
    end subroutine frame_put_array

    !> frame%set(field, value) sets a scalar per-frame field, an attribute of the frame, to a number or a
    !> text. Any rank may call it; the value of the first computing rank counts.
    subroutine set_real(self, field, value, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field
        real(real64), intent(in) :: value
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_frame_set_double(self%handle, c_text(field), value), stat, errmsg)
    end subroutine set_real

    subroutine set_int(self, field, value, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field
        integer(int32), intent(in) :: value
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_frame_set_int(self%handle, c_text(field), int(value, int64)), stat, errmsg)
    end subroutine set_int

    subroutine set_int64(self, field, value, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field
        integer(int64), intent(in) :: value
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_frame_set_int(self%handle, c_text(field), value), stat, errmsg)
    end subroutine set_int64

    subroutine set_text(self, field, value, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field, value
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_frame_set_text(self%handle, c_text(field), c_text(value)), stat, errmsg)
    end subroutine set_text

    !> Sets the positions of moving places in this frame, before the fields are put: positions(:, place), in
    !> indices from 1 along their dimensions, fastest first. Every rank passes the same positions.
    subroutine frame_places(self, name, positions, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: name
        real(real64), intent(in) :: positions(:, :)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        real(real64), allocatable :: from_0(:, :)
        from_0 = positions(size(positions, 1):1:-1, :) - 1
        call finish(squall_io_frame_places(self%handle, c_text(name), size(from_0, kind=int64), from_0), stat, errmsg)
    end subroutine frame_places

    !> Sets the length of a varying dimension in this frame, the total over all ranks. Every rank passes the
    !> same length.
    subroutine frame_length(self, dimension, points, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: dimension
        integer, intent(in) :: points
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_frame_length(self%handle, c_text(dimension), int(points, int64)), stat, errmsg)
    end subroutine frame_length

    !> Leaves out a field that is declared optional. Every rank that could put the field calls it.
    subroutine frame_leave_out(self, field, stat, errmsg)
        class(squall_frame), intent(in) :: self
        character(*), intent(in) :: field
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_frame_leave_out(self%handle, c_text(field)), stat, errmsg)
    end subroutine frame_leave_out

    !> Commits the frame. Placement 'inline': on return it is stored, and a failure is the same on every
    !> rank. 'thread', 'servers': it is in flight, and if it fails, so does the next begin, commit or close
    !> of the stream.
    subroutine frame_commit(self, stat, errmsg)
        class(squall_frame), intent(inout) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: status
        status = squall_io_frame_commit(self%handle)
        self%handle = c_null_ptr
        call finish(status, stat, errmsg)
    end subroutine frame_commit

    !> Drops the frame. Every computing rank must do it. Local.
    subroutine frame_abandon(self, stat, errmsg)
        class(squall_frame), intent(inout) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: status
        status = squall_io_frame_abandon(self%handle)
        self%handle = c_null_ptr
        call finish(status, stat, errmsg)
    end subroutine frame_abandon

end module squall_io_frames
