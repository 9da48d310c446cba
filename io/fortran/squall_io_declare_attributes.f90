!> Attributes of fields and files, for module squall_io_declare.
submodule(squall_io_declare) squall_io_declare_attributes
    implicit none

contains

    !> attribute(name, value [, field]) adds an attribute to a declared field, or without `field` to the
    !> whole file: a text, a number, or a list of numbers.
    module subroutine attribute_text(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name, value
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_text(self%handle, owner_of(owner, field), c_text(name), &
                                                      c_text(value)))
    end subroutine attribute_text

    module subroutine attribute_ints(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer(int32), intent(in) :: value(:)
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_int(self%handle, owner_of(owner, field), c_text(name), &
                                                     size(value, kind=c_int), value))
    end subroutine attribute_ints

    module subroutine attribute_reals32(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real32), intent(in) :: value(:)
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_float(self%handle, owner_of(owner, field), c_text(name), &
                                                       size(value, kind=c_int), value))
    end subroutine attribute_reals32

    module subroutine attribute_reals64(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real64), intent(in) :: value(:)
        character(*), intent(in), optional :: field
        character(:, kind=c_char), allocatable, target :: owner
        call keep(self, squall_io_spec_attribute_double(self%handle, owner_of(owner, field), c_text(name), &
                                                        size(value, kind=c_int), value))
    end subroutine attribute_reals64

    module subroutine attribute_int(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        integer(int32), intent(in) :: value
        character(*), intent(in), optional :: field
        call self%attribute_ints(name, [value], field)
    end subroutine attribute_int

    module subroutine attribute_real32(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real32), intent(in) :: value
        character(*), intent(in), optional :: field
        call self%attribute_reals32(name, [value], field)
    end subroutine attribute_real32

    module subroutine attribute_real64(self, name, value, field)
        class(squall_stream_spec), intent(inout) :: self
        character(*), intent(in) :: name
        real(real64), intent(in) :: value
        character(*), intent(in), optional :: field
        call self%attribute_reals64(name, [value], field)
    end subroutine attribute_real64

end submodule squall_io_declare_attributes
