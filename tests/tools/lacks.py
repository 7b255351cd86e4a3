"""lacks.py HOST:PORT OPERATION... - forward requests to the endpoint there, but refuse these operations as unknown"""
import functools
import sys

from endpoint import pass_on, serve, unknown

THERE, LACKING = sys.argv[1], set(sys.argv[2:])


class There(dict):
    def __missing__(self, name):
        return unknown if name in LACKING else functools.partial(pass_on, THERE, name)


serve(There())
