"""fails.py HOST:PORT OPERATION=N:NAME... - forward requests to the endpoint there; each of these operations succeeds N times and then fails with the error NAME"""
import functools
import sys

from endpoint import Failure, pass_on, serve

THERE = sys.argv[1]
LEFT = {}
for word in sys.argv[2:]:
    operation, rest = word.split("=")
    LEFT[operation] = rest.split(":")


def answer(operation, asked):
    if operation in LEFT:
        n, name = LEFT[operation]
        if int(n) == 0:
            raise Failure(name)
        LEFT[operation] = [int(n) - 1, name]
    return pass_on(THERE, operation, asked)


class There(dict):
    def __missing__(self, operation):
        return functools.partial(answer, operation)


serve(There())
