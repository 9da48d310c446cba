! The calls of WRF's I/O layer adios2 that pass no communicator: the ranks are those of the domain in hand.

subroutine ext_adios2_open_for_write_begin(FileName, SysDepInfo, Iotype, DataHandle, Status)
    use squall_wrf_calls
    character(*), intent(in) :: FileName, SysDepInfo, Iotype
    integer, intent(inout) :: DataHandle
    integer, intent(out) :: Status
    Status = open_for_write('adios2', len('adios2'), FileName, len(FileName), system=SysDepInfo, &
                            system_n=len(SysDepInfo), handle=DataHandle)
end subroutine

! A file without a training pass: no layer of WRF's has it.
subroutine ext_adios2_open_for_write(DatasetName, SysDepInfo, DataHandle, Status)
    use squall_wrf_calls
    character(*), intent(in) :: DatasetName, SysDepInfo
    integer, intent(out) :: DataHandle, Status
    DataHandle = 0
    Status = no_operation
end subroutine

! No layer that writes behind the model's back can change what it wrote.
subroutine ext_adios2_open_for_update(FileName, SysDepInfo, DataHandle, Status)
    use squall_wrf_calls
    character(*), intent(in) :: FileName, SysDepInfo
    integer, intent(out) :: DataHandle, Status
    DataHandle = 0
    Status = not_supported
end subroutine

subroutine ext_adios2_open_for_read(DatasetName, SysDepInfo, DataHandle, Status)
    use squall_wrf_calls
    character(*), intent(in) :: DatasetName, SysDepInfo
    integer, intent(inout) :: DataHandle
    integer, intent(out) :: Status
    Status = open_for_read('adios2', len('adios2'), DatasetName, len(DatasetName), 1, DataHandle)
end subroutine

subroutine ext_adios2_open_for_read_begin(FileName, SysDepInfo, DataHandle, Status)
    use squall_wrf_calls
    character(*), intent(in) :: FileName, SysDepInfo
    integer, intent(inout) :: DataHandle
    integer, intent(out) :: Status
    Status = open_for_read('adios2', len('adios2'), FileName, len(FileName), 0, DataHandle)
end subroutine

subroutine ext_adios2_write_field(DataHandle, DateStr, Var, Field_, FieldType, DomainDesc, MemoryOrder, Stagger, &
    DimNames, DomainStart, DomainEnd, MemoryStart, MemoryEnd, PatchStart, PatchEnd, Status)
    use squall_wrf_calls
    integer, intent(in) :: DataHandle, FieldType, DomainDesc
    character(*), intent(in) :: DateStr, Var, MemoryOrder, Stagger, DimNames(*)
    type(*) :: Field_(*)
    integer, intent(in) :: DomainStart(*), DomainEnd(*), MemoryStart(*), MemoryEnd(*), PatchStart(*), PatchEnd(*)
    integer, intent(out) :: Status
    Status = field(1, DataHandle, DateStr, len(DateStr), Var, len(Var), Field_, FieldType, MemoryOrder, len(MemoryOrder), &
                   DimNames, len(DimNames), DomainStart, DomainEnd, MemoryStart, MemoryEnd, PatchStart, PatchEnd)
end subroutine

subroutine ext_adios2_read_field(DataHandle, DateStr, Var, Field_, FieldType, DomainDesc, MemoryOrder, Stagger, &
    DimNames, DomainStart, DomainEnd, MemoryStart, MemoryEnd, PatchStart, PatchEnd, Status)
    use squall_wrf_calls
    integer, intent(in) :: DataHandle, FieldType, DomainDesc
    character(*), intent(in) :: DateStr, Var, MemoryOrder, Stagger, DimNames(*)
    type(*) :: Field_(*)
    integer, intent(in) :: DomainStart(*), DomainEnd(*), MemoryStart(*), MemoryEnd(*), PatchStart(*), PatchEnd(*)
    integer, intent(out) :: Status
    Status = field(0, DataHandle, DateStr, len(DateStr), Var, len(Var), Field_, FieldType, MemoryOrder, len(MemoryOrder), &
                   DimNames, len(DimNames), DomainStart, DomainEnd, MemoryStart, MemoryEnd, PatchStart, PatchEnd)
end subroutine

subroutine ext_adios2_start_io_timestep(DataHandle, Status)
    use squall_wrf_calls
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
