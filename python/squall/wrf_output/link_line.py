"""The command that links a program of WRF, with Squall's library in place of the archives of layers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from squall.errors import UserError
from squall.wrf_output.layers import Layer, of_archive


@dataclass(frozen=True)
class LinkLine:
    """`words`: of a command that runs in `folder`."""

    folder: Path
    words: Sequence[str]

    def archives(self) -> dict[Layer, Path]:
        """The archives of layers that are linked, and where they lie."""
        found = {}
        for word in self.words:
            layer = _layer(word)
            if layer is not None and layer not in found:
                found[layer] = self._file(word)
        return found

    def inputs(self, without: Collection[Layer]) -> list[Path]:
        """The object files and archives of WRF that are linked, but for the archives of these layers."""
        files = [self._file(word) for word in self.words if _is_input(word) and _layer(word) not in without]
        return list(dict.fromkeys(path for path in files if path.is_file() and path.suffix in (".o", ".a")))

    def replaced(self, layers: Collection[Layer], library: Path, output: str) -> list[str]:
        """Without the archives of these layers, and with the library. It comes after the archives of layers
        that stay, whose names it has, too, and else where the first one was."""
        words, place = [], 0
        for number, word in enumerate(self.words):
            layer = _layer(word)
            following = (*self.words[number + 1 : number + 2], "")[0]
            if word.startswith("-L") and following.startswith("-l") and _layer(following) in layers:
                continue  # the folder of the archive alone
            if layer is None:
                words.append(word)
            elif layer in layers:
                place = place or len(words)
            else:
                words.append(word)
                place = len(words)
        folder = library.parent
        words[place:place] = [f"-L{folder}", "-lsquall_wrf", f"-Wl,-rpath,{folder}"]
        return _named(words, output)

    def _file(self, word: str) -> Path:
        if not word.startswith("-l"):
            return self.folder / word
        name = f"lib{word[2:]}.a"
        folders = [
            self.folder / other[2:] for other in self.words if other.startswith("-L") and other != "-L"
        ]
        return next((path for folder in folders if (path := folder / name).is_file()), self.folder / name)


def _is_input(word: str) -> bool:
    return word.startswith("-l") or (not word.startswith("-") and word.endswith((".o", ".a")))


def _layer(word: str) -> Layer | None:
    if word.startswith("-l"):
        return of_archive(word[2:])
    name = Path(word).name
    return of_archive(name[3:-2]) if name.startswith("lib") and name.endswith(".a") else None


def _named(words: list[str], output: str) -> list[str]:
    if "-o" not in words[:-1]:
        raise UserError("The command that links the program names no output (-o); it cannot be changed.")
    words[words.index("-o") + 1] = output
    return words
