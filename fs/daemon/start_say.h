/* start_say - standard output of a start */
#ifndef FS_DAEMON_START_SAY_H
#define FS_DAEMON_START_SAY_H

struct start;

/**
 * start_say_address - print the address of the server and hints, and write port_file=
 * @address: "ADDR:PORT" that listen= got, or ""
 */
void start_say_address(struct start *s, const char *address);

#endif
