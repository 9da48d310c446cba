"""Recipes for containers and Spack: they call what sets Squall up, and name what there is."""

import ast
import re
import subprocess

import pytest

from squall import locate

PACKAGING = locate.CHECKOUT / "packaging"
RECIPE = PACKAGING / "spack" / "packages" / "squall" / "package.py"
BOOTSTRAP = (locate.CHECKOUT / "tools" / "bootstrap").read_text()

# What tools/bootstrap asks for, and Spack's package of it; None: comes with another or with Spack.
SPACK_NAMES = {
    "CMake": "cmake", "Ninja": "ninja", "pkg-config": "pkgconfig", "MPI": "mpi", "netCDF for C": "netcdf-c",
    "zstd": "zstd", "JSON": "nlohmann-json", "toml++": "tomlplusplus", "CLI11": "cli11", "spdlog": "spdlog",
    "fmt": "fmt", "GoogleTest": "googletest", "PnetCDF": "parallel-netcdf", "a C++20 compiler": "cxx",
    "parallel netCDF": "netcdf-c", "a Fortran compiler": "fortran", "Blosc": "c-blosc", "ssh": None,
    "ncdump": None,
}  # fmt: skip


@pytest.mark.parametrize("name", ["Dockerfile", "squall.def"])
def test_containers_install_with_the_one_script(name):
    text = (PACKAGING / name).read_text()
    assert "/src/packaging/install /opt/squall" in text
    assert "apt-get" not in text  # that is tools/bootstrap's
    assert "/opt/squall/bin:$PATH" in text


def test_the_script_calls_what_sets_up_a_checkout():
    script = (PACKAGING / "install").read_text()
    subprocess.run(["bash", "-n", PACKAGING / "install"], check=True)
    called = re.findall(r"^tools/bootstrap (\w+)$", script, re.M)
    assert called == ["build", "python"]
    known = re.search(r"usage: tools/bootstrap ([\w|]+)", BOOTSTRAP)[1].split("|")
    assert set(called) <= set(known)
    for tool in re.findall(r"tools/[\w-]+", script):
        assert (locate.CHECKOUT / tool).is_file()


def test_a_need_is_what_it_is_a_check_and_debian_packages():
    tables = re.findall(r'^\w+_(?:needs|wants)="(.*?)"$', BOOTSTRAP, re.M | re.S)
    needs = [line.split("|") for table in tables for line in table.splitlines()[1:]]
    assert len(needs) > 20
    for need in needs:
        what, check, debian = need  # no | within a check
        assert re.fullmatch(r"[a-z0-9][a-z0-9+. -]+", debian), what
        functions = re.findall(r"(?:^|&& )(\w+)", check)
        assert all(re.search(rf"^{name}\(\) \{{", BOOTSTRAP, re.M) for name in functions), check


def test_both_containers_begin_from_the_same_system():
    docker = re.search(r"^FROM (.*)$", (PACKAGING / "Dockerfile").read_text(), re.M)[1]
    apptainer = re.search(r"^From: (.*)$", (PACKAGING / "squall.def").read_text(), re.M)[1]
    assert docker == apptainer


def calls(name):
    """The constant first arguments of calls of a function in the Spack recipe."""
    tree = ast.parse(RECIPE.read_text())
    return [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) == name
        and node.args
    ]


def test_the_spack_recipe_asks_for_what_the_build_asks_for():
    wanted = re.findall(r"^([^|\n$\"]+)\|[^|\n]+\|[^|\n]+$", BOOTSTRAP, re.M)
    wanted = [what for what in wanted if not what.startswith(("Python", "UCX", "flock", "#"))]
    assert len(wanted) > 14
    asked = {re.split(r"[@+~]", name)[0] for name in calls("depends_on")}
    for what in wanted:
        (name,) = {found for begin, found in SPACK_NAMES.items() if what.startswith(begin)}
        assert name is None or name in asked, what


def test_the_spack_recipe_sets_options_and_variants_that_exist():
    options = re.findall(r"^option\((\w+)", (locate.CHECKOUT / "CMakeLists.txt").read_text(), re.M)
    assert {*calls("define"), *calls("define_from_variant")} <= set(options)
    text = RECIPE.read_text()
    used = set(re.findall(r'when="[+~](\w+)"', text)) | set(
        re.findall(r'define_from_variant\("\w+", "(\w+)"', text)
    )
    assert used <= set(calls("variant"))
    documented = re.search(
        r"spack install squall (.*)", (locate.CHECKOUT / "docs/how-to/install.md").read_text()
    )
    assert set(re.findall(r"[+~](\w+)", documented[1])) <= set(calls("variant"))


def test_the_recipe_builds_the_checkout_it_lies_in():
    assert RECIPE.resolve().parents[4] == locate.CHECKOUT
