"""Setting up a checkout: what `make` installs and builds, and that a build looks again."""

import os
import pty
import re
import shutil
import subprocess

import pytest

from squall import doctor, needed
from squall.locate import CHECKOUT


def installed_with_the_build():
    build = [system for system in needed.systems().values() if "build" in system.set_ups]
    return {package for system in build for package in system.debian}


def test_the_set_up_brings_every_library_that_an_engine_asks_for_and_fortran():
    texts = [path.read_text() for path in (CHECKOUT / "io" / "src" / "engines").glob("*/CMakeLists.txt")]
    asked = {word for text in texts for word in re.findall(r"\blib\w[\w.-]*-dev\b", text)}
    assert {"libblosc-dev", "libpnetcdf-dev"} <= asked
    assert asked | {"gfortran"} <= installed_with_the_build()


def test_doctor_asks_for_what_the_set_up_brings():
    """After `make demo` on a fresh machine doctor missed libnetcdf-dev, in place of which there is the
    parallel one."""
    asked = [*doctor._build_tools(), *doctor._libraries()]
    named = {package for finding in asked for package in finding.debian.split()}
    assert installed_with_the_build() - named == {"libopenmpi-dev", "openmpi-bin", "openssh-client"}
    assert "libnetcdf-mpi-dev" in named <= installed_with_the_build()


def test_the_demo_builds_every_program_that_a_command_starts():
    sources = [path.read_text() for path in (CHECKOUT / "python" / "squall").rglob("*.py")]
    started = {name for text in sources for name in re.findall(r'"(squall-[a-z-]+)"', text)}
    started -= {path.stem for path in (CHECKOUT / "run-files").glob("*.toml")}
    lists = (CHECKOUT / "CMakeLists.txt").read_text()
    built = re.findall(r"add_(?:custom_target|dependencies)\(programs (?:DEPENDS )?(.*?)\)", lists, re.S)
    assert {"squall-model", "squall-io"} <= started <= set(" ".join(built).split())
    told = subprocess.run(["make", "-n", "demo"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    first, made, last = (
        told.stdout.index(w) for w in ("--target forecast", "tools/demo", "--target programs")
    )
    assert first < made < last


@pytest.fixture
def checkout(tmp_path):
    """A small checkout whose build wants Fortran, and a machine where $FC is not there yet."""
    shutil.copytree(CHECKOUT / "tools", tmp_path / "tools")
    (tmp_path / "CMakePresets.json").write_text(
        '{"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja",'
        ' "binaryDir": "${sourceDir}/build/${presetName}"}]}'
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(small LANGUAGES NONE)\n"
        "find_program(CMAKE_Fortran_COMPILER $ENV{FC})\n"  # as check_language() keeps what it found
        'message(NOTICE "Fortran: ${CMAKE_Fortran_COMPILER}")\n'
    )
    compiler = tmp_path / "fc"

    def configure():
        # A machine of which the set-up can change nothing: what is missing stays so.
        return subprocess.run(
            ["tools/configure", "release", "build/release"],
            cwd=tmp_path, capture_output=True, text=True, check=True,
            env=os.environ | {"FC": str(compiler), "PATH": f"{tmp_path}/no:{os.environ['PATH']}"},
        ).stderr  # fmt: skip

    (tmp_path / "no").mkdir()
    refusing = tmp_path / "no" / "apt-get"
    refusing.write_text("#!/bin/sh\nexit 100\n")
    refusing.chmod(0o755)
    return configure, compiler


def test_a_build_finds_a_compiler_that_came_after_it_was_configured(checkout):
    configure, compiler = checkout
    assert "NOTFOUND" in configure()
    assert configure() == ""  # nothing has changed
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    assert f"Fortran: {compiler}" in configure()
    assert configure() == ""


def test_a_build_turns_to_an_adios2_that_was_built_anew(checkout, tmp_path):
    """Where the recipe mends something, who has built before would have gone on with the old one."""
    configure, _ = checkout
    recipe = tmp_path / "tools" / "adios2"
    with (tmp_path / "CMakeLists.txt").open("a") as lists:
        lists.write(
            f"execute_process(COMMAND {recipe} OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE)\n"
            "find_path(adios2_DIR adios2-config.cmake PATHS ${prefix}/lib NO_DEFAULT_PATH)\n"
            'message(NOTICE "ADIOS2: ${adios2_DIR}")\n'
        )
    for build in "00c0ffee", "11c0ffee":
        prefix = tmp_path / "cache" / f"adios2-2.12.1.1001-{build}"
        (prefix / "lib").mkdir(parents=True)
        (prefix / "lib" / "adios2-config.cmake").touch()
        recipe.write_text(f"#!/bin/sh\necho {prefix}\n")
        assert f"ADIOS2: {prefix}/lib" in configure()


def test_a_build_goes_on_without_what_it_can_do_without_and_says_so(checkout, tmp_path):
    _, compiler = checkout
    said = subprocess.run(
        [tmp_path / "tools" / "bootstrap", "build"], capture_output=True, text=True, check=False,
        env=os.environ | {"FC": str(compiler), "PATH": f"{tmp_path}/no:{os.environ['PATH']}"},
    )  # fmt: skip
    assert said.returncode == 0
    assert "goes on without:\n  - Fortran compiler" in said.stdout
    assert "sudo apt-get install gfortran" in said.stdout


@pytest.mark.parametrize("answer", ["y", "n", None])
def test_packages_of_the_system_are_named_and_on_a_terminal_asked_for_first(checkout, tmp_path, answer):
    _, compiler = checkout
    apt = tmp_path / "no" / "apt-get"
    apt.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/installed\n')
    (tmp_path / "no" / "sudo").write_text("#!/bin/sh\n")
    for program in ("apt-get", "sudo"):
        (tmp_path / "no" / program).chmod(0o755)
    environment = os.environ | {"FC": str(compiler), "PATH": f"{tmp_path}/no:{os.environ['PATH']}"}
    own, terminal = pty.openpty()
    if answer is not None:
        os.write(own, f"{answer}\n".encode())
    with os.fdopen(own), subprocess.Popen(
        [tmp_path / "tools" / "bootstrap", "build"], env=environment,
        stdin=subprocess.DEVNULL if answer is None else terminal,
        stdout=subprocess.PIPE if answer is None else terminal, stderr=subprocess.STDOUT,
    ) as started:  # fmt: skip
        os.close(terminal)
        said = started.stdout.read() if answer is None else b"".join(iter(lambda: read(own), b""))
    assert b"Missing here:" in said
    assert b"gfortran" in said
    assert (b"Install them now?" in said) == (answer is not None)
    installed = (tmp_path / "installed").read_text() if (tmp_path / "installed").exists() else ""
    assert ("gfortran" in installed) == (answer != "n")


def read(terminal):
    """What a program wrote to its terminal, nothing once it has ended."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
