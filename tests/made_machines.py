"""Machine files of measurements that are made up, for the tests of plans and of what they are held to."""

import tomllib

from squall import locate, planning
from squall.lab import speed
from squall.lab.io import bench
from squall.lab.prediction import calibrate, machine_file, measured

DOMAIN = calibrate._SIZE.label
GB = 1e9
ONE_NODE = machine_file.Cluster()


def frame(whole, engine="zarr", codec="none", stored=100_000_000, staged=0.01):
    """Of 100 MB by two ranks: 1 GB/s of raw writes with fsync, 4 without, copies of 5 GB/s a core. Begun
    `whole` seconds before it is stored, and committed `staged` after it was begun."""
    times = bench.Frame(perceived=whole, drain=whole - staged, copy=0.01, raw=0.025, raw_fsync=0.1)
    combination = bench.Combination(engine, "inline", codec)
    return bench.Measurement(combination, 100_000_000, stored, (times, times), 0, 0.1, 0, 0)


def node(frames):
    one = speed.Measurement(DOMAIN, 1, "1 core", 2e6, 12 * GB, {})
    both = speed.Measurement(DOMAIN, 2, "2 ranks", 3e6, 20 * GB, {})
    return measured.Measured(one, both, frames, ranks=2)


def written(tmp_path, of, cluster=ONE_NODE):
    machine_file.write(of, cluster, "a node", tmp_path / "node.toml")
    return tomllib.loads((tmp_path / "node.toml").read_text())


def small(tmp_path):
    path = tmp_path / "small.toml"
    text = (
        locate.run_file("supercell").read_text().replace("nx = 41", "nx = 64").replace("ny = 41", "ny = 64")
    )
    path.write_text(text)
    return path


def on_a_cluster(tmp_path, ranks=16):
    """A question of ranks on some of 64 nodes of two cores."""
    written(tmp_path, node([frame(0.3), frame(0.3, "netcdf")]), machine_file.Cluster(64))
    return planning.Question(small(tmp_path), tmp_path / "node.toml", ranks, method="closed-form")
