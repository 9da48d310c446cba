"""The groups that `squall --help` lists its commands in, in the order of a first day with Squall."""

PREPARE = "Data and run files"
RUN = "Runs"
LOOK = "Pictures"
OUTPUT = "What a run has written"
HELP = "Help"
LAB = "For those who change the model"
