!> Reading, for module squall_io.
module squall_io_reading
    use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_float, c_double, c_int, c_int32_t, c_int64_t, &
        c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use squall_io_arrays
    use squall_io_c
    use squall_io_c_client, only: squall_io_reader_time
    use squall_io_shared
    implicit none
    private

    !> A file that a stream published, or any netCDF file. Local to the rank, which opens the file and reads its
    !> own boxes, unless many open it together.
    type, public :: squall_reader
        type(c_ptr) :: handle = c_null_ptr !< only for this library
    contains
        procedure :: open => reader_open
        procedure :: frames => reader_frames
        procedure :: field_names => reader_field_names
        procedure :: dimension_names => reader_dimension_names
        procedure :: attribute_names => reader_attribute_names
        procedure :: describe => reader_describe
        generic :: attribute => attribute_text, attribute_numbers
        procedure :: read => reader_read
        procedure :: read_array => reader_read_array
        procedure :: time => reader_time
        procedure :: close => reader_close
        procedure, private :: attribute_text, attribute_numbers
    end type squall_reader

contains

    !> Opens the file and checks that it is as long as its header says. With comm, on all ranks of a
    !> communicator, of which `readers` open the file (default: one on every node) and hand on what the others
    !> want: collective, and so are then read, read_array and time, with a box for each rank, which may be empty.
    subroutine reader_open(self, path, comm, readers, stat, errmsg)
        class(squall_reader), intent(inout) :: self
        character(*), intent(in) :: path
        integer, intent(in), optional :: comm, readers
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int) :: openers
        call self%close()
        openers = 0
        if (present(readers)) openers = int(readers, c_int)
        if (present(comm)) then
            call finish(squall_io_reader_open_on_f(c_text(path), int(comm, c_int), openers, self%handle), stat, errmsg)
        else
            call finish(squall_io_reader_open(c_text(path), self%handle), stat, errmsg)
        end if
    end subroutine reader_open

    !> Frames in the file; 0 without a record dimension.
    function reader_frames(self, stat, errmsg) result(frames)
        class(squall_reader), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(int64) :: frames
        integer(c_int) :: status
        status = squall_io_reader_frames(self%handle, frames)
        if (status /= 0) frames = 0
        call finish(status, stat, errmsg)
    end function reader_frames

    !> The time of a frame, counted from 1, from the file's time coordinate.
    subroutine reader_time(self, frame, seconds, epoch, calendar, stat, errmsg)
        class(squall_reader), intent(in) :: self
        integer, intent(in) :: frame
        real(real64), intent(out) :: seconds
        character(:), allocatable, intent(out), optional :: epoch, calendar
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_ptr) :: c_epoch, c_calendar
        integer(c_int) :: status
        seconds = 0
        status = squall_io_reader_time(self%handle, int(frame - 1, c_int64_t), seconds, c_epoch, c_calendar)
        if (status == 0 .and. present(epoch)) epoch = f_text(c_epoch)
        if (status == 0 .and. present(calendar)) calendar = f_text(c_calendar)
        call finish(status, stat, errmsg)
    end subroutine reader_time

    !> Names of the fields, in the order of the file.
    function reader_field_names(self, stat, errmsg) result(names)
        class(squall_reader), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: names(:)
        type(c_ptr), allocatable :: texts(:)
        integer(c_int) :: n, count, status
        status = squall_io_reader_fields(self%handle, count)
        if (status /= 0) count = 0
        allocate (texts(count))
        texts = c_null_ptr
        do n = 1, count
            if (status == 0) status = squall_io_reader_field(self%handle, n - 1, texts(n))
        end do
        names = list(texts)
        call finish(status, stat, errmsg)
    end function reader_field_names

    !> Names of the dimensions, without the record dimension, in the order of the file.
    function reader_dimension_names(self, stat, errmsg) result(names)
        class(squall_reader), intent(in) :: self
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: names(:)
        type(c_ptr), allocatable :: texts(:)
        integer(c_int64_t) :: size
        integer(c_int) :: n, count, status
        status = squall_io_reader_dimensions(self%handle, count)
        if (status /= 0) count = 0
        allocate (texts(count))
        texts = c_null_ptr
        do n = 1, count
            if (status == 0) status = squall_io_reader_dimension(self%handle, n - 1, texts(n), size)
        end do
        names = list(texts)
        call finish(status, stat, errmsg)
    end function reader_dimension_names

    !> Names of the attributes of a field, or without it of the whole file, in the order of the file.
    function reader_attribute_names(self, field, stat, errmsg) result(names)
        class(squall_reader), intent(in) :: self
        character(*), intent(in), optional :: field
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:), allocatable :: names(:)
        character(:, kind=c_char), allocatable, target :: owner
        type(c_ptr), allocatable :: texts(:)
        type(c_attribute) :: found
        integer(c_int) :: n, count, status
        status = squall_io_reader_attributes(self%handle, owner_of(owner, field), count)
        if (status /= 0) count = 0
        allocate (texts(count))
        texts = c_null_ptr
        do n = 1, count
            if (status == 0) status = squall_io_reader_attribute(self%handle, owner_of(owner, field), n - 1, found)
            if (status == 0) texts(n) = found%name
        end do
        names = list(texts)
        call finish(status, stat, errmsg)
    end function reader_attribute_names

    !> Describes a field: its type in the file, the names and extents of its dimensions (fastest first,
    !> without the record dimension), and whether it varies with the frame.
    subroutine reader_describe(self, field, type, dimensions, extents, per_frame, stat, errmsg)
        class(squall_reader), intent(in) :: self
        character(*), intent(in) :: field
        integer(c_int), intent(out), optional :: type
        character(:), allocatable, intent(out), optional :: dimensions(:)
        integer(int64), allocatable, intent(out), optional :: extents(:)
        logical, intent(out), optional :: per_frame
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(c_field_info) :: info
        type(c_ptr), allocatable :: texts(:)
        integer(c_int64_t), allocatable :: sizes(:)
        integer(c_int) :: status, d
        status = squall_io_reader_field_info(self%handle, c_text(field), info)
        if (status /= 0) then
            call finish(status, stat, errmsg)
            return
        end if
        allocate (texts(info%ndims), sizes(info%ndims))
        do d = 1, info%ndims
            if (status == 0) status = squall_io_reader_field_dimension(self%handle, c_text(field), info%ndims - d, &
                                                                       texts(d), sizes(d))
        end do
        call finish(status, stat, errmsg)
        if (status /= 0) return
        if (present(type)) type = info%type
        if (present(dimensions)) dimensions = list(texts)
        if (present(extents)) extents = sizes
        if (present(per_frame)) per_frame = info%per_frame /= 0
    end subroutine reader_describe

    !> attribute(name, value [, field]) finds an attribute of a field, or without `field` of the whole file:
    !> a text, or numbers of any type as real64. Fails if it is missing or of the other kind.
    subroutine attribute_text(self, name, value, field, stat, errmsg)
        class(squall_reader), intent(in) :: self
        character(*), intent(in) :: name
        character(:), allocatable, intent(out) :: value
        character(*), intent(in), optional :: field
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:, kind=c_char), allocatable, target :: owner
        type(c_attribute) :: found
        integer(c_int) :: status
        status = squall_io_reader_attribute_named(self%handle, owner_of(owner, field), c_text(name), found)
        if (status == 0 .and. found%type /= squall_char) then
            call refuse('attribute '//name//' is no text but numbers', stat, errmsg)
            return
        end if
        call finish(status, stat, errmsg)
        if (status == 0) value = f_text(found%data)
    end subroutine attribute_text

    subroutine attribute_numbers(self, name, value, field, stat, errmsg)
        class(squall_reader), intent(in) :: self
        character(*), intent(in) :: name
        real(real64), allocatable, intent(out) :: value(:)
        character(*), intent(in), optional :: field
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        character(:, kind=c_char), allocatable, target :: owner
        type(c_attribute) :: found
        integer(c_int) :: status
        status = squall_io_reader_attribute_named(self%handle, owner_of(owner, field), c_text(name), found)
        if (status == 0 .and. found%type == squall_char) then
            call refuse('attribute '//name//' is no number but a text', stat, errmsg)
            return
        end if
        call finish(status, stat, errmsg)
        if (status == 0) value = numbers(found)
    end subroutine attribute_numbers

    !> Reads the box of a field that begins at `start` (1-based, fastest dimension first; default: 1 in each
    !> dimension) and has the shape of `data`, at a frame (from 1; ignored for a field that is fixed in
    !> time). data: real32, real64, int8, int16, int32, int64 or character, of the rank of the field.
    subroutine reader_read(self, field, frame, data, start, stat, errmsg)
        class(squall_reader), intent(in) :: self
        character(*), intent(in) :: field
        integer, intent(in) :: frame
        type(*), intent(inout) :: data(..)
        integer, intent(in), optional :: start(:)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer(c_int), allocatable :: first(:)
        first = start_or_none(start)
        call finish(squall_io_f_reader_read(self%handle, c_text(field), int(frame, c_int64_t), data, first, &
                                            size(first, kind=c_int)), stat, errmsg)
    end subroutine reader_read

    !> Reads the patch of an array whose first element is `data`; nothing else of it is touched. As
    !> frame%put_array.
    subroutine reader_read_array(self, field, frame, data, array, stat, errmsg)
        class(squall_reader), intent(in) :: self
        character(*), intent(in) :: field
        integer, intent(in) :: frame
        type(*), intent(inout) :: data(*)
        type(squall_array), intent(in) :: array
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        type(described_array), target :: described
        if (.not. describes(array, described, stat, errmsg)) return
        call finish(squall_io_reader_read_array(self%handle, c_text(field), int(frame - 1, c_int64_t), &
                                                c_array_of(described), data), stat, errmsg)
    end subroutine reader_read_array

    subroutine reader_close(self)
        class(squall_reader), intent(inout) :: self
        call squall_io_reader_free(self%handle)
        self%handle = c_null_ptr
    end subroutine reader_close

    !> Texts of C as a list, all as long as the longest.
    function list(texts) result(names)
        type(c_ptr), intent(in) :: texts(:)
        character(:), allocatable :: names(:)
        integer :: n, longest
        longest = 0
        do n = 1, size(texts)
            longest = max(longest, len(f_text(texts(n))))
        end do
        allocate (character(longest) :: names(size(texts)))
        do n = 1, size(texts)
            names(n) = f_text(texts(n))
        end do
    end function list

    !> The numbers of an attribute.
    function numbers(found) result(values)
        type(c_attribute), intent(in) :: found
        real(real64), allocatable :: values(:)
        integer(c_int32_t), pointer :: ints(:)
        real(c_float), pointer :: floats(:)
        real(c_double), pointer :: doubles(:)
        if (found%type == squall_i32) then
            call c_f_pointer(found%data, ints, [found%count])
            values = real(ints, real64)
        else if (found%type == squall_f32) then
            call c_f_pointer(found%data, floats, [found%count])
            values = real(floats, real64)
        else
            call c_f_pointer(found%data, doubles, [found%count])
            values = doubles
        end if
    end function numbers

end module squall_io_reading
