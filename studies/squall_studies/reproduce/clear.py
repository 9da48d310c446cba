"""A process that clears memory, as often as its standard input has lines.

usage: python -m squall_studies.reproduce.clear BYTES

For each line it takes new memory and clears it, then clears it again, and prints the seconds of both.
"""

import ctypes
import mmap
import sys
import time


def seconds(size: int) -> tuple[float, float]:
    """Of memory that the system gives on first touch, and of what is there."""
    begun = time.perf_counter()
    memory = mmap.mmap(-1, size)
    buffer = (ctypes.c_char * size).from_buffer(memory)
    ctypes.memset(buffer, 0, size)
    middle = time.perf_counter()
    ctypes.memset(buffer, 0, size)
    ended = time.perf_counter()
    del buffer
    memory.close()
    return middle - begun, ended - middle


if __name__ == "__main__":
    print(flush=True)  # ready
    for _ in sys.stdin:
        print(*seconds(int(sys.argv[1])), flush=True)
