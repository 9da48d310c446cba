"""Prepares the files that a run starts from, from an analysis.

    analysis files -> Source -> Columns -> State -> wrfinput_d01, wrfbdy_d01

* a *source* reads one kind of file (GRIB, netCDF, met_em) and knows its grid;
* *columns* are the source's fields on the domain's horizontal grid, at the source's levels;
* a *state* is what the model integrates: on its levels, in its discrete hydrostatic balance.
"""
