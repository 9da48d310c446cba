"""Writes what is made of python/squall/needs.toml, between lines `>>> needs: NAME` and `<<< needs`.

`make needs` runs it. With --check it writes nothing, and exits with 1 where a file is not as the list says.
"""

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

from squall import needed  # noqa: E402 (needs nothing but the standard library, and no installation)
from squall.needed import System  # noqa: E402

Parts = dict[str, Callable[[], list[str]]]


def title(system: System) -> str:
    """What people call it, with its versions and what it is for."""
    least = ", ".join(f"{name} {version}" for name, version in system.least.items()) or system.min
    versions = f" ({least} or later)" if least else ""
    return system.what + versions + (f", for {system.use}" if system.use else "")


def question(system: System) -> str:
    """The command of bash that asks for it."""
    if system.check:
        return system.check
    if system.modules:
        return f"library {' '.join(system.modules)}"
    program = f'"${{{system.variable}:-{system.program}}}"' if system.variable else system.program
    return f"at_least {system.min} {program}" if system.min else f"have {program}"


def tables() -> list[str]:
    """Two lists of bash for each set-up: what it needs, and what it can do without."""
    rows: dict[str, list[str]] = {}
    for system in needed.systems().values():
        row = f"{title(system)}|{question(system)}|{' '.join(system.debian)}".replace("'", "'\\''")
        for set_up in system.set_ups:
            rows.setdefault(f"{set_up}_{'wants' if system.use else 'needs'}", []).append(row)
    return [line for name, lines in rows.items() for line in (f"{name}='", *lines, "'")]


def listed(extra: str) -> list[str]:
    """Requirements of an extra, each on a line of TOML."""
    return [
        f'    "{package.requirement}",' + (f" # {package.why}" if package.why else "")
        for package in needed.packages().values()
        if extra in package.of
    ]


def extras() -> list[str]:
    """All of [project.optional-dependencies]."""
    lines = []
    for extra, others in needed.extras().items():
        whole = [f'    "squall[{",".join(others)}]",'] if others else []
        lines += [f"{extra} = [", *whole, *listed(extra), "]"]
    return lines


def python_versions() -> list[str]:
    """Of Python itself."""
    return [f'requires-python = ">={needed.systems()["python"].min}"']


def _texts(entry: str | list[str] | None) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry or ())


def container(before: str) -> list[str]:
    """Debian's packages that a container of the wheel asks for, as a variable of its recipe."""
    return [f'{before}packages="{" ".join(needed.systems()["python"].debian)}"']


def conda() -> list[str]:
    """Requirements of conda's recipe, by section."""
    lines = []
    for section in ("build", "host", "run"):
        lines.append(f"{section}:")
        for system in needed.systems().values():
            texts = _texts(system.conda.get(section))
            lines += ["  - " + text.replace("{min}", system.min) for text in texts]
        for package in needed.packages().values():
            own = package.name if package.of_users and section == "run" else None
            lines += [f"  - {text} {package.versions}" for text in _texts(package.conda.get(section, own))]
    return lines


def imports() -> list[str]:
    """What a package of conda must be able to import: all that users' extras bring."""
    packages = [package for package in needed.packages().values() if package.of_users]
    return ["- squall", *(f"- {module}" for package in packages for module in package.modules)]


def spack() -> list[str]:
    """Dependencies and conflicts of Spack's recipe."""
    lines = [
        f"depends_on({text.replace('{min}', system.min)})"
        for system in needed.systems().values()
        for text in system.spack
    ]
    least = needed.systems()["compiler"].least
    for name, version in least.items():
        said = f"Squall is C++20: {name} {version} or later"
        lines.append(f'conflicts("%{name.lower()}@:{int(version) - 1}", msg="{said}")')
    return lines


def easybuild(section: str) -> list[str]:
    """Dependencies of EasyBuild's recipe. Raises ValueError where a module is asked for in two versions."""
    found: dict[str, str] = {}
    for need in (*needed.systems().values(), *needed.packages().values()):
        if section not in need.easybuild:
            continue
        name, version = need.easybuild[section].split()
        if found.setdefault(name, version) != version:
            raise ValueError(f"needs.toml has {name} of EasyBuild in versions {found[name]} and {version}")
    return [f"('{name}', '{version}')," for name, version in found.items()]


(EASYCONFIG,) = (ROOT / "packaging" / "easybuild").glob("*.eb")
MADE: dict[str, Parts] = {
    "tools/bootstrap": {"tables": tables},
    "pyproject.toml": {
        "build-system": lambda: ["requires = [", *listed("build-system"), "]"],
        "python": python_versions,
        "dependencies": lambda: ["dependencies = [", *listed("squall"), "]"],
        "extras": extras,
    },
    "packaging/wheel/Containerfile": {"packages": lambda: container("ARG ")},
    "packaging/wheel/squall.def": {"packages": lambda: container("")},
    "packaging/conda/recipe.yaml": {"conda": conda, "imports": imports},
    "packaging/spack/packages/squall/package.py": {"spack": spack},
    str(EASYCONFIG.relative_to(ROOT)): {
        "build": lambda: easybuild("build"),
        "run": lambda: easybuild("run"),
    },
}


def filled(text: str, parts: Parts) -> str:
    """The text with its parts anew, indented as they were. Raises ValueError where one has no place."""
    for name, lines in parts.items():
        place = re.compile(rf"^( *)# >>> needs: {name}\n(?:.*\n)*? *# <<< needs$", re.M)
        found = place.search(text)
        if not found:
            raise ValueError(f"no line `# >>> needs: {name}`, or none `# <<< needs` behind it")
        indent = found[1]
        body = [f"# >>> needs: {name}", *lines(), "# <<< needs"]
        text = text[: found.start()] + "\n".join(indent + line for line in body) + text[found.end() :]
    return text


def stale(root: Path = ROOT) -> Iterable[tuple[Path, str]]:
    """Files that are not as the list says, and what they should be."""
    for name, parts in MADE.items():
        path = root / name
        text = path.read_text()
        if (new := filled(text, parts)) != text:
            yield path, new


def main(words: list[str]) -> int:
    found = list(stale())
    for path, text in found:
        print(f"{path.relative_to(ROOT)}: " + ("not as needs.toml says" if "--check" in words else "written"))
        if "--check" not in words:
            path.write_text(text)
    return 1 if found and "--check" in words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
