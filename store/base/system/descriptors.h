/*
 * descriptors - the standard descriptors; the limit of descriptors, divided among table files, servers and the rest
 *
 * A store that cannot open a file fails its writes.  So connections never get the
 * descriptors that the store, its backups and its mounts need.
 */
#ifndef STORE_BASE_SYSTEM_DESCRIPTORS_H
#define STORE_BASE_SYSTEM_DESCRIPTORS_H

/**
 * stdfd_reserve - open /dev/null in place of standard descriptors that are closed (prog >&-)
 *
 * Otherwise the next file opened, one of the store's, would be standard output, and results would be
 * written into it.  /dev/null is opened in the opposite direction, so that a write to a
 * closed standard output still fails.  Call it first in main().
 */
void stdfd_reserve(void);

/** descriptors_raise - raise the soft limit to the hard limit; call it first in main() of a server */
void descriptors_raise(void);

/** descriptors_limit - current limit of descriptors of this process, at most 2^20 */
unsigned descriptors_limit(void);

/** descriptors_for_tables - number of table files that the store's database may keep open, at most @wanted */
unsigned descriptors_for_tables(unsigned wanted);

/**
 * descriptors_lend - reserve descriptors for the connections of one server, until descriptors_return()
 * @wanted: connections that the server is built for
 *
 * Each server gets at most half of the rest, so that later servers get some, too.
 *
 * Return: the number, at most @wanted and at least 1
 * Thread: any
 */
unsigned descriptors_lend(unsigned wanted);

/** descriptors_return - give back the @n descriptors of descriptors_lend() when the connections are closed */
void descriptors_return(unsigned n);

#endif
