"""Runs a built WRF on files that Squall prepared."""

import os
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import netCDF4

from squall.errors import UserError
from squall.wrf_output.builds import with_all_of_the_stack

INPUTS = ("wrfinput_d01", "wrfbdy_d01")
_DONE = "SUCCESS COMPLETE WRF"

#: Kessler and no other physics. Sizes, spacing and dates are those of wrfinput_d01.
_NAMELIST = """\
&time_control
 start_year = {start:%Y}, start_month = {start:%m}, start_day = {start:%d},
 start_hour = {start:%H}, start_minute = {start:%M}, start_second = {start:%S},
 end_year = {end:%Y}, end_month = {end:%m}, end_day = {end:%d},
 end_hour = {end:%H}, end_minute = {end:%M}, end_second = {end:%S},
 interval_seconds = {record}, input_from_file = .true., history_interval = 60, frames_per_outfile = 1000,
 restart = .false., io_form_history = 2, io_form_input = 2, io_form_boundary = 2, io_form_restart = 2,
/
&domains
 time_step = {step}, max_dom = 1, e_we = {e_we}, e_sn = {e_sn}, e_vert = {e_vert}, dx = {dx}, dy = {dy},
 grid_id = 1, parent_id = 0, i_parent_start = 1, j_parent_start = 1, parent_grid_ratio = 1,
 parent_time_step_ratio = 1, num_metgrid_levels = 27, p_top_requested = {top},
/
&physics
 mp_physics = 1, ra_lw_physics = 0, ra_sw_physics = 0, sf_sfclay_physics = 0, sf_surface_physics = 0,
 bl_pbl_physics = 0, cu_physics = 0, isfflx = 0, icloud = 0, num_soil_layers = {soil},
 num_land_cat = {land},
/
&fdda
/
&dynamics
 hybrid_opt = {hybrid}, use_theta_m = {moist}, diff_opt = 1, km_opt = 4, w_damping = 0, damp_opt = 0,
 moist_adv_opt = 1, scalar_adv_opt = 1, gwd_opt = 0, base_temp = {base}, non_hydrostatic = .true.,
/
&bdy_control
 spec_bdy_width = 5, spec_zone = 1, relax_zone = 4, specified = .true., nested = .false.,
/
&namelist_quilt
 nio_tasks_per_group = 0, nio_groups = 1,
/
"""


class BuiltWrf:
    """Below `folder` lie main/wrf.exe and run/ with WRF's tables. Raises UserError where they do not."""

    def __init__(self, folder: Path) -> None:
        self._program, self._tables = folder / "main" / "wrf.exe", folder / "run"
        for part in (self._program, self._tables):
            if not part.exists():
                raise UserError(
                    f"{folder} is no built WRF: it has no {part.relative_to(folder)}. Name the folder in "
                    "which WRF was compiled (./compile em_real)."
                )

    def run(self, folder: Path, hours: int, step: int) -> Path:
        """Integrates the input that lies in a folder there; the history, one frame an hour. Raises UserError
        with the end of what WRF said if it fails."""
        self.integrate(folder, _namelist(folder, hours, step))
        histories = sorted(folder.glob("wrfout_d01_*"))
        if not histories:
            raise UserError(f"WRF wrote no history in {folder}", 1)
        return histories[0]

    def integrate(self, folder: Path, namelist: str) -> str:
        """Runs it in a folder with its input, on one core, as the text of a namelist says; what it said.
        Raises UserError with the end of that if it fails."""
        for name in self._tables.iterdir():
            link = folder / name.name
            if name.suffix not in (".exe", ".input") and not link.exists() and name.is_file():
                link.symlink_to(name.resolve())
        (folder / "namelist.input").write_text(namelist)
        for old in [*folder.glob("wrfout_d01_*"), *folder.glob("rsl.*")]:
            old.unlink()
        done = subprocess.run(
            [str(self._program.resolve())],
            cwd=folder,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            preexec_fn=with_all_of_the_stack,
        )
        rsl = folder / "rsl.error.0000"  # with MPI it says there what it says else to the terminal
        said = done.stdout + (rsl.read_text(errors="replace") if rsl.exists() else "")
        if done.returncode != 0 or _DONE not in said:
            raise UserError(f"WRF failed in {folder}:\n" + "\n".join(said.splitlines()[-15:]), 1)
        return said


def _namelist(folder: Path, hours: int, step: int) -> str:
    with netCDF4.Dataset(folder / INPUTS[0]) as file:
        start = datetime.strptime(file.START_DATE, "%Y-%m-%d_%H:%M:%S")
        sizes = {name: len(dimension) for name, dimension in file.dimensions.items()}
        return _NAMELIST.format(
            start=start,
            end=start + timedelta(hours=hours),
            record=hours * 3600,
            step=step,
            e_we=sizes["west_east_stag"],
            e_sn=sizes["south_north_stag"],
            e_vert=sizes["bottom_top_stag"],
            dx=float(file.DX),
            dy=float(file.DY),
            top=float(file["P_TOP"][0]),
            soil=sizes["soil_layers_stag"],
            land=int(file.NUM_LAND_CAT),
            hybrid=int(file.HYBRID_OPT),
            moist=int(file.USE_THETA_M),
            base=float(file["T00"][0]),
        )
