"""The one list of what Squall needs, python/squall/needs.toml, and what is made of it."""

import ast
import dataclasses
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import needs
from squall import doctor, needed
from squall.locate import CHECKOUT
from squall.needed import Package, System

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
CONDA = yaml.safe_load((CHECKOUT / "packaging" / "conda" / "recipe.yaml").read_text())
SPACK = ast.parse((CHECKOUT / "packaging" / "spack" / "packages" / "squall" / "package.py").read_text())


def easyconfig():
    told = {}
    exec(needs.EASYCONFIG.read_text(), told)  # recipes of EasyBuild are Python
    return told


def requirements(*extras):
    """What pip asks for, of the package and of extras: by name."""
    project = PROJECT["project"]
    listed = [*project["dependencies"]]
    for extra in extras:
        listed += project["optional-dependencies"][extra]
    return {need.name: need for need in map(Requirement, listed) if need.name != "squall"}


def test_what_is_made_of_the_list_is_as_the_list_says():
    made = [str(path.relative_to(CHECKOUT)) for path, _ in needs.stale()]
    assert not made, f"run `make needs`, which writes {', '.join(made)}"


def test_a_need_that_is_added_reaches_every_file(monkeypatch):
    new = System(
        "Newlib",
        ("build",),
        min="2.1",
        program="newlib",
        debian=("libnew-dev",),
        spack=('"newlib@{min}:"',),
        conda={"host": "newlib >={min}"},
        easybuild={"build": "Newlib 2.1"},
    )
    package = Package("newpack", ("watch",), min="1", below="2", modules=("np",))
    python = dataclasses.replace(needed.systems()["python"], debian=("python3", "python3-venv", "libnew"))
    systems, packages = (
        needed.systems() | {"new": new, "python": python},
        needed.packages() | {"newpack": package},
    )
    monkeypatch.setattr(needed, "systems", lambda: systems)
    monkeypatch.setattr(needed, "packages", lambda: packages)
    stale = dict(needs.stale())
    made = {path.name: text for path, text in stale.items()}
    assert "\nNewlib (2.1 or later)|at_least 2.1 newlib|libnew-dev\n" in made["bootstrap"]
    assert '\n    "newpack>=1,<2",\n' in made["pyproject.toml"]
    assert "newlib >=2.1" in yaml.safe_load(made["recipe.yaml"])["requirements"]["host"]
    assert "newpack >=1,<2" in yaml.safe_load(made["recipe.yaml"])["requirements"]["run"]
    assert '    depends_on("newlib@2.1:")\n' in made["package.py"]
    assert "    ('Newlib', '2.1'),\n" in made[needs.EASYCONFIG.name]
    assert 'ARG packages="python3 python3-venv libnew"\n' in made["Containerfile"]
    assert '    packages="python3 python3-venv libnew"\n' in made["squall.def"]
    for path, text in stale.items():
        assert needs.filled(text, needs.MADE[str(path.relative_to(CHECKOUT))]) == text


def test_a_file_that_lost_its_place_is_named():
    with pytest.raises(ValueError, match=r"no line `# >>> needs: tables`"):
        needs.filled("nothing\n", {"tables": list})


def test_a_module_of_easybuild_has_one_version(monkeypatch):
    packages = {
        name: Package(name, ("squall",), easybuild={"run": f"Bundle {version}"})
        for name, version in (("a", "1"), ("b", "2"))
    }
    monkeypatch.setattr(needed, "packages", lambda: packages)
    with pytest.raises(ValueError, match="Bundle of EasyBuild in versions 1 and 2"):
        needs.easybuild("run")


def test_whatever_the_package_imports_is_on_the_list():
    imported = {}
    for path in (CHECKOUT / "python" / "squall").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            else:
                continue
            imported |= {name.partition(".")[0]: path for name in names}
    listed = {
        module
        for package in needed.packages().values()
        if package.of_users or package.use
        for module in package.modules
    }
    known = listed | set(sys.stdlib_module_names) | {"squall"}
    assert {name: path for name, path in imported.items() if name not in known} == {}


def test_conda_s_recipe_asks_for_what_pip_asks_for_with_the_same_bounds():
    """It lacked starlette and uvicorn, so that `squall watch` failed there, and the bound of eccodes."""
    names = {"matplotlib": "matplotlib-base", "eccodes": "python-eccodes", "dask": "dask-core"}
    run = dict(text.partition(" ")[::2] for text in CONDA["requirements"]["run"])
    for name, need in requirements("analysis", "prepare", "watch").items():
        assert SpecifierSet(run[names.get(name, name)]) == need.specifier, name
    assert run["python"] == PROJECT["project"]["requires-python"]
    assert run["python-eccodes"] == ">=2.37,<2.39"


def test_recipes_ask_for_every_library_that_the_build_asks_for():
    called = [
        re.split(r"[@+~]", node.args[0].value)[0]
        for node in ast.walk(SPACK)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "depends_on"
    ]
    in_conda = {text.split()[0] for section in CONDA["requirements"].values() for text in section}
    recipe = easyconfig()
    in_easybuild = {name for name, _ in recipe["builddependencies"] + recipe["dependencies"]}
    build = {key: system for key, system in needed.systems().items() if "build" in system.set_ups}
    assert len(build) > 18
    # ssh comes with the system, and the others are for those who change Squall; one netCDF is both.
    nowhere = {"ssh", "ccache", "ncdump", "parallel-netcdf"}
    by_toolchain = {"compiler", "fortran", "mpi"}
    for name in set(build) - nowhere:
        asked = {re.split(r"[@+~]", ast.literal_eval(text.split(",")[0]))[0] for text in build[name].spack}
        assert set() < asked <= set(called), name
    for name in set(build) - nowhere - {"googletest", "simgrid"}:
        asked = {text.split()[0] for text in build[name].conda.values()}
        assert set() < asked <= in_conda, name
    for name in set(build) - nowhere - by_toolchain - {"googletest", "simgrid"}:
        asked = {text.split()[0] for text in build[name].easybuild.values()}
        assert set() < asked <= in_easybuild, name


def test_versions_that_stand_elsewhere_are_the_list_s():
    cmake, python = needed.systems()["cmake"].min, needed.systems()["python"].min
    assert f"cmake_minimum_required(VERSION {cmake})" in (CHECKOUT / "CMakeLists.txt").read_text()
    major, minor = python.split(".")
    finder = (CHECKOUT / "tools" / "find-python").read_text()
    assert f"sys.version_info < ({major}, {minor})" in finder
    assert f"Python {python} or later" in (CHECKOUT / "docs/how-to/install.md").read_text()
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{major}{minor}"
    builder = needed.packages()["scikit-build-core"]
    assert PROJECT["tool"]["scikit-build"]["minimum-version"] == builder.min
    assert PROJECT["build-system"]["requires"] == [builder.requirement]


def test_a_program_that_is_too_old_is_missing(tmp_path):
    program = tmp_path / "cmake"
    program.write_text("#!/bin/sh\necho cmake version 3.9.6\n")
    program.chmod(0o755)
    bootstrap = (CHECKOUT / "tools" / "bootstrap").read_text()
    function = re.search(r"^at_least\(\) .*?^}$", bootstrap, re.M | re.S)[0]
    for version, code in (("3.25", 1), ("3.9.6", 0), ("3.10", 1), ("3.8", 0)):
        said = subprocess.run(["bash", "-c", f"{function}\nat_least {version} {program}"], check=False)
        assert said.returncode == code, version
    finding = doctor._program(System("CMake", ("build",), min="3.25", program=str(program)))
    assert (finding.state, finding.found) == ("missing", "cmake version 3.9.6: 3.25 or later is needed")


def test_doctor_tells_a_package_that_is_too_new_and_why():
    finding = doctor._package(Package("numpy", ("prepare",), min="1", below="1.1", why="it crashes"))
    assert finding.state == "optional"
    assert finding.found.endswith(", which is not >=1,<1.1 (it crashes)")


def test_doctor_tells_which_extra_brings_what_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor.locate, "CHECKOUT", tmp_path)
    finding = doctor._package(Package("none-such", ("watch",)))
    assert finding.state == "optional"
    assert "pip install '.[watch]'" in finding.advice
    assert doctor._package(Package("none-such", ("squall",))).state == "missing"
    assert doctor._package(Package("none-such", ("dev",), min="4", use="tests")).advice == (
        "For tests: pip install 'none-such>=4'"
    )


def test_in_a_checkout_a_library_is_missing_unless_a_build_can_do_without(monkeypatch, tmp_path):
    library, wanted = (System("X", ("build",), modules=("none-such",), use=use) for use in ("", "an engine"))
    assert [doctor._library(system).state for system in (library, wanted)] == ["missing", "optional"]
    monkeypatch.setattr(doctor.locate, "CHECKOUT", tmp_path)
    assert doctor._library(library).state == "optional"  # an installed model runs without
