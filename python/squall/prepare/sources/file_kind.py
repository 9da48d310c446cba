"""Identifies the format of a file by its first bytes, never by its name."""

import re
import zipfile
from pathlib import Path
from typing import Literal

from squall.errors import UserError
from squall.prepare.sources.piece import fail

FileKind = Literal["grib", "netcdf"]

HEAD = 1024  # bytes in which a GRIB message begins, after the heading of a transmission
_NETCDF = (b"CDF\x01", b"CDF\x02", b"CDF\x05")
_HDF5 = b"\x89HDF\r\n\x1a\n"
_HDF5_STARTS = (0, 512, 1024, 2048)  # it may stand after a block of the user's
# The edition tells a message from the word: `GRIB_edition` is an attribute that netCDF files have.
_GRIB = re.compile(rb"GRIB.{3}[\x00-\x03]", re.DOTALL)

# How other files begin, and what to do with them.
_OTHERS = {
    b"\x1f\x8b": "compressed by gzip: unpack it (gunzip)",
    b"BZh": "compressed by bzip2: unpack it (bunzip2)",
    b"\xfd7zXZ\x00": "compressed by xz: unpack it (unxz)",
    b"\x28\xb5\x2f\xfd": "compressed by zstd: unpack it (unzstd)",
    b"\x1f\x9d": "compressed by compress: unpack it (uncompress)",
    b"7z\xbc\xaf\x27\x1c": "a 7-zip archive: unpack it (7z x)",
    b"Rar!": "a RAR archive: unpack it (unrar x)",
    b"\x0e\x03\x13\x01": "HDF4, which is not supported: convert it to netCDF (h4tonccf, or ncl_convert2nc)",
    b"BUFR": "BUFR: observations, not an analysis on a grid",
    b"%PDF": "a PDF document, not an analysis",
    b"\x89PNG": "an image (PNG), not an analysis",
    b"\x93NUMPY": "a NumPy array, which has neither grid nor units: write netCDF",
    b"II*\x00": "TIFF (GeoTIFF?): convert it to netCDF (gdal_translate -of netCDF)",
    b"MM\x00*": "TIFF (GeoTIFF?): convert it to netCDF (gdal_translate -of netCDF)",
    b"\x00\x00\x00\x04\x00\x00\x00\x05": "WPS's intermediate format: give the GRIB files that ungrib "
    "read, or the met_em files that metgrid makes from it",
    b"\x04\x00\x00\x00\x05\x00\x00\x00": "WPS's intermediate format: give the GRIB files that ungrib "
    "read, or the met_em files that metgrid makes from it",
    b"version https://git-lfs": "a Git LFS pointer, not the file itself: fetch the file (git lfs pull)",
    b"/annex/objects/": "a git-annex pointer, not the file itself: fetch the file (git annex get)",
}  # fmt: skip
# Of text, without regard to case and leading blanks.
_TEXTS = {
    rb"<!doctype html|<html|<head": "a web page, not data: the server sent a message instead of the file "
    "(does it need an account, or a licence to be accepted?); read it, and fetch the file again",
    rb"<\?xml|<error": "XML, not data: the server sent a message instead of the file; read it, and fetch "
    "the file again",
    rb"[\[{]": "JSON, not data: a message of the server, or references to other files; read it",
    rb"\d+(\.\d+)?:\d+:d=\d+": "the index of a GRIB file (wgrib2's inventory), not the file: give the "
    "GRIB file",
    rb"dset\s": "a control file of GrADS: give the file that its line DSET names",
    rb"netcdf\s+\S+\s*\{": "the text form of a netCDF file (ncdump): convert it back (ncgen -o FILE.nc)",
}


def kind_of(path: Path) -> FileKind:
    """The kind of an analysis's file. Raises UserError that says what else it is, and what to do."""
    head = first_bytes(path, max(_HDF5_STARTS) + len(_HDF5))
    if not head:
        raise fail(str(path), "empty, it has 0 bytes; fetch or copy it again")
    if is_netcdf_head(head):
        return "netcdf"
    other = _other(path, head)
    if other is None and _GRIB.search(head[: HEAD + 8]):
        return "grib"
    raise fail(str(path), other or _unknown(head))


def is_netcdf(path: Path) -> bool:
    """Whether a file begins as netCDF does. Raises UserError for one that cannot be read."""
    return is_netcdf_head(first_bytes(path, max(_HDF5_STARTS) + len(_HDF5)))


def is_netcdf_head(head: bytes) -> bool:
    """Whether these are the first bytes of a netCDF file, classic or of HDF5."""
    return head[:4] in _NETCDF or any(head[at:].startswith(_HDF5) for at in _HDF5_STARTS)


def first_bytes(path: Path, count: int) -> bytes:
    """The first bytes of a file. Raises UserError if it does not exist or cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(count)
    except FileNotFoundError:
        raise UserError(f"There is no file {path}.") from None
    except OSError as error:
        raise fail(str(path), f"cannot be read: {error.strerror}") from None


def _other(path: Path, head: bytes) -> str | None:
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(path)
    if head[257:262] == b"ustar":
        return f"a tar archive: unpack it (tar xf {path.name}) and give the files in it"
    # ecCodes's index of a file begins with its name, after that name's length.
    if head[:16].lstrip(b"\x00\x01\x02\x03\x04\x05\x06\x07\x08").startswith(b"GRBIDX"):
        return "an index of GRIB files (ecCodes), not the files: give the GRIB files"
    if head.startswith(b"\x80") and b"cfgrib" in head:
        return "cfgrib's index of a GRIB file, not the file: give the GRIB file"
    for begin, what in _OTHERS.items():
        if head.startswith(begin):
            return what
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    for pattern, what in _TEXTS.items():
        if re.match(pattern, text, re.IGNORECASE):
            return what
    return None


def _zip(path: Path) -> str:
    """Describes a zip archive with its files: the Copernicus store packs one file per kind of step."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return "a damaged zip archive; fetch it again"
    listed = ", ".join(names[:4]) + (", ..." if len(names) > 4 else "")
    return (
        f"a zip archive: unpack it (unzip {path.name}) and give the files in it: {listed or 'there are none'}"
    )


def _unknown(head: bytes) -> str:
    if not head.strip(b"\x00"):
        return "it begins with zeros only: an interrupted download; fetch it again"
    if _is_text(head):
        line = head.decode("utf-8", "replace").strip().splitlines()[0][:60]
        return f'text, not GRIB or netCDF; it begins "{line}"'
    return f"not GRIB or netCDF; it begins with the bytes {head[:8].hex(' ')}"


def _is_text(head: bytes) -> bool:
    return all(byte >= 32 or byte in b"\t\r\n\f" for byte in head) and bool(head.strip())
