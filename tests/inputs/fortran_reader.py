"""Reads a namelist by a Fortran program, as WRF reads its own: each group from the beginning of the file on.
One that is not there, or has no end, is left as it is."""

import shutil
import subprocess
from dataclasses import dataclass

import pytest

#: Elements of an array; one that is not given stays what no namelist says.
LENGTH = 101
_KINDS = {
    int: ("integer", "-987654321"),
    float: ("double precision", "-987654321d0"),
    bool: ("integer(1)", ""),  # not used: logicals have no third value
    str: ("character(len=256)", "'not given'"),
}


@dataclass(frozen=True)
class Key:
    """A variable of a group; an array unless `single`. Of logicals those that are not given are false."""

    group: str
    name: str
    kind: type
    single: bool = False

    def declared(self):
        shape = "" if self.single else f"({LENGTH})"
        if self.kind is bool:
            return f"logical :: {self.name}{shape} = .false."
        kind, default = _KINDS[self.kind]
        return f"{kind} :: {self.name}{shape} = {default}"

    def printed(self):
        if self.single:
            return f"call told('{self.name}', 1, '{self.kind.__name__}', {self._as_text(self.name)})"
        element = self._as_text(f"{self.name}(i)")
        return f"do i = 1, {LENGTH}; call told('{self.name}', i, '{self.kind.__name__}', {element}); end do"

    def _as_text(self, variable):
        return {int: "of_int", float: "of_real", bool: "of_logical", str: ""}[self.kind] + f"({variable})"


def compile_reader(folder, keys):
    """A program that reads them; its argument is the file. Skips where there is no compiler."""
    compiler = shutil.which("gfortran")
    if compiler is None:
        pytest.skip("needs gfortran, which is not here")
    groups = list(dict.fromkeys(key.group for key in keys))
    body = "\n".join(f" {key.declared()}" for key in keys)
    for group in groups:
        names = [key.name for key in keys if key.group == group]
        body += f"\n namelist /{group}/ {names[0]}" + "".join(f", &\n  {name}" for name in names[1:])
    reads = "\n".join(
        f" rewind(10); message = ' '\n read(10, nml={group}, iostat=state, iomsg=message)\n"
        f" if (state > 0) then; print '(3a)', 'REFUSED {group}: ', trim(message); stop; end if"
        for group in groups
    )
    prints = "\n".join(
        f" print '(a)', 'GROUP {group}'\n"
        + "\n".join(f" {key.printed()}" for key in keys if key.group == group)
        for group in groups
    )
    source = folder / "reader.f90"
    source.write_text(_PROGRAM.format(body=body, reads=reads, prints=prints))
    program = folder / "reader"
    subprocess.run(
        [compiler, "-O0", "-ffree-line-length-none", "-o", program, source], check=True, cwd=folder
    )
    return program


_PROGRAM = """\
program reader
 implicit none
 integer :: i, state
 character(len=1024) :: file, message
{body}
 call get_command_argument(1, file)
 open(10, file=trim(file), form='formatted', status='old')
{reads}
{prints}
contains
 function of_int(x) result(text)
  integer, intent(in) :: x
  character(len=256) :: text
  write(text, '(i0)') x
 end function
 function of_real(x) result(text)
  double precision, intent(in) :: x
  character(len=256) :: text
  write(text, '(es25.16e3)') x
 end function
 function of_logical(x) result(text)
  logical, intent(in) :: x
  character(len=256) :: text
  text = merge('T', 'F', x)
 end function
 subroutine told(name, place, kind, text)
  character(len=*), intent(in) :: name, kind, text
  integer, intent(in) :: place
  character(len=256) :: trimmed
  trimmed = adjustl(text)
  if (trimmed == 'not given' .or. trimmed == '-987654321' .or. trimmed == '-9.8765432100000000E+008') return
  if (kind == 'bool' .and. trimmed == 'F') return
  print '(a, a, i0, 4a)', name, char(9), place, char(9), kind, char(9), trim(trimmed)
 end subroutine
end program
"""
_READ = {"int": int, "float": float, "bool": lambda text: text == "T", "str": str}


def read(program, file):
    """{"group.key": {place: value}} of what is given, logicals where they are true; None: refused."""
    said = subprocess.run([program, file], capture_output=True, text=True, check=True).stdout
    if "REFUSED" in said:
        return None
    found, group = {}, ""
    for line in said.splitlines():
        if line.startswith("GROUP "):
            group = line.removeprefix("GROUP ")
            continue
        name, place, kind, text = line.split("\t")
        found.setdefault(f"{group}.{name}", {})[int(place)] = _READ[kind](text)
    return found


def ours(namelist):
    """The same of what Squall reads."""
    found = {
        name: {
            place: value
            for place, value in enumerate(namelist.columns(name), 1)
            if value is not None and value is not False
        }
        for name in namelist.names
    }
    return {name: values for name, values in found.items() if values}
