"""The forms of the model's steps: where Squall came as a wheel there is one for each of several types of
processors, of which the system's loader takes the newest that fits (ld.so(8), glibc-hwcaps)."""

from dataclasses import dataclass
from pathlib import Path

from squall import mpi
from squall.errors import UserError

_STEPS = "libsquall_steps"
#: What the oldest form asks for, in words.
NEEDED = "a processor with AVX2 and FMA (x86-64-v3, since 2013)"


@dataclass(frozen=True)
class Forms:
    """The types of processors that there are forms for, and the one whose form is taken here: None where this
    processor is older than all of them."""

    there: list[str]
    taken: str | None


def of(model: Path) -> Forms | None:
    """The forms of a squall-model. None: it was compiled for one type of processors, and has none."""
    folder = model.resolve().parents[1] / "lib" / "glibc-hwcaps"
    if not list(folder.glob(f"*/{_STEPS}*")):
        return None
    found = mpi.libraries(model)
    steps = next((where for name, where in found.items() if name.startswith(_STEPS)), None)
    return Forms(sorted(form.name for form in folder.iterdir()), steps.parent.name if steps else None)


def require(model: Path) -> None:
    """Raises UserError if no form of this model fits this machine's processor."""
    forms = of(model)
    if forms and not forms.taken:
        raise UserError(
            f"The wheel's model needs {NEEDED}, which this machine's is not. Build the model on this "
            "machine: make build, in Squall's checkout."
        )
