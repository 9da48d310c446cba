!> The lock under which Squall calls netCDF-C, HDF5 and PnetCDF, for programs that call them, too.
!>
!> With placement 'thread', and on servers, Squall calls these libraries whenever a frame is to be written;
!> they let one thread in at a time. So a program makes its own calls of them, from opening a file to
!> closing it and whichever file it is, between these two:
!>
!>     call squall_lock_libraries()
!>     status = nf90_put_var(file, variable, values)
!>     call squall_unlock_libraries()
!>
!> It waits while a frame is being written: lock once for many calls. Meanwhile do nothing that waits for
!> other ranks (messages, collective calls of these libraries), and call nothing of Squall that does (opening,
!> committing, closing). The thread that locks unlocks, as often. Local.
module squall_io_libraries
    use, intrinsic :: iso_c_binding, only: c_int
    use squall_io_shared, only: finish
    implicit none
    private
    public :: squall_lock_libraries, squall_unlock_libraries

    interface
        integer(c_int) function squall_io_lock_libraries() bind(C)
            import c_int
        end function

        integer(c_int) function squall_io_unlock_libraries() bind(C)
            import c_int
        end function
    end interface

contains

    subroutine squall_lock_libraries(stat, errmsg)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_lock_libraries(), stat, errmsg)
    end subroutine squall_lock_libraries

    !> Fails where this thread has not locked them.
    subroutine squall_unlock_libraries(stat, errmsg)
        integer, intent(out), optional :: stat
        character(*), intent(inout), optional :: errmsg
        call finish(squall_io_unlock_libraries(), stat, errmsg)
    end subroutine squall_unlock_libraries

end module squall_io_libraries
