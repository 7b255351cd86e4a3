"""counted.py ADDR:PORT - an endpoint that forwards each request to the server there, and prints its name and consistency

A line is "GetItem eventual", "Query consistent" or, for an operation that does not read, "PutItem".
"""
import sys

from endpoint import pass_on, serve

READS = ("GetItem", "Query", "Scan", "BatchGetItem")


class Forward(dict):
    def __missing__(self, name):
        def ask(asked):
            how = (" consistent" if asked.get("ConsistentRead") else " eventual") if name in READS else ""
            print(name + how, flush=True)
            return pass_on(sys.argv[1], name, asked)

        return ask


serve(Forward())
