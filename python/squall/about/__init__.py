"""What is in a run or a file, how two of them differ, and what somebody who helps with a run needs to see."""
