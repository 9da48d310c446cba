! The calls that WRF's I/O layer adios2 alone has: around all fields of a time.

subroutine ext_adios2_start_io_timestep(DataHandle, Status)
    implicit none
    integer, intent(in) :: DataHandle
    integer, intent(out) :: Status
    Status = 0
end subroutine

subroutine ext_adios2_end_io_timestep(DataHandle, Status)
    use squall_wrf_calls
    integer, intent(in) :: DataHandle
    integer, intent(out) :: Status
    Status = end_frame(DataHandle)
end subroutine
