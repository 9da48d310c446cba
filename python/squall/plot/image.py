"""Figures as images with a small palette, which keeps files small."""

from io import BytesIO
from pathlib import Path

from matplotlib.figure import Figure
from PIL import Image


def write(figure: Figure, path: Path, dots: float | None = None) -> None:
    """Writes the figure in the format that the ending says; PNG with a small palette."""
    if path.suffix == ".png":
        palette(drawn(figure, dots)).save(path)
    else:
        figure.savefig(path, dpi=dots or "figure")


def drawn(figure: Figure, dots: float | None = None) -> Image.Image:
    """The figure as an image, at a resolution [dots per inch] or that of the style."""
    file = BytesIO()
    figure.savefig(file, format="png", dpi=dots, pil_kwargs={"compress_level": 1})  # read at once
    return Image.open(file).convert("RGB")


def palette(image: Image.Image, colours: int = 256) -> Image.Image:
    """The image in so many colours. That of an area is kept to a 200th."""
    return image.quantize(colours, Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
