#!/bin/sh
# The short form of the 1,000 runs that `make bench` does.
exec tests/determinism 8
