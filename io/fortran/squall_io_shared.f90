!> What the parts of module squall_io share: types of elements, texts, errors.
module squall_io_shared
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int, c_loc, &
        c_null_char, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: error_unit
    use squall_io_c, only: c_strlen, squall_io_last_error
    implicit none
    public

    !> Types of a field in a file: squall_io_type.
    enum, bind(C)
        enumerator :: squall_f32, squall_f64, squall_i16, squall_i32, squall_char, squall_i8, squall_u8, squall_i64
    end enum

contains

    !> A text for C: trailing blanks dropped, a zero at the end.
    pure function c_text(text) result(converted)
        character(*), intent(in) :: text
        character(:, kind=c_char), allocatable :: converted
        converted = trim(text)//c_null_char
    end function c_text

    !> A text from C; empty for a null pointer.
    function f_text(text) result(converted)
        type(c_ptr), intent(in) :: text
        character(:), allocatable :: converted
        character(kind=c_char), pointer :: bytes(:)
        integer :: i, n
        n = 0
        if (c_associated(text)) n = int(c_strlen(text))
        allocate (character(n) :: converted)
        if (n == 0) return
        call c_f_pointer(text, bytes, [n])
        do i = 1, n
            converted(i:i) = bytes(i)
        end do
    end function f_text

    !> The C text of an optional field's name, kept in `kept`; a null pointer without one.
    function owner_of(kept, field) result(text)
        character(:, kind=c_char), allocatable, target, intent(inout) :: kept
        character(*), intent(in), optional :: field
        type(c_ptr) :: text
        text = c_null_ptr
        if (.not. present(field)) return
        kept = c_text(field)
        text = c_loc(kept)
    end function owner_of

    !> An optional list of first indices; empty without it.
    pure function start_or_none(start) result(first)
        integer, intent(in), optional :: start(:)
        integer(c_int), allocatable :: first(:)
        allocate (first(0))
        if (present(start)) first = int(start, c_int)
    end function start_or_none

    !> Ends a call: returns the status (0: success) and the message if the caller asked for the status,
    !> otherwise stops the program on a failure.
    subroutine finish(status, stat, errmsg)
        integer(c_int), intent(in) :: status
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        if (status /= 0) then
            call refuse(f_text(squall_io_last_error()), stat, errmsg)
        else if (present(stat)) then
            stat = 0
        end if
    end subroutine finish

    !> Ends a call that has failed with this message: as finish.
    subroutine refuse(message, stat, errmsg)
        character(*), intent(in) :: message
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        if (present(errmsg)) errmsg = message
        if (present(stat)) then
            stat = 1
            return
        end if
        write (error_unit, '(2a)') 'squall_io: ', message
        flush (error_unit)
        error stop 1
    end subroutine refuse

    !> A whole number as a text.
    pure function whole(number) result(text)
        integer, intent(in) :: number
        character(:), allocatable :: text
        character(16) :: buffer
        write (buffer, '(i0)') number
        text = trim(buffer)
    end function whole

    !> A logical as a text.
    pure function truth(flag) result(text)
        logical, intent(in) :: flag
        character(:), allocatable :: text
        text = trim(merge('true ', 'false', flag))
    end function truth

end module squall_io_shared
