"""The groups of commands in `squall --help`, in the order in which a new user needs them."""

PREPARE = "Data and run files"
RUN = "Runs"
LOOK = "Pictures"
OUTPUT = "Output of runs"
HELP = "Help"
LAB = "Development of the model"

LAB_HELP = "Verify the model and measure its speed."

_EXAMPLES = "[bold]Examples[/bold]"


def explained(text: str) -> str:
    """A command's help, laid out for Typer: paragraphs as wide as the terminal, examples indented."""
    about, _, examples = text.partition(_EXAMPLES)
    first, *rest = (" ".join(paragraph.split()) for paragraph in about.strip().split("\n\n"))
    # Typer removes the indentation common to all lines after the first paragraph, ignoring the first of these
    # lines. That line is empty here, so the heading of the examples, which has none, keeps theirs.
    return "\n\n".join([first, "", *rest, _EXAMPLES, examples.strip("\n")])
