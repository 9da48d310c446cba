"""What calls recorded from WRF (tests/data/wrf_calls.txt) say of the files that they write and read."""

import re

import netCDF4
import numpy as np

from squall import locate

CALLS = (locate.CHECKOUT / "tests" / "data" / "wrf_calls.txt").read_text().splitlines()
DTYPE = {104: "f4", 105: "f8", 106: "i4", 107: "i4"}


def words(line):
    return [w[1:-1].replace("''", "'") if w[0] == "'" else w for w in re.findall(r"'(?:[^']|'')*'|\S+", line)]


def code(name, date, *at):
    """What the driver's function of this name says."""
    a, b, c = at
    return a + 64 * b + 4096 * c + 500000 * ((sum(map(ord, name)) + int(date[14:16])) % 16)


def in_file(order):
    """The dimensions in memory, fastest first from 0, that the dimensions of a file are, slowest first."""
    if order.startswith(("XS", "XE", "YS", "YE")) or order in ("Z", "C"):
        return list(range(len(order)))[::-1]
    return [] if order == "0" else [order.index(letter) for letter in sorted(order)][::-1]


def values(name, date, type, order, ends):
    """The field's points in the file."""
    memory = np.meshgrid(*(np.arange(1, n + 1) for n in ends), indexing="ij")
    points = code(name, date, *memory) if type != 107 else (sum(memory) % 2 == 0)
    which = in_file(order)
    rest = tuple(d for d in range(3) if d not in which)
    return np.transpose(points, (*which, *rest)).reshape([ends[d] for d in which]).astype(DTYPE[type])


class Expected:
    """What the calls say of one file."""

    def __init__(self, lines, path):
        self.attributes, self.fields, self.values = {}, {}, {}
        handle = None
        for line in lines:
            w = words(line)
            if w[0].startswith("open"):
                handle = w[1] if w[2] == path else (None if w[1] == handle else handle)
            elif w[0] in ("put_text", "put_numbers") and w[1] == handle and w[-1] == "0" and not w[3]:
                of, value = (w[4], w[5]) if w[0] == "put_text" else ("", float(w[7]))
                where = self.fields[of]["attributes"] if of else self.attributes
                where[w[2]] = value
            elif w[0] == "write" and w[1] == handle and w[-1] == "0":
                ends = [int(n) for n in w[12:15]]
                declared = {
                    "type": int(w[4]),
                    "order": w[5],
                    "dimensions": w[6:9],
                    "ends": ends,
                    "attributes": {},
                }
                if w[3] in self.fields:
                    self.values[w[3], w[2]] = values(w[3], w[2], int(w[4]), w[5], ends)
                else:
                    self.fields[w[3]] = declared


def assert_file_is(path, expected):
    data = path if isinstance(path, netCDF4.Dataset) else netCDF4.Dataset(path)
    with data:
        data.set_auto_maskandscale(False)
        assert [v for v in data.variables if not v.startswith("md___")] == ["Times", *expected.fields]
        dates = ["".join(t.decode() for t in row) for row in data["Times"][:]]
        for name, value in expected.attributes.items():
            assert data.getncattr(name) == value
        for name, field in expected.fields.items():
            variable = data[name]
            assert variable.dtype == DTYPE[field["type"]]
            named = [field["dimensions"][d] for d in in_file(field["order"])]
            for told, found in zip(["Time", *named], variable.dimensions, strict=True):
                assert found == told or not told  # without a name: any of that length
            assert variable.getncattr("FieldType") == field["type"]
            for attribute, value in field["attributes"].items():
                assert variable.getncattr(attribute).rstrip("\0") == value
        for (name, date), points in expected.values.items():
            np.testing.assert_array_equal(data[name][dates.index(date)], points, err_msg=f"{name} {date}")
        assert {date for _, date in expected.values} == set(dates)


WRITTEN = [words(line)[2] for line in CALLS if line.startswith("open_write")]
READ = [words(line)[2] for line in CALLS if line.startswith("open_read ")]


def input_file(path, lines):
    """What the recorded reads of a file find, with the attributes that they ask for."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as data:
        data.createDimension("Time", None)
        data.createDimension("DateStrLen", 19)
        handle, date = None, "2008-02-05_12:00:00"
        for line in lines:
            w = words(line)
            if w[0] == "open_read":
                handle = w[1] if w[2] == path.name else None
            elif w[0] == "get_text" and w[1] == handle:
                if w[3]:
                    name = f"md___{w[2].lower()}e_x_t_d_o_m_a_i_n_m_e_t_a_data_"
                    variable = data.createVariable(name, "S1", ("Time", "DateStrLen"))
                    variable[0] = list(w[5])
                else:
                    data.setncattr(w[2], w[5])
            elif w[0] == "get_numbers" and w[1] == handle:
                data.setncattr(w[2], np.zeros(int(w[6]), DTYPE[int(w[5])]))
            elif w[0] == "read" and w[1] == handle and w[-1] == "0":
                ends = [int(n) for n in w[12:15]]
                points = values(w[3], date, int(w[4]), w[5], ends)
                dimensions = [f"n{n}" for n in points.shape]
                for n in points.shape:
                    if f"n{n}" not in data.dimensions:
                        data.createDimension(f"n{n}", n)
                variable = data.createVariable(w[3], DTYPE[int(w[4])], ("Time", *dimensions))
                variable[0] = points
        data.createVariable("Times", "S1", ("Time", "DateStrLen"))[0] = list(date)


def reads_of_what_was_written(lines, name):
    """Lines that read all fields of a file that the calls write."""
    made, handle, seen = [f"open_read 7 '{name}' 0", "state 7 103"], None, set()
    for line in lines:
        w = words(line)
        if w[0] == "open_write":
            handle = w[1] if w[2] == name else (None if w[1] == handle else handle)
        elif w[0] == "write" and w[1] == handle and w[-1] == "0":
            if w[3] in seen:
                made.append(re.sub(r"^write \d+", "read 7", line))
            seen.add(w[3])
    return [*made, "close 7"]
