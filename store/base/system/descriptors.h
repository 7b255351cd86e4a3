/*
 * descriptors - how many file descriptors this process may have, and who may use them
 *
 * A store that cannot open a file fails its writes, so connections never get the
 * descriptors that the store, its backups and its mounts need.
 */
#ifndef STORE_BASE_SYSTEM_DESCRIPTORS_H
#define STORE_BASE_SYSTEM_DESCRIPTORS_H

/** descriptors_raise - raise the limit as far as the system allows.  First thing in main() of a server */
void descriptors_raise(void);

/** descriptors_limit - how many this process may have by now, at most 2^20 */
unsigned descriptors_limit(void);

/** descriptors_for_tables - number of table files that the store's database may keep open, at most @wanted */
unsigned descriptors_for_tables(unsigned wanted);

/**
 * descriptors_lend - descriptors for the connections of one server, until descriptors_return()
 * @wanted: connections that the server is built for
 *
 * Each server gets at most half of those that are left, so that later servers get some, too.
 *
 * Return: the number, at most @wanted and at least 1
 * Thread: any
 */
unsigned descriptors_lend(unsigned wanted);

/** descriptors_return - the server of these @n connections has closed them */
void descriptors_return(unsigned n);

#endif
