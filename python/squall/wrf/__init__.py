"""WRF's namelist.input, translated into a run file.

Each rule (rules.py) takes some keys of the namelist and gives settings of a run file, or says what it
means that Squall has none; the reference page (reference.py) is made from the same rules.
"""
