/*
 * http_loops - the loops, threads of libmicrohttpd that read and answer connections, and the thread that accepts on TCP
 *
 * The Unix socket has one loop, which accepts its connections itself: commands and mounts connect there, and each
 * connection would cost a further switch of threads.  TCP has a loop for each processor, at most four.  A thread, the
 * acceptor, passes each connection to the loop that has the fewest, which keeps it.  With libmicrohttpd's own thread
 * pool, the loop that wakes first could take all of them, and MHD_quiesce_daemon() can abort the process.
 *
 *   http_loops_start() http_loops_end_accepting() [ http_loops_drain() ] http_loops_free()
 */
#ifndef STORE_WIRE_SERVER_HTTP_LOOPS_H
#define STORE_WIRE_SERVER_HTTP_LOOPS_H

#include <stdbool.h>

struct server;
struct http_loops;

/**
 * http_loops_start - start the threads; they use @s->listener
 *
 * If only some of the loops of TCP can be started, they share the connections.
 *
 * Return: NULL if no loop, or not the acceptor, can be started.
 */
struct http_loops *http_loops_start(struct server *s);

/** http_loops_end_accepting - accept no further connection; on TCP, close the listener */
void http_loops_end_accepting(struct http_loops *ls);

/**
 * http_loops_drain - refuse new clients of the Unix socket, accept those that have connected already, and wait until
 * the loop has their connections
 */
void http_loops_drain(struct http_loops *ls);

/** http_loops_free - close all connections, end the loops; after http_loops_end_accepting() */
void http_loops_free(struct http_loops *ls);

#endif
