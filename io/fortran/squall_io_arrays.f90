!> Arrays of which a procedure has the first element only, for module squall_io.
module squall_io_arrays
    use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t, c_loc, c_null_ptr, c_ptr
    use squall_io_shared
    implicit none
    private
    public :: c_array_of, describes, described_array
    public :: squall_io_frame_put_array, squall_io_stream_put_array, squall_io_reader_read_array

    !> What such an array is, and which points of it are this rank's. order names its dimensions, fastest first:
    !> 'XZY', 'XY', strips along the boundary ('XSZ', 'YE'), a column ('Z'), a list ('C') or a scalar ('0').
    !> Bounds: an index per dimension of the array, in its order, counted as the program does. domain_first: of
    !> the field's first point; memory: what the array was declared with, halo and all; patch: the points, none
    !> if a last index is before the first.
    !>
    !>     array = squall_array(squall_f32, 'XZY', domain_first=[ids, kds, jds], memory_first=[ims, kms, jms], &
    !>                          memory_last=[ime, kme, jme], patch_first=[ips, kps, jps], patch_last=[ipe, kpe, jpe])
    type, public :: squall_array
        integer(c_int) :: type = squall_f32
        character(3) :: order = '0'
        integer, allocatable :: domain_first(:), memory_first(:), memory_last(:), patch_first(:), patch_last(:)
    end type squall_array

    !> The same for C: squall_io_array, and what its pointers point to.
    type, bind(C), public :: c_array
        integer(c_int) :: type
        type(c_ptr) :: order, domain_first, memory_first, memory_last, patch_first, patch_last
    end type c_array
    type :: described_array
        integer(c_int) :: type
        character(:, kind=c_char), allocatable :: order
        integer(c_int) :: bounds(3, 5)
    end type described_array

    interface
        integer(c_int) function squall_io_frame_put_array(frame, field, array, data) bind(C)
            import c_array, c_char, c_int, c_ptr
            type(c_ptr), value :: frame
            character(kind=c_char), intent(in) :: field(*)
            type(c_array), intent(in) :: array
            type(*), intent(in) :: data(*)
        end function

        integer(c_int) function squall_io_stream_put_array(stream, field, array, data) bind(C)
            import c_array, c_char, c_int, c_ptr
            type(c_ptr), value :: stream
            character(kind=c_char), intent(in) :: field(*)
            type(c_array), intent(in) :: array
            type(*), intent(in) :: data(*)
        end function

        integer(c_int) function squall_io_reader_read_array(reader, field, frame, array, data) bind(C)
            import c_array, c_char, c_int, c_int64_t, c_ptr
            type(c_ptr), value :: reader
            character(kind=c_char), intent(in) :: field(*)
            integer(c_int64_t), value :: frame
            type(c_array), intent(in) :: array
            type(*), intent(inout) :: data(*)
        end function
    end interface

contains

    !> Whether the array has the bounds that its order asks for; if not, ends the call as refuse does.
    logical function describes(array, described, stat, errmsg)
        type(squall_array), intent(in) :: array
        type(described_array), intent(out) :: described
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        integer :: n
        n = len_trim(array%order)
        if (adjustl(array%order) == '0') n = 0
        described%type = array%type
        described%order = c_text(array%order)
        described%bounds = 0
        describes = .true.
        call take(array%domain_first, 1)
        call take(array%memory_first, 2)
        call take(array%memory_last, 3)
        call take(array%patch_first, 4)
        call take(array%patch_last, 5)
        if (.not. describes) call refuse('an array of order '//trim(array%order)//' has too few bounds; give '// &
                                         'each of them an index per dimension', stat, errmsg)
    contains
        subroutine take(bound, which)
            integer, allocatable, intent(in) :: bound(:)
            integer, intent(in) :: which
            if (n == 0) return
            if (.not. allocated(bound)) then
                describes = .false.
            else if (size(bound) < n) then
                describes = .false.
            else
                described%bounds(:n, which) = int(bound(:n), c_int)
            end if
        end subroutine take
    end function describes

    !> Valid as long as `described`.
    function c_array_of(described) result(c)
        type(described_array), intent(in), target :: described
        type(c_array) :: c
        c = c_array(described%type, c_loc(described%order), c_loc(described%bounds(1, 1)), &
                    c_loc(described%bounds(1, 2)), c_loc(described%bounds(1, 3)), &
                    c_loc(described%bounds(1, 4)), c_loc(described%bounds(1, 5)))
    end function c_array_of

end module squall_io_arrays
