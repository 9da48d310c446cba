!> Reductions of fields where their points are, for module squall_io_declare; kinds and methods: Reduction in
!> squall/io.hpp.
submodule(squall_io_declare) squall_io_declare_made
    implicit none

contains

    !> Declares that a field is reduced from the field or source `of`, on the ranks that hold it, so that
    !> only the result is sent. over: the dimensions of `of` that the reduction removes (the record
    !> dimension: over time; left out: at places); the field's own need not be declared.
    module subroutine spec_reduction(self, field, of, method, over)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, of, method
        character(*), intent(in), optional :: over(:)
        character(kind=c_char, len=:), allocatable, target :: names(:)
        type(c_ptr), allocatable :: slowest_first(:)
        call reverse(over, names, slowest_first)
        call keep(self, squall_io_spec_reduction(self%handle, c_text(field), c_text(of), c_text(method), &
                                                 size(slowest_first, kind=c_int), slowest_first))
    end subroutine spec_reduction

    !> Sets one of the reduction's weight, mask (names of fields or sources), quantile, low, high, bins, at
    !> (the name of places), onto, coordinate, scale, outside.
    module subroutine reduction_text(self, field, key, value)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, key, value
        call keep(self, squall_io_spec_reduction_set(self%handle, c_text(field), c_text(key), c_text(value)))
    end subroutine reduction_text

    module subroutine reduction_real(self, field, key, value)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, key
        real(real64), intent(in) :: value
        character(32) :: number
        write (number, '(es24.16e3)') value
        call self%reduction_text(field, key, trim(adjustl(number)))
    end subroutine reduction_real

    !> Restricts the reduction to the indices from first to last, counted from 1, of a dimension in `over`.
    module subroutine spec_reduction_within(self, field, dimension, first, last)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, dimension
        integer, intent(in) :: first, last
        call keep(self, squall_io_spec_reduction_within(self%handle, c_text(field), c_text(dimension), &
                                                        int(first - 1, c_int64_t), int(last, c_int64_t)))
    end subroutine spec_reduction_within

    !> Reduces every `factor` points of a dimension to one point of dimension `onto`.
    module subroutine spec_reduction_coarsen(self, field, dimension, factor, onto)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field, dimension, onto
        integer, intent(in) :: factor
        call keep(self, squall_io_spec_reduction_coarsen(self%handle, c_text(field), c_text(dimension), &
                                                         int(factor, c_int64_t), c_text(onto)))
    end subroutine spec_reduction_coarsen

    !> The values of the levels of a field that is reduced by method interpolate.
    module subroutine spec_reduction_levels(self, field, levels)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: field
        real(real64), intent(in) :: levels(:)
        call keep(self, squall_io_spec_reduction_levels(self%handle, c_text(field), size(levels, kind=c_int), &
                                                        levels))
    end subroutine spec_reduction_levels

    !> Declares places at which fields are sampled, which form a dimension of that name. dimensions: those in
    !> which the places have positions, fastest first; positions(:, place): one index per dimension, from 1
    !> and possibly fractional; left out: they move, and frame%places sets their positions.
    module subroutine spec_places(self, name, count, dimensions, positions)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name, dimensions(:)
        integer, intent(in) :: count
        real(real64), intent(in), optional :: positions(:, :)
        character(kind=c_char, len=:), allocatable, target :: names(:)
        type(c_ptr), allocatable :: slowest_first(:)
        real(real64), allocatable, target :: from_0(:, :)
        type(c_ptr) :: where
        where = c_null_ptr
        if (present(positions)) then
            from_0 = positions(size(positions, 1):1:-1, :) - 1
            where = c_loc(from_0)
        end if
        call reverse(dimensions, names, slowest_first)
        call keep(self, squall_io_spec_places(self%handle, c_text(name), int(count, c_int64_t), &
                                              size(slowest_first, kind=c_int), slowest_first, where))
    end subroutine spec_places

    !> Declares that a dimension of other fields is staggered against dimension `of` of the places, whose
    !> positions along it are greater by `by`.
    module subroutine spec_places_stagger(self, places, dimension, of, by)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: places, dimension, of
        real(real64), intent(in) :: by
        call keep(self, squall_io_spec_places_stagger(self%handle, c_text(places), c_text(dimension), &
                                                      c_text(of), by))
    end subroutine spec_places_stagger

    !> Declares, for a restart stream, the accumulators of fields that `of` reduces over time: stream%save
    !> puts them.
    module subroutine spec_accumulators(self, of)
        class(squall_stream_spec), intent(inout) :: self
        type(squall_stream_spec), intent(in) :: of
        call keep(self, squall_io_spec_accumulators(self%handle, of%handle))
    end subroutine spec_accumulators

end submodule squall_io_declare_made
