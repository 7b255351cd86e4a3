"""throttles.py FILE - an endpoint that refuses every GetItem and transaction with the members of the JSON file FILE, besides name and message"""
import json
import sys

from endpoint import Failure, serve


def refuse(_):
    with open(sys.argv[1], encoding="utf-8") as members:
        said = json.load(members)
    raise Failure(said.pop("name"), **said)


serve({"GetItem": refuse, "TransactWriteItems": refuse, "BatchWriteItem": refuse})
