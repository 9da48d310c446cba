"""Recipes for containers and Spack: they call what sets Squall up, and name what there is."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import PurePath

import pytest
from packaging.version import Version

from squall import doctor, extras, grib_library, locate, needed

pytestmark = pytest.mark.regression

PACKAGING = locate.CHECKOUT / "packaging"
RECIPE = PACKAGING / "spack" / "packages" / "squall" / "package.py"
BOOTSTRAP = (locate.CHECKOUT / "tools" / "bootstrap").read_text()


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
    tables = re.findall(r"^\w+_(?:needs|wants)='\n(.*?)^'$", BOOTSTRAP, re.M | re.S)
    needs = [line.split("|") for table in tables for line in table.splitlines()]
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


def of_the_wheel():
    """The two recipes of containers of the wheel: for OCI, and for Apptainer by section."""
    oci = (PACKAGING / "wheel" / "Containerfile").read_text()
    sections = re.split(r"^%(\w+)\n", (PACKAGING / "wheel" / "squall.def").read_text(), flags=re.M)
    lines = [[line.strip() for line in part.splitlines() if line.strip()] for part in sections[2::2]]
    return oci, sections[0], dict(zip(sections[1::2], lines, strict=True))


def test_containers_of_the_wheel_ask_for_python_as_the_list_of_needs_has_it():
    oci, _, apptainer = of_the_wheel()
    packages = f'packages="{" ".join(needed.systems()["python"].debian)}"'
    assert f"\nARG {packages}\n" in oci
    assert packages in apptainer["post"]
    needs = {package.name for package in needed.packages().values() if "wheel" in package.of}
    assert needs == {"mpich"}  # which pip brings: no MPI of Debian's
    assert not re.search(r"libmpi|mpich|openmpi|gcc|build-essential", oci + str(apptainer))


def test_containers_of_the_wheel_are_made_by_the_same_steps():
    oci, head, apptainer = of_the_wheel()
    steps = re.findall(r"^RUN (.*)$", oci, re.M)
    assert len(steps) == 3
    assert [line for line in apptainer["post"] if not line.startswith(("#", "packages="))] == steps
    base = re.search(r"^FROM (.*)$", oci, re.M)[1]
    assert re.search(r"^From: (.*)$", head, re.M)[1] == base
    assert f"FROM {base}\n" in (PACKAGING / "Dockerfile").read_text()
    wheel = "squall-*-manylinux_*.whl"
    assert re.search(r"^COPY (.*)$", oci, re.M)[1] == f"{wheel} /wheel/"
    assert apptainer["files"] == [f"dist/{wheel} /wheel/"]
    assert re.search(r"^ENV (.*)$", oci, re.M)[1] == apptainer["environment"][0].removeprefix("export ")
    assert re.search(r"^ENTRYPOINT (.*)$", oci, re.M)[1] == '["squall"]'
    assert apptainer["runscript"] == ['exec squall "$@"']


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


def requirements(extra=""):
    """What pyproject.toml asks for: of an extra, or without any."""
    project = tomllib.loads((locate.CHECKOUT / "pyproject.toml").read_text())["project"]
    listed = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return {re.split(r"[<>=\[]", need)[0]: need for need in listed}


def test_pip_install_gives_pure_python_and_needs_no_compiler(tmp_path):
    """`pip install '.[analysis]'`: an extra cannot say what is built, so nothing is, unless asked for."""
    (tmp_path / "bin").mkdir()
    wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*wheel, "-w", tmp_path, locate.CHECKOUT],
        env={"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}, check=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        metadata = packed.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    assert "squall/plot/draw.py" in names
    assert {PurePath(name).parts[0] for name in names} == {"squall", PurePath(metadata_folder(names)).name}
    page = "squall/watch/static/"
    ours = [name for name in names if name.startswith("squall/") and not name.startswith(page)]
    assert all(name.endswith((".py", "py.typed", ".toml", ".tsv")) for name in ours)
    assert {page + "index.html", page + "page.js", page + "style.css"} <= set(names)
    assert 'Requires-Dist: matplotlib>=3.8; extra == "analysis"' in metadata.replace("'", '"')


def metadata_folder(names):
    return next(name.partition("/")[0] for name in names if ".dist-info/" in name)


def test_programs_are_built_where_pip_is_asked_to():
    asked = "--config-settings=wheel.cmake=true"
    assert asked in (PACKAGING / "install").read_text()
    assert asked in (locate.CHECKOUT / "docs/how-to/install.md").read_text()


def test_a_package_of_an_extra_that_is_not_there_is_named_with_the_extra(tmp_path):
    for lacking, command in (("pyproj", "plot"), ("uvicorn", "watch"), ("matplotlib", "report")):
        (tmp_path / "namelist.input").write_text("&time_control\n/\n")
        code = f"import sys; sys.modules[{lacking!r}] = None; from squall.cli import main; main()"
        said = subprocess.run(
            [sys.executable, "-c", code, command, "namelist.input"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert said.returncode == 2, said.stderr
        assert f"package {lacking} is not installed" in said.stderr
        assert f"pip install '.[{extras.EXTRA[lacking]}]'" in said.stderr
        assert "Traceback" not in said.stderr


@pytest.fixture
def without_ecCodes(tmp_path):
    """Runs a command where the package eccodes is installed, but its library is not."""
    (tmp_path / "eccodes.py").write_text('raise RuntimeError("Cannot find the ecCodes library")')

    def run(*words):
        said = subprocess.run(
            [sys.executable, "-c", "from squall.cli import main; main()", *words],
            cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path), "COLUMNS": "200"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "Traceback" not in said.stderr
        return said

    return run


def test_a_package_eccodes_without_its_library_is_told(without_ecCodes, tmp_path):
    (tmp_path / "analysis.grb2").write_bytes(b"GRIB")
    said = without_ecCodes("prepare", "analysis.grb2", "-o", "here")
    assert said.returncode == 2, said.stderr
    told = " ".join(said.stderr.split())
    assert "GRIB files cannot be read: the Python package eccodes is installed without the library" in told
    assert grib_library.ADVICE in told


def test_doctor_tries_the_library_behind_eccodes(without_ecCodes):
    """It called the package ok, by its version alone, where no GRIB file could be read."""
    told = " ".join(without_ecCodes("doctor").stdout.split())
    assert re.search(r"optional +eccodes +2\.\S+, without the library ecCodes", told), told
    assert f"For GRIB files: {grib_library.ADVICE}" in told
    found = next(one for one in doctor.examine() if one.what == "eccodes")
    assert found.state == "ok"
    assert re.fullmatch(r"2\.\S+, with the library ecCodes 2\.\d+\.\d+", found.found)


def test_the_library_of_the_wheel_is_where_eccodes_looks(monkeypatch, tmp_path):
    brought = tmp_path / "lib" / "squall" / "eccodes"
    brought.mkdir(parents=True)
    monkeypatch.setattr(grib_library.sys, "prefix", str(tmp_path))
    monkeypatch.delenv("ECCODES_DIR", raising=False)
    monkeypatch.setattr(grib_library.importlib, "import_module", lambda name: None)
    grib_library.load()
    assert os.environ["ECCODES_DIR"] == str(brought)
    monkeypatch.setenv("ECCODES_DIR", "/opt/eccodes")  # a cluster's module
    grib_library.load()
    assert os.environ["ECCODES_DIR"] == "/opt/eccodes"


def test_modules_of_extras_come_with_the_extra_that_is_named():
    of = {"mpl_toolkits": "basemap-data", "PIL": "pillow"}
    for module, extra in extras.EXTRA.items():
        assert of.get(module, module) in requirements(extra)
        assert of.get(module, module) not in requirements()
    assert {"squall"} == set(requirements("all"))


def test_the_module_file_is_one_that_both_kinds_of_modules_read():
    """Lmod and Environment Modules read Tcl; a module file in Lua only Lmod does."""
    lines = (PACKAGING / "module" / "squall.in").read_text().splitlines()
    assert lines[0].startswith("#%Module")
    prepended = dict(line.split()[1:] for line in lines if line.startswith("prepend-path"))
    assert prepended["PATH"] == "{@PREFIX@/bin}"
    script = (locate.CHECKOUT / "tools" / "install").read_text()
    for word in set(re.findall(r"@(\w+)@", "\n".join(lines))):
        assert f"s|@{word}@|" in script
    assert "modulefiles/squall/$version" in script


def test_recipes_and_the_citation_are_of_the_last_release():
    told = re.search(r"^## ([\d.]+) \((.*)\)$", (locate.CHECKOUT / "CHANGELOG.md").read_text(), re.M)
    version, date = told.groups()
    (easyconfig,) = (PACKAGING / "easybuild").glob("*.eb")
    assert easyconfig.name.startswith(f"Squall-{version}-")
    assert f"version = '{version}'" in easyconfig.read_text()
    ast.parse(easyconfig.read_text())
    citation = (locate.CHECKOUT / "CITATION.cff").read_text()
    assert f"\nversion: {version}\ndate-released: {date}\n" in citation
    conda = (PACKAGING / "conda" / "recipe.yaml").read_text()
    assert f'\n  version: "{version}"\n' in conda
    (sha256,) = re.findall(r'sha256: "([0-9a-f]{64})"', conda)
    assert f"checksums = ['{sha256}']" in easyconfig.read_text()
    assert f'version("{version}", sha256="{sha256}")' in RECIPE.read_text()
    sources = (locate.CHECKOUT / "CMakeLists.txt").read_text()
    of_sources = re.search(r"project\(squall VERSION ([\d.]+)", sources)[1]
    assert Version(of_sources) >= Version(version)


def test_recipes_can_be_looked_at_with_their_own_tools():
    """`make recipes`: it found recipes for EasyBuild asking for versions that there are not."""
    script = locate.CHECKOUT / "tools" / "check-recipes"
    subprocess.run(["bash", "-n", script], check=True)
    for path in re.findall(r"(?:packaging|\.github)/[\w./-]+\w", script.read_text()):
        assert (locate.CHECKOUT / path).exists(), path
    for path in ("CITATION.cff", "packaging/easybuild", ".github/ISSUE_TEMPLATE/bug.yml"):
        assert path in script.read_text()


def test_engines_that_recipes_name_are_there():
    engines = {
        path.name.replace("_", "-")
        for path in (locate.CHECKOUT / "io/src/engines").iterdir()
        if path.is_dir()
    }
    named = re.findall(r'description="Engines? ([\w-]+(?: and [\w-]+)*)"', RECIPE.read_text())
    assert named
    for names in named:
        assert set(names.split(" and ")) <= engines, names


def test_what_an_installation_needs_is_written_by_the_script(tmp_path):
    subprocess.run(["bash", "-n", locate.CHECKOUT / "tools" / "install"], check=True)
    told = subprocess.run(
        ["make", "-n", "install", f"PREFIX={tmp_path}"], cwd=locate.CHECKOUT, capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip
    assert told.count("cmake --build") == 1
    assert f"tools/install build/release {tmp_path}" in told
    refused = subprocess.run(
        ["make", "-n", "install"], cwd=locate.CHECKOUT, capture_output=True, text=True, check=False
    )
    assert refused.returncode != 0
    assert "make install PREFIX=" in refused.stderr


def test_the_readme_says_what_the_physics_is_not_as_long_as_it_is_not():
    from squall.run_files import schema

    physics = schema.load().table("physics").keys
    told = " ".join([*physics, *(key.meaning for key in physics.values())])
    readme = (locate.CHECKOUT / "README.md").read_text()
    for word, key in (("radiation", "radiation"), ("cumulus", "cumulus"), ("soil", "soil with water")):
        assert (f"no {word}" in readme) == (key not in told), word


def test_the_recipe_builds_the_checkout_it_lies_in():
    assert RECIPE.resolve().parents[4] == locate.CHECKOUT
