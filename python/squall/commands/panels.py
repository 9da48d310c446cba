"""The groups that `squall --help` lists its commands in, in the order of a first day with Squall."""

PREPARE = "Data and run files"
RUN = "Runs"
LOOK = "Pictures"
OUTPUT = "What a run has written"
HELP = "Help"
LAB = "For those who change the model"

LAB_HELP = "Verify the model and measure its speed."

_EXAMPLES = "[bold]Examples[/bold]"


def explained(text: str) -> str:
    """A command's help as Typer shows it well: paragraphs as wide as the terminal, examples indented."""
    about, _, examples = text.partition(_EXAMPLES)
    first, *rest = (" ".join(paragraph.split()) for paragraph in about.strip().split("\n\n"))
    # Typer removes the indentation that all lines after the first paragraph share, not looking at the
    # first of them: that is an empty one here, so that the title of the examples holds theirs in place.
    return "\n\n".join([first, "", *rest, _EXAMPLES, examples.strip("\n")])
