"""The runs whose bits are compared: cases that come with Squall, made small, and real ones."""

from dataclasses import dataclass, replace

from squall.lab.variants import Changes


@dataclass(frozen=True)
class Setup:
    """A case that comes with Squall, made small, and what it is run with."""

    case: str
    changes: Changes
    stormy: bool = False  # of a prepared one: the air over the middle is wet, ground lies under snow


def _setup(case: str, cells: tuple[int, int, int], duration: str, frames: str, changes: Changes) -> Setup:
    """`cells` along x, y, z; a history and a restart frame each `frames`."""
    nx, ny, nz = cells
    size: Changes = {"domain.nx": nx, "domain.ny": ny, "domain.nz": nz, "run.duration": duration}
    output: Changes = {"output.history.interval": frames, "output.restart.interval": frames}
    return Setup(case, {**size, **output, **changes})


PERIODIC_Y: Changes = {"domain.boundary_south": None, "domain.boundary_north": None}
PERIODIC: Changes = {"domain.boundary_west": None, "domain.boundary_east": None, **PERIODIC_Y}
WRFS_FORMS: Changes = {
    **PERIODIC_Y,
    "run.compatibility": "wrf",
    "damping": None,
    "diffusion.scheme": "constant",
    "diffusion.horizontal": "300 m2/s",
    "diffusion.vertical": "100 m2/s",
}
ALL_FIELDS: Changes = {"output.history.fields": ["default", "derived"]}


def _nest(name: str, i: int, j: int, nx: int, ny: int, **others: str | int | bool) -> Changes:
    keys: Changes = {"i_parent_start": i, "j_parent_start": j, "nx": nx, "ny": ny, **others}
    return {f"nest.{name}.{key}": value for key, value in keys.items()}


# Together these turn on everything that looks at neighbours.
SETUPS: dict[str, Setup] = {
    # 3-D, periodic and walls, Coriolis, 2-D Smagorinsky mixing on coordinate surfaces.
    "channel": _setup(
        "baroclinic-wave",
        (21, 26, 10),
        "1 h",
        "30 min",
        {"domain.dx": "200 km", "diffusion.scheme": "smagorinsky-2d"},
    ),
    # 3-D, open on all sides, 3-D Smagorinsky mixing, Rayleigh and w damping, even orders.
    "bubble": _setup(
        "warm-bubble",
        (23, 19, 20),
        "24 s",
        "12 s",
        {
            "run.time_step": "4 s",
            "domain.dx": "500 m",
            "domain.boundary_west": "open",
            "domain.boundary_east": "open",
            "domain.boundary_south": "open",
            "domain.boundary_north": "open",
            "dynamics.top_lid": None,
            "dynamics.momentum_order_horizontal": 6,
            "dynamics.momentum_order_vertical": 4,
            "dynamics.w_damping": True,
            "diffusion.scheme": "smagorinsky-3d",
            "diffusion.surfaces": "physical",
            "damping.scheme": "rayleigh",
            "damping.depth": "3 km",
            "damping.coefficient": "0.05 s-1",
            "initial.u": "5 m/s",
            "initial.centre_x": "-700 m",
            "initial.centre_y": "300 m",
            "initial.radius_y": "3 km",
        },
    ),
    # Terrain, open and periodic, hybrid levels, constant mixing in physical space, implicit damping.
    "mountain": _setup(
        "mountain-schaer",
        (37, 7, 20),
        "24 s",
        "12 s",
        {
            "vertical.top": "15 km",
            "vertical.coordinate": "hybrid",
            "diffusion.scheme": "constant",
            "diffusion.surfaces": "physical",
            "diffusion.horizontal": "50 m2/s",
            "diffusion.vertical": "5 m2/s",
            "damping.scheme": "implicit-w",
            "damping.depth": "5 km",
            "damping.coefficient": "0.2 s-1",
        },
    ),
    # WRF's forms of mixing and of the fall of rain, in physical space and on coordinate surfaces.
    "wrf-forms": _setup("supercell", (19, 14, 16), "4 min", "2 min", WRFS_FORMS),
    "wrf-surfaces": _setup(
        "supercell", (19, 14, 16), "4 min", "2 min", {**WRFS_FORMS, "diffusion.surfaces": "coordinate"}
    ),
    # 2-D, walls, a lid, constant mixing on coordinate surfaces.
    "current": _setup(
        "density-current",
        (65, 1, 16),
        "12 s",
        "6 s",
        {
            "run.time_step": "2 s",
            "domain.dx": "400 m",
            "diffusion.surfaces": "coordinate",
            "diffusion.prandtl": None,
        },
    ),
    # Moist: warm rain, predicted subgrid energy, open on all sides, positive-definite transport; all that can
    # be derived.
    "supercell": _setup(
        "supercell", (17, 13, 16), "8 min", "4 min", {"initial.amplitude": "12 K", **ALL_FIELDS}
    ),
    # A nest inside a nest, of an odd and an even ratio, the inner one one-way, and one beside them.
    "nests": _setup(
        "supercell",
        (21, 23, 16),
        "2 min",
        "1 min",
        {
            "initial.amplitude": "12 K",
            **_nest("outer", 6, 6, 27, 30),
            **_nest("inner", 5, 4, 18, 18, parent_grid_ratio=2, parent="outer", feedback=False),
            **_nest("beside", 15, 17, 15, 10, parent_grid_ratio=5, parent_time_step_ratio=4),
        },
    ),
    # Moist: ice, monotonic transport, periodic, theta of dry air; all that can be derived, and a restart
    # between two frames, on which what is followed from frame to frame depends.
    "ice": _setup(
        "supercell",
        (13, 11, 16),
        "8 min",
        "4 min",
        {
            **PERIODIC,
            "dynamics.limiter": "monotonic",
            "dynamics.moist_theta": False,
            "physics.microphysics": "wsm6",
            "diffusion.scheme": "smagorinsky-3d",
            "diffusion.mix_full_fields": None,
            "damping": None,
            "initial.amplitude": "12 K",
            "output.restart.interval": "2 min",
            **ALL_FIELDS,
        },
    ),
    # Over a warm sea: a surface layer, and a boundary layer on it that mixes cloud too and predicts its
    # turbulence; numbers of particles.
    "sea": _setup(
        "supercell",
        (13, 11, 16),
        "4 min",
        "2 min",
        {
            **PERIODIC_Y,
            "physics.microphysics": "thompson",
            "physics.surface_layer": "eta",
            "physics.boundary_layer": "myj",
            "physics.surface_temperature": "306 K",
            "diffusion.scheme": "smagorinsky-2d",
            "diffusion.sixth_order": "monotonic",
            "initial.amplitude": "12 K",
            **ALL_FIELDS,
        },
    ),
    # A fire on a grid of its own, on a hill, that heats the air and gives off smoke; a restart while a line
    # is being lit.
    "fire": _setup(
        "grass-fire",
        (19, 14, 12),
        "12 s",
        "6 s",
        {
            "initial.height": "30 m",
            "initial.half_width": "150 m",
            "fire.refinement_x": 6,
            "fire.refinement_y": 5,
            "ignition.line.start": ["300 m", "180 m"],
            "ignition.line.end": ["420 m", "500 m"],
            "ignition.line.start_time": "1 s",
            "ignition.line.end_time": "8 s",
            "output.history.frames_per_file": 1,
        },
    ),
    # Large eddies under a wide flow: prescribed fluxes, a cloud's radiation, random temperature at the start.
    "eddies": _setup(
        "dycoms",
        (13, 11, 30),
        "20 s",
        "10 s",
        {
            "run.time_step": "1 s",
            "run.acoustic_substeps": 6,
            "domain.dx": "100 m",
            "vertical.top": "1200 m",
            "physics.boundary_layer": "resolved",
            "physics.radiation_interval": "5 s",
            "diffusion.scheme": "tke",
            "diffusion.surfaces": "physical",
            "initial.noise": "0.1 K",
            "output.history.frames_per_file": 1,
        },
    ),
}

# From the built-in jet, without any data: map factors, curvature of the Earth, specified sides, a nest with
# input of its own and one in it without, tracers that convection mixes too, a boundary layer, drag by hills
# within cells.
JET, EVERYTHING = "jet", "everything"
PREPARED: dict[str, Setup] = {
    JET: _setup(
        "great-north-run-small",
        (25, 21, 16),
        "15 min",
        "450 s",
        {
            "nest.tyne.nx": 15,
            "nest.tyne.ny": 12,
            "nest.tyne.initial_file": None,
            "physics.gravity_wave_drag": "kim-arakawa",
            "nest.britain.nx": 24,
            "nest.britain.ny": 18,
            "tracer.smoke.source": ["54.5 degrees", "-4 degrees", "300 m"],
            "tracer.smoke.rate": "2 kg/s",
            "tracer.radon.initial": 1e-18,
            "tracer.radon.half_life": "3.8 d",
            "tracer.radon.convective_mixing": True,
        },
    ),
    # All physics and all that analyses do, at once: radiation on slopes with shadows, aerosol that the air
    # carries, partly cloudy layers, held from call to call and through the restart; plumes, and clouds that
    # are smaller than cells; snow; a sea that changes, partly under ice, and whose skin warms; long waves
    # that analyses draw; a start by the digital filter, backward and forward; steps of a length that changes.
    EVERYTHING: replace(
        _setup(
            "great-north-run-small",
            (25, 21, 20),
            "12 min",
            "6 min",
            {
                "run.time_step": "120 s",
                "run.adaptive_time_step": True,
                "run.max_time_step": "140 s",
                "nest.tyne": None,
                "nest.britain.nx": 24,
                "nest.britain.ny": 18,
                "nest.britain.lower_file": "wrflowinp_d02",
                "nest.britain.cumulus": "none",
                "boundary.lower_file": "wrflowinp_d01",
                "nest.britain.start": "2 min",
                "nudging.file": "wrffdda_d01",
                "nudging.scheme": "spectral",
                "digital_filter.scheme": "diabatic",
                "digital_filter.span": "4 min",
                "digital_filter.cutoff": "10 min",
                "physics.microphysics": "thompson-aerosol",
                "physics.cumulus": "tiedtke",
                "physics.surface_layer": "revised-mm5",
                "physics.boundary_layer": "mynn-edmf",
                "physics.land": "noah",
                "physics.sea_skin": "zeng-beljaars",
                "physics.fractional_sea_ice": True,
                "physics.gravity_wave_drag": "kim-arakawa",
                "physics.radiation": "rrtmgp",
                "physics.radiation_interval": "4 min",
                "physics.aerosol_type": "carried",
                "physics.slope_radiation": True,
                "physics.topographic_shading": True,
                "diffusion.scheme": "smagorinsky-2d",
                "diffusion.surfaces": "coordinate",
                "diffusion.sixth_order": "monotonic",
                "tracer.smoke.source": ["54.5 degrees", "-4 degrees", "300 m"],
                "tracer.smoke.rate": "2 kg/s",
                "tracer.smoke.convective_mixing": True,
            },
        ),
        stormy=True,
    ),
}

# From WRF's input: map factors, terrain, specified sides, land use under a surface layer. The restart begins
# within the second record of boundary values.
WINTER: Changes = {
    "run.duration": "4 h",
    "physics.surface_layer": "revised-mm5",
    "physics.boundary_layer": "ysu",
    "diffusion.sixth_order": "plain",
    "output.history.interval": "40 min",
    "output.restart.interval": "200 min",
}

CLASSIC = "winter-classic"  # whose radiation needs tables
REAL: dict[str, Changes] = {
    "winter": {
        **WINTER,
        "physics.cumulus": "kain-fritsch",
        "physics.radiation": "broadband",
        "physics.radiation_interval": "30 min",
        "physics.ocean": "mixed-layer",
    },
    CLASSIC: {
        **WINTER,
        "physics.cumulus": "grell-freitas-shallow",
        "physics.surface_layer": "mm5",
        "physics.radiation": "rrtmgp-dudhia",
        "physics.radiation_interval": "30 min",
    },
}
FOLDERS = {"winter": "conus_2008-02-05", CLASSIC: "conus_2008-02-05"}

ALL = (*SETUPS, *PREPARED, *REAL)
