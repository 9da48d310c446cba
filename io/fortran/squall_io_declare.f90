!> Declarations of streams, for module squall_io.
module squall_io_declare
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t, c_loc, c_null_char, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use squall_io_c
    use squall_io_shared
    implicit none
    private

    !> Everything that is fixed about a stream before its first frame: init, then any of the others,
    !> then stream%open; free at the end. A mistake is kept and fails stream%open.
    type, public :: squall_stream_spec
        type(c_ptr) :: handle = c_null_ptr !< only for this library
        character(:), allocatable :: fault !< the first mistake
    contains
        procedure :: init => spec_init
        generic :: set => set_text, set_number, set_flag
        procedure :: option => spec_option
        procedure :: dimension => spec_dimension
        procedure :: subset => spec_subset
        procedure :: field => spec_field
        procedure :: pack => spec_pack
        procedure :: round => spec_round
        generic :: attribute => attribute_text, attribute_int, attribute_real32, attribute_real64, &
            attribute_ints, attribute_reals32, attribute_reals64
        procedure :: free => spec_free
        procedure, private :: set_text, set_number, set_flag
        procedure, private :: attribute_text, attribute_int, attribute_real32, attribute_real64
        procedure, private :: attribute_ints, attribute_reals32, attribute_reals64
    end type squall_stream_spec

contains

    subroutine keep(self, status)
        type(squall_stream_spec), intent(inout) :: self
        integer(c_int), intent(in) :: status
        if (status /= 0 .and. .not. allocated(self%fault)) self%fault = f_text(squall_io_last_error())
    end subroutine keep

    !> Begins a declaration. `path` is a pattern for squall_format_time, filled with the time of the
    !> file's first frame.
    subroutine spec_init(self, name, path)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name, path
        call self%free()
        call keep(self, squall_io_spec_new(c_text(name), c_text(path), self%handle))
    end subroutine spec_init

    !> Sets one of engine, placement, codec, frames_per_file, replace, burst_dir, staging_limit [bytes],
    !> when_full, spill_dir, on_error, on_lost_server, record_dimension to a text, a whole number or a logical.
    subroutine set_text(self, key, value)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: key, value
        call keep(self, squall_io_spec_set(self%handle, c_text(key), c_text(value)))
    end subroutine set_text

    subroutine set_number(self, key, value)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: key
        integer, intent(in) :: value
        call self%set_text(key, whole(value))
    end subroutine set_number

    subroutine set_flag(self, key, value)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: key
        logical, intent(in) :: value
        call self%set_text(key, truth(value))
    end subroutine set_flag

    !> Sets an option of the engine.
    subroutine spec_option(self, option, value)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: option, value
        call keep(self, squall_io_spec_option(self%handle, c_text(option), c_text(value)))
    end subroutine spec_option

    !> Declares a dimension of the whole domain; the record dimension is implied.
    subroutine spec_dimension(self, name, size)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer, intent(in) :: size
        call keep(self, squall_io_spec_dimension(self%handle, c_text(name), int(size, c_int64_t)))
    end subroutine spec_dimension

    !> Keeps of a dimension the indices first, first + stride, ... up to last, counted from 1.
    subroutine spec_subset(self, dimension, first, last, stride)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: dimension
        integer, intent(in) :: first, last, stride
        call keep(self, squall_io_spec_subset(self%handle, c_text(dimension), int(first - 1, c_int64_t), &
                                              int(last, c_int64_t), int(stride, c_int64_t)))
    end subroutine spec_subset

    !> Declares a field: its type in the file and the names of its dimensions, fastest first (as the array
    !> lies; the file's tools show them slowest first), without the record dimension; none for a scalar.
    !> per_frame .false.: fixed in time, put with stream%put.
    subroutine spec_field(self, name, type, dimensions, per_frame)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: type
        character(*), intent(in), optional :: dimensions(:)
        logical, intent(in), optional :: per_frame
        character(kind=c_char, len=:), allocatable, target :: names(:)
        type(c_ptr), allocatable :: slowest_first(:)
        integer(c_int) :: varies
        integer :: d, n
        n = 0
        if (present(dimensions)) n = size(dimensions)
        allocate (slowest_first(n))
        if (n > 0) then
            allocate (character(len(dimensions) + 1) :: names(n))
            do d = 1, n
                names(d) = trim(dimensions(n + 1 - d))//c_null_char
                slowest_first(d) = c_loc(names(d) (1:1))
            end do
        end if
        varies = 1
        if (present(per_frame)) varies = merge(1_c_int, 0_c_int, per_frame)
        call keep(self, squall_io_spec_field(self%handle, c_text(name), type, int(n, c_int), slowest_first, &
                                             varies))
    end subroutine spec_field

    !> Keeps a declared floating-point field as int16 with scale_factor and add_offset, for values from
    !> low to high.
    subroutine spec_pack(self, field, low, high)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field
        real(real64), intent(in) :: low, high
        call keep(self, squall_io_spec_pack(self%handle, c_text(field), low, high))
    end subroutine spec_pack

    !> Rounds off bits of a declared floating-point field so that no value moves by more than `bound`: kind
    !> 'absolute', in the field's units, or 'relative'.
    subroutine spec_round(self, field, kind, bound)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, kind
        real(real64), intent(in) :: bound
        call keep(self, squall_io_spec_round(self%handle, c_text(field), c_text(kind), bound))
    end subroutine spec_round

    !> attribute(name, value [, field]) gives a declared field, or without `field` the whole file, an
    !> attribute: a text, a number, or a list of numbers.
    subroutine attribute_text(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name, value
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_text(self%handle, owner_of(owner, field), c_text(name), &
                                                      c_text(value)))
    end subroutine attribute_text

    subroutine attribute_ints(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer(int32), intent(in) :: value(:)
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_int(self%handle, owner_of(owner, field), c_text(name), &
                                                     size(value, kind=c_int), value))
    end subroutine attribute_ints

    subroutine attribute_reals32(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real32), intent(in) :: value(:)
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_float(self%handle, owner_of(owner, field), c_text(name), &
                                                       size(value, kind=c_int), value))
    end subroutine attribute_reals32

    subroutine attribute_reals64(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real64), intent(in) :: value(:)
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_double(self%handle, owner_of(owner, field), c_text(name), &
                                                        size(value, kind=c_int), value))
    end subroutine attribute_reals64

    subroutine attribute_int(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer(int32), intent(in) :: value
        character(*), intent(in), optional :: field
        call self%attribute_ints(name, [value], field)
    end subroutine attribute_int

    subroutine attribute_real32(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real32), intent(in) :: value
        character(*), intent(in), optional :: field
        call self%attribute_reals32(name, [value], field)
    end subroutine attribute_real32

    subroutine attribute_real64(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real64), intent(in) :: value
        character(*), intent(in), optional :: field
        call self%attribute_reals64(name, [value], field)
    end subroutine attribute_real64

    subroutine spec_free(self)
        class(squall_stream_spec), intent(inout) :: self
        call squall_io_spec_free(self%handle)
        self%handle = c_null_ptr
        if (allocated(self%fault)) deallocate (self%fault)
    end subroutine spec_free

end module squall_io_declare
