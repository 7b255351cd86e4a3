#!/usr/bin/env python3
"""descriptors.py HOST:PORT COUNT - connect COUNT times, report it, and hold the connections until the input ends."""
import socket
import sys

host, port = sys.argv[1].rsplit(":", 1)
held = [socket.create_connection((host, int(port))) for _ in range(int(sys.argv[2]))]
print("connected", len(held), flush=True)
sys.stdin.read()
