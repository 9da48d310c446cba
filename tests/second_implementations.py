"""Finds in Python what would be a second implementation of squall.diagnose's destaggering or interpolation
along columns, however it is written."""

import ast
import functools
import re

#: Of libraries, what brings values of a column to another coordinate: the last names of what is called.
INTERPOLATES = {
    "interp", "interp1d", "interp_like", "interpn", "interpolate_1d", "log_interpolate_1d", "griddata",
    "RegularGridInterpolator", "CubicSpline", "PchipInterpolator", "Akima1DInterpolator", "searchsorted",
    "digitize", "bisect", "bisect_left", "bisect_right", "interpolate_to_isosurface", "transform_vertical",
    "isentropic_interpolation", "interp2d", "splrep", "make_interp_spline",
}  # fmt: skip


@functools.cache
def scopes(text):
    """Of Python code, the nodes of each outermost function, and those of the rest."""
    rest, found = list(ast.parse(text).body), []
    own = []
    while rest:
        node = rest.pop()
        if isinstance(node, ast.FunctionDef):
            found.append(list(ast.walk(node)))
        else:
            own.append(node)
            rest += ast.iter_child_nodes(node)
    return [*found, own]


def _assigned(nodes):
    """What each name was given last, where that is one expression."""
    given = {}
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = zip(target.elts, node.value.elts, strict=False)
            given |= {to.id: value for to, value in pairs if isinstance(to, ast.Name)}
    return given


def _unscaled(node, given):
    """Without factors that are numbers, and with names in place of what they stand for."""
    while True:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            if isinstance(node.right, ast.Constant):
                node = node.left
                continue
            if isinstance(node.left, ast.Constant):
                node = node.right
                continue
        if isinstance(node, ast.Name) and node.id in given:
            node, given = given[node.id], {n: v for n, v in given.items() if n != node.id}
            continue
        return node


def _bounds(node):
    """Of a slice, as `1:` or `slice(1, None)`: where it begins and ends; None: not a slice by one."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "slice":
        ends = [None, *node.args] if len(node.args) == 1 else node.args[:2]
    elif isinstance(node, ast.Slice):
        ends = [node.lower, node.upper]
    else:
        return None
    found = tuple(
        "" if end is None or ast.unparse(end) in ("None", "0") else ast.unparse(end) for end in ends
    )
    return found if found in {("1", ""), ("", "-1")} else None


def _part(node):
    """(array, which part of it), where a node takes all but the first or all but the last along a dimension:
    a[..., 1:], a.isel(z=slice(1, None)), a.isel({dim: slice(0, -1)})."""
    if isinstance(node, ast.Subscript):
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        bounds = [_bounds(index) for index in indices]
        which = [b for b in bounds if b]
        return (ast.unparse(node.value), which[0]) if len(which) == 1 else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "isel":
        values = [keyword.value for keyword in node.keywords]
        values += [v for argument in node.args if isinstance(argument, ast.Dict) for v in argument.values]
        which = [b for b in map(_bounds, values) if b]
        return (ast.unparse(node.func.value), which[0]) if len(which) == 1 else None
    return None


def _beside(one, other):
    """Whether two nodes are a[k] and a[k + 1], or a[k - 1] and a[k], of one array."""
    if not (isinstance(one, ast.Subscript) and isinstance(other, ast.Subscript)):
        return False
    if ast.unparse(one.value) != ast.unparse(other.value):
        return False
    a, b = (ast.unparse(node.slice) for node in (one, other))
    without = [re.sub(r" [+-] 1\b", "", text) for text in (a, b)]
    return a != b and without[0] == without[1] and re.search("[a-z]", a) is not None


def _called(node):
    """The last name of what a node calls, or ""."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _is_mean_of_neighbours(node, given):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = [_unscaled(side, given) for side in (node.left, node.right)]
        parts = [_part(side) for side in sides]
        if all(parts):
            return parts[0][0] == parts[1][0] and parts[0][1] != parts[1][1]
        if _beside(*sides):
            return True
        # a[:-1] + 0.5 * np.diff(a)
        return any(parts) and any(_called(side) == "diff" for side in sides)
    if _called(node) == "convolve" or (_called(node) == "mean" and "rolling" in ast.unparse(node.func)):
        return True
    if _called(node) in ("mean", "average") and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
        parts = [_part(_unscaled(element, given)) for element in node.args[0].elts]
        return len(parts) == 2 and all(parts) and parts[0][0] == parts[1][0]
    return False


def _is_a_way_between_neighbours(node, given):
    """a[k] + share * (a[k + 1] - a[k]), in any order."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)):
        return False
    for first, product in ((node.left, node.right), (node.right, node.left)):
        if not (isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult)):
            continue
        for factor in (product.left, product.right):
            step = _unscaled(factor, given)
            if not (isinstance(step, ast.BinOp) and isinstance(step.op, ast.Sub)):
                continue
            begin = _unscaled(first, given)
            if ast.unparse(step.right) == ast.unparse(begin) and _beside(step.left, step.right):
                return True
    return False


def _has(text, wanted):
    """Whether Python code has a node that is wanted."""
    for nodes in scopes(text):
        given = _assigned(nodes)
        if any(wanted(node, given) for node in nodes):
            return True
    return False


def destaggers(text):
    """Whether Python code has means of neighbours along a dimension."""
    return _has(text, _is_mean_of_neighbours)


def interpolates(text):
    """Whether Python code interpolates or searches along a coordinate."""
    nodes = [node for scope in scopes(text) for node in scope]
    imported = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    by_others = any(name.startswith(("scipy.interpolate", "metpy.interpolate", "xgcm")) for name in imported)
    called = {_called(node) for node in nodes}
    return by_others or bool(called & INTERPOLATES) or _has(text, _is_a_way_between_neighbours)
