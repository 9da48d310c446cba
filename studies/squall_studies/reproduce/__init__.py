"""`squall lab reproduce`: tables and figures of published studies, measured again with Squall.

Each is an `Item` (see item.py): one table of them stands in catalogue.py, filled from one module a study. An
item says what of which study it is, measures (returning what JSON can hold), and makes tables and a figure of
that alone: what was measured once is shown again without measuring. The numbers of the study lie in
published/STUDY.toml with their source, and go to the figure beside ours; where none was found, only ours are
shown. To add one, measured or simulated: write `measure`, `tables` and `draw`, put the Item into the ITEMS of
its study's module (or of a module of your own, joined to the table in catalogue.py), and, if the study gives
numbers, a table of the item's name into its published file. A simulated curve needs no module: it is a table
of curves/STUDY.toml (see curves.py).
"""
