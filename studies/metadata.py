"""The version, which is Squall's and stands in its CMakeLists.txt; an sdist has it in its PKG-INFO."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class OfTheSameVersion(MetadataHookInterface):  # type: ignore[misc]
    """Sets `version`, and `dependencies` to Squall of that version."""

    def update(self, metadata: dict[str, Any]) -> None:
        found = re.search(
            r"project\(squall VERSION ([0-9.]+)", (Path(self.root).parent / "CMakeLists.txt").read_text()
        )
        if found is None:
            raise ValueError("The checkout's CMakeLists.txt names no version of Squall")
        metadata["version"] = found[1]
        metadata["dependencies"] = [f"squall[all]=={found[1]}"]
