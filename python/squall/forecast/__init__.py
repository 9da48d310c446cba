"""`squall forecast`: from a place to the charts of its weather in one command.

places        a name or LAT,LON becomes a point
latest        which start of a source's forecasts is there
speed         how fast this machine computes
choose        the domain, its time step and how long it takes
run_file      the run file of these choices
command       the steps: fetch, prepare, run, draw
"""
