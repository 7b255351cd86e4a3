#!/bin/sh
# build.sh DIR - the archive for aarch64, built with Debian's cross compiler
MACHINE=aarch64 exec sh packaging/archive/build.sh "$1"
