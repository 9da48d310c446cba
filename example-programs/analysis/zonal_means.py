"""Draws the zonal means of wind and potential temperature of a run's last frame, and says where the jet is.

python zonal_means.py RUN PICTURE
"""

import sys

import matplotlib.pyplot as plt

import squall

run, picture = sys.argv[1:]
history = squall.open_run(run, chunks={"Time": 1})  # runs larger than memory work, too
frame = history.isel(Time=-1)
names = "U", "theta", "height"
zonal = {name: squall.diagnose.field(frame, name).mean("west_east").compute() for name in names}
north = 0 * zonal["U"] + zonal["U"]["south_north"] * frame.attrs["DY"] / 1000  # km
height = zonal["height"] / 1000

colours = plt.contourf(north, height, zonal["U"], 20, cmap="viridis")
lines = plt.contour(north, height, zonal["theta"], 15, colors="black", linewidths=0.6)
plt.clabel(lines, fontsize=7)
plt.colorbar(colours, label="zonal mean wind (m/s)")
plt.xlabel("from the south (km)")
plt.ylabel("height (km); lines: potential temperature (K)")
plt.savefig(picture, dpi=150)

k, j = (int(at) for at in zonal["U"].argmax(...).values())
print(f"The jet: {float(zonal['U'][k, j]):.2f} m/s at {float(height[k, j]):.2f} km, row {j}")
