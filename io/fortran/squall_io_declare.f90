!> Declarations of streams, for module squall_io.
module squall_io_declare
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t, c_loc, c_null_char, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use squall_io_c
    use squall_io_c_client
    use squall_io_shared
    implicit none
    private
    public :: keep, reverse ! for the submodule: gfortran lets it have no others

    !> The declaration of a stream, fixed before its first frame: init, then any of the others, then
    !> stream%open; free at the end. An error is recorded and fails stream%open.
    type, public :: squall_stream_spec
        type(c_ptr) :: handle = c_null_ptr !< only for this library
        character(:), allocatable :: fault !< the first mistake
    contains
        procedure :: init => spec_init
        generic :: set => set_text, set_number, set_flag
        procedure :: option => spec_option
        procedure :: dimension => spec_dimension
        procedure :: varying => spec_varying
        procedure :: subset => spec_subset
        procedure :: field => spec_field
        procedure :: texts => spec_texts
        procedure :: time => spec_time
        procedure :: fill => spec_fill
        procedure :: optional => spec_optional
        procedure :: source => spec_source
        procedure :: reduction => spec_reduction
        generic :: reduction_set => reduction_text, reduction_real
        procedure :: reduction_within => spec_reduction_within
        procedure :: reduction_coarsen => spec_reduction_coarsen
        procedure :: reduction_levels => spec_reduction_levels
        procedure :: places => spec_places
        procedure :: accumulators => spec_accumulators
        procedure :: places_stagger => spec_places_stagger
        procedure :: decomposition => spec_decomposition
        procedure :: box => spec_box
        procedure :: indices => spec_indices
        procedure :: unowned => spec_unowned
        procedure :: decomposed => spec_decomposed
        procedure :: pack => spec_pack
        procedure :: round => spec_round
        generic :: attribute => attribute_text, attribute_int, attribute_real32, attribute_real64, &
            attribute_ints, attribute_reals32, attribute_reals64
        procedure :: free => spec_free
        procedure, private :: set_text, set_number, set_flag
        procedure, private :: reduction_text, reduction_real
        procedure, private :: attribute_text, attribute_int, attribute_real32, attribute_real64
        procedure, private :: attribute_ints, attribute_reals32, attribute_reals64
    end type squall_stream_spec

    ! Attributes: squall_io_declare_attributes.f90.
    interface
        module subroutine attribute_text(self, name, value, field)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name, value
            character(*), intent(in), optional :: field
        end subroutine attribute_text
        module subroutine attribute_ints(self, name, value, field)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name
            integer(int32), intent(in) :: value(:)
            character(*), intent(in), optional :: field
        end subroutine attribute_ints
        module subroutine attribute_reals32(self, name, value, field)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name
            real(real32), intent(in) :: value(:)
            character(*), intent(in), optional :: field
        end subroutine attribute_reals32
        module subroutine attribute_reals64(self, name, value, field)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name
            real(real64), intent(in) :: value(:)
            character(*), intent(in), optional :: field
        end subroutine attribute_reals64
        module subroutine attribute_int(self, name, value, field)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name
            integer(int32), intent(in) :: value
            character(*), intent(in), optional :: field
        end subroutine attribute_int
        module subroutine attribute_real32(self, name, value, field)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name
            real(real32), intent(in) :: value
            character(*), intent(in), optional :: field
        end subroutine attribute_real32
        module subroutine attribute_real64(self, name, value, field)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name
            real(real64), intent(in) :: value
            character(*), intent(in), optional :: field
        end subroutine attribute_real64
    end interface

    ! Fields that are made of others: squall_io_declare_made.f90.
    interface
        module subroutine spec_reduction(self, field, of, method, over)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: field, of, method
            character(*), intent(in), optional :: over(:)
        end subroutine spec_reduction
        module subroutine reduction_text(self, field, key, value)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: field, key, value
        end subroutine reduction_text
        module subroutine reduction_real(self, field, key, value)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: field, key
            real(real64), intent(in) :: value
        end subroutine reduction_real
        module subroutine spec_reduction_within(self, field, dimension, first, last)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: field, dimension
            integer, intent(in) :: first, last
        end subroutine spec_reduction_within
        module subroutine spec_reduction_coarsen(self, field, dimension, factor, onto)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: field, dimension, onto
            integer, intent(in) :: factor
        end subroutine spec_reduction_coarsen
        module subroutine spec_reduction_levels(self, field, levels)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: field
            real(real64), intent(in) :: levels(:)
        end subroutine spec_reduction_levels
        module subroutine spec_places(self, name, count, dimensions, positions)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: name, dimensions(:)
            integer, intent(in) :: count
            real(real64), intent(in), optional :: positions(:, :)
        end subroutine spec_places
        module subroutine spec_places_stagger(self, places, dimension, of, by)
            class(squall_stream_spec), intent(inout) :: self
            character(*), intent(in) :: places, dimension, of
            real(real64), intent(in) :: by
        end subroutine spec_places_stagger
        module subroutine spec_accumulators(self, of)
            class(squall_stream_spec), intent(inout) :: self
            type(squall_stream_spec), intent(in) :: of
        end subroutine spec_accumulators
    end interface

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
    !> when_full, spill_dir, on_error, on_lost_server, record_dimension, calendar, append to a text, a whole
    !> number or a logical.
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

    !> Declares a dimension whose length varies from frame to frame, up to `most`: see frame%length.
    subroutine spec_varying(self, name, most)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer, intent(in) :: most
        call keep(self, squall_io_spec_varying(self%handle, c_text(name), int(most, c_int64_t)))
    end subroutine spec_varying

    !> Keeps the indices first, first + stride, ... up to last, counted from 1, of a dimension.
    subroutine spec_subset(self, dimension, first, last, stride)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: dimension
        integer, intent(in) :: first, last, stride
        call keep(self, squall_io_spec_subset(self%handle, c_text(dimension), int(first - 1, c_int64_t), &
                                              int(last, c_int64_t), int(stride, c_int64_t)))
    end subroutine spec_subset

    !> As in C; default: it varies with the frame.
    integer(c_int) function varies(per_frame)
        logical, intent(in), optional :: per_frame
        varies = 1
        if (present(per_frame)) varies = merge(1_c_int, 0_c_int, per_frame)
    end function varies

    !> Declares a field: its type in the file and the names of its dimensions, fastest first (as in the
    !> array; tools for the files list them slowest first), without the record dimension; none for a scalar.
    !> per_frame .false.: fixed in time, put with stream%put.
    subroutine spec_field(self, name, type, dimensions, per_frame)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: type
        character(*), intent(in), optional :: dimensions(:)
        logical, intent(in), optional :: per_frame
        character(kind=c_char, len=:), allocatable, target :: names(:)
        type(c_ptr), allocatable :: slowest_first(:)
        call reverse(dimensions, names, slowest_first)
        call keep(self, squall_io_spec_field(self%handle, c_text(name), type, &
                                             size(slowest_first, kind=c_int), slowest_first, varies(per_frame)))
    end subroutine spec_field

    !> The same for a field of texts of up to `letters` bytes each.
    subroutine spec_texts(self, name, letters, dimensions, per_frame)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer, intent(in) :: letters
        character(*), intent(in), optional :: dimensions(:)
        logical, intent(in), optional :: per_frame
        character(kind=c_char, len=:), allocatable, target :: names(:)
        type(c_ptr), allocatable :: slowest_first(:)
        call reverse(dimensions, names, slowest_first)
        call keep(self, squall_io_spec_texts(self%handle, c_text(name), int(letters, c_int), &
                                             size(slowest_first, kind=c_int), slowest_first, varies(per_frame)))
    end subroutine spec_texts

    !> Makes the library write CF's time coordinate. name, default: that of the record dimension; units,
    !> default: seconds since 2000-01-01 00:00:00. With bounds, stream%begin takes the interval that the
    !> frame represents.
    subroutine spec_time(self, name, units, bounds)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in), optional :: name, units
        logical, intent(in), optional :: bounds
        character(:, kind=c_char), allocatable, target :: kept_name, kept_units
        integer(c_int) :: bounded
        bounded = 0
        if (present(bounds)) bounded = merge(1_c_int, 0_c_int, bounds)
        call keep(self, squall_io_spec_time(self%handle, owner_of(kept_name, name), owner_of(kept_units, units), &
                                            bounded))
    end subroutine spec_time

    !> The fill value of a declared field, for points that no rank owns and frames that leave the field out.
    subroutine spec_fill(self, field, fill)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field
        real(real64), intent(in) :: fill
        call keep(self, squall_io_spec_fill(self%handle, c_text(field), fill))
    end subroutine spec_fill

    !> Allows frames to leave out a declared field: frame%leave_out.
    subroutine spec_optional(self, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field
        call keep(self, squall_io_spec_optional(self%handle, c_text(field)))
    end subroutine spec_optional

    !> Declares a source, which is put but not written: a field that others are reduced from, or weighted
    !> with. Arguments as in field.
    subroutine spec_source(self, name, type, dimensions, per_frame)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: type
        character(*), intent(in), optional :: dimensions(:)
        logical, intent(in), optional :: per_frame
        character(kind=c_char, len=:), allocatable, target :: names(:)
        type(c_ptr), allocatable :: slowest_first(:)
        call reverse(dimensions, names, slowest_first)
        call keep(self, squall_io_spec_source(self%handle, c_text(name), type, &
                                              size(slowest_first, kind=c_int), slowest_first, varies(per_frame)))
    end subroutine spec_source

    !> Declares which points of a grid this rank owns, once for all fields that are put with put_points.
    !> dimensions: those that are divided, fastest first. A rank without points declares it too.
    subroutine spec_decomposition(self, name, dimensions)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name, dimensions(:)
        character(kind=c_char, len=:), allocatable, target :: names(:)
        type(c_ptr), allocatable :: slowest_first(:)
        call reverse(dimensions, names, slowest_first)
        call keep(self, squall_io_spec_decomposition(self%handle, c_text(name), size(slowest_first, kind=c_int), &
                                                     slowest_first))
    end subroutine spec_decomposition

    !> Adds a box of this rank's points: start counts from 1; both list the fastest dimension first. Boxes
    !> lie in memory one after the other.
    subroutine spec_box(self, decomposition, start, count)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: decomposition
        integer, intent(in) :: start(:), count(:)
        call keep(self, squall_io_spec_decomposition_box(self%handle, c_text(decomposition), &
                                                         int(start(size(start):1:-1) - 1, c_int64_t), &
                                                         int(count(size(count):1:-1), c_int64_t)))
    end subroutine spec_box

    !> Adds a box of points that no rank owns, which get the fill value; any one rank declares it.
    subroutine spec_unowned(self, decomposition, start, count)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: decomposition
        integer, intent(in) :: start(:), count(:)
        call keep(self, squall_io_spec_decomposition_unowned(self%handle, c_text(decomposition), &
                                                             int(start(size(start):1:-1) - 1, c_int64_t), &
                                                             int(count(size(count):1:-1), c_int64_t)))
    end subroutine spec_unowned

    !> Adds points by their indices along the only dimension, from 1, in the order in which they lie in
    !> memory.
    subroutine spec_indices(self, decomposition, indices)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: decomposition
        integer, intent(in) :: indices(:)
        call keep(self, squall_io_spec_decomposition_indices(self%handle, c_text(decomposition), &
                                                             size(indices, kind=c_int64_t), &
                                                             int(indices, c_int64_t) - 1_c_int64_t))
    end subroutine spec_indices

    !> Assigns a declared field to a decomposition, whose dimensions are the field's fastest.
    subroutine spec_decomposed(self, field, decomposition)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, decomposition
        call keep(self, squall_io_spec_decomposed(self%handle, c_text(field), c_text(decomposition)))
    end subroutine spec_decomposed

    !> Names of dimensions for C, slowest first; `slowest_first` points into `names`.
    subroutine reverse(dimensions, names, slowest_first)
        character(*), intent(in), optional :: dimensions(:)
        character(kind=c_char, len=:), allocatable, target, intent(out) :: names(:)
        type(c_ptr), allocatable, intent(out) :: slowest_first(:)
        integer :: d, n
        n = 0
        if (present(dimensions)) n = size(dimensions)
        allocate (slowest_first(n))
        if (n == 0) return
        allocate (character(len(dimensions) + 1) :: names(n))
        do d = 1, n
            names(d) = trim(dimensions(n + 1 - d))//c_null_char
            slowest_first(d) = c_loc(names(d) (1:1))
        end do
    end subroutine reverse

    !> Packs a declared floating-point field into int16 with scale_factor and add_offset, for values from low
    !> to high.
    subroutine spec_pack(self, field, low, high)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field
        real(real64), intent(in) :: low, high
        call keep(self, squall_io_spec_pack(self%handle, c_text(field), low, high))
    end subroutine spec_pack

    !> Rounds a declared floating-point field so that no value changes by more than `bound`: kind
    !> 'absolute', in the field's units, or 'relative'.
    subroutine spec_round(self, field, kind, bound)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, kind
        real(real64), intent(in) :: bound
        call keep(self, squall_io_spec_round(self%handle, c_text(field), c_text(kind), bound))
    end subroutine spec_round

    subroutine spec_free(self)
        class(squall_stream_spec), intent(inout) :: self
        call squall_io_spec_free(self%handle)
        self%handle = c_null_ptr
        if (allocated(self%fault)) deallocate (self%fault)
    end subroutine spec_free

end module squall_io_declare
