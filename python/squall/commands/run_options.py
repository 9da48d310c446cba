"""Options that the commands which run a program on a run file have in common."""

from typing import Annotated

import typer

Ranks = Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks.")]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads per rank. Default: the run file's.", show_default=False)
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TABLE.KEY=VALUE", help="Override a key of the run file. May be repeated."),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an earlier run's output.")]
GoOn = Annotated[
    bool, typer.Option("--continue", help="Continue from the run's newest restart frame, if it has one.")
]
Keep = Annotated[
    int | None,
    typer.Option(
        "--keep-restarts",
        min=1,
        help="Number of newest restart files to keep; older ones are removed. Default: all.",
    ),
]
Launcher = Annotated[
    str | None,
    typer.Option(
        metavar="WORDS", help='Launcher to use instead of mpirun, with its options: "srun --cpu-bind=cores".'
    ),
]
