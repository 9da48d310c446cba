"""Blocks of code on the pages of the documentation, as Markdown has them: fenced or indented, lists too."""

import re
import shlex
import tomllib

from markdown_it import MarkdownIt

from squall import locate

#: The pages, by their path in the checkout.
PAGES = {
    str(path.relative_to(locate.CHECKOUT)): path.read_text()
    for path in (
        locate.CHECKOUT / "README.md",
        locate.CHECKOUT / "CONTRIBUTING.md",
        *(locate.CHECKOUT / "docs").rglob("*.md"),
    )
}
_MARKDOWN = MarkdownIt("commonmark")
#: Languages of blocks that are typed in a shell: an indented block has none.
SHELL = ("", "bash", "text")


def blocks(text):
    """The blocks of a page, each with its language. What is indented and reads as settings is "toml", too."""
    for token in _MARKDOWN.parse(text):
        if token.type == "fence":
            yield token.info.strip(), token.content
        elif token.type == "code_block":
            yield "toml" if is_settings(token.content) else "", token.content


def is_settings(code):
    """Whether a block is of a run file: it begins with the name of a table, or is keys and values."""
    first = next(line for line in code.splitlines() if line.strip())
    if re.match(r"\s*\[[\w.]+\]", first):
        return True
    try:
        return bool(tomllib.loads(code))
    except tomllib.TOMLDecodeError:
        return False


def fenced(text, language):
    """The blocks of a language."""
    return [code for found, code in blocks(text) if found == language]


def typed(text):
    """The lines of a page's blocks that are for a shell, those that a backslash continues in one."""
    for language, code in blocks(text):
        if language in SHELL:
            yield from code.replace("\\\n", " ").splitlines()


def quoted(text):
    """What stands between backticks in a page's sentences, on one line."""
    for token in _MARKDOWN.parse(text):
        yield from (child.content for child in token.children or () if child.type == "code_inline")


def calls(lines):
    """The words of each call of `squall` in lines such as `A=1 squall run x && squall plot x`."""
    for line in lines:
        for part in re.split(r"&&|\||;|\bthen\b|\bdo\b", line.strip().removeprefix("$ ")):
            command = re.match(r"\s*(?:[A-Z_]+=\S* +)*squall +(\S.*)", part)
            if command:
                yield shlex.split(re.sub(r"\s[<>].*|\.\.\.|…", "", command[1]), comments=True)
