"""`squall lab tune`: finds the layout and output settings with which a case runs fastest on this machine.

Short runs of the case race (race.py). What can be chosen is searched a kind at a time, ranks and threads
first, each from the best of the kind before (choices.py); at the end the best and the default run in turn,
and the default wins unless it is slower. What is found is kept (squall.runs.tuned).
"""
