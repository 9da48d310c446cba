"""What a nest and its parent tell each other after every step, they tell from memory that they keep."""

import pytest

from squall import locate
from squall.errors import UserError
from squall.profile import allocations
from test_nests import NEST, STORM, run

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
    locate.allocations_library()
except UserError:
    pytest.skip(
        "squall-model and the library that counts are not built (make build)", allow_module_level=True
    )

#: The same without output, but where it begins.
QUIET = STORM.partition("[output.history]")[0] + '[output.history]\ninterval = "1 h"\n' + NEST
BLOCK = 512  # bytes: of lists of ten variables and more, and of any field
#: A step with a nest took 7 to 9 when these lists were made anew; status.json takes 20 a second.
FEW = 5


def blocks(folder, monkeypatch, settings, steps):
    """How many of at least a size are allocated in a run of so many steps of the parent."""
    folder.mkdir()
    for name, value in allocations.environment(folder).items():
        monkeypatch.setenv(name, value)
    done = run(folder, QUIET + settings, "--set", f"run.duration={12 * steps} s", "--threads", "1")
    assert done.returncode == 0, done.stderr
    [counted] = allocations.read(folder, locate.model_binary().name, BLOCK)
    return counted.allocations


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param("", id="plain"),
        pytest.param('smoothing = "smooth-desmooth"\n', id="smoothed"),
        pytest.param("nz = 32\n", id="on levels of its own"),
        pytest.param('follow = "updraught"\nfollow_interval = "12 s"\nfollow_margin = 5\n', id="following"),
    ],
)
def test_further_steps_with_a_nest_allocate_no_lists_and_fields(tmp_path, monkeypatch, settings):
    few, many = (blocks(tmp_path / str(steps), monkeypatch, settings, steps) for steps in (5, 45))
    assert (many - few) / 40 < FEW
