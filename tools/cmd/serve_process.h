/*
 * serve_process - the server process of serve: this process becomes the program itemfs
 *
 * A temporary store is removed by another process, which waits for the end of itemfs.
 */
#ifndef TOOLS_CMD_SERVE_PROCESS_H
#define TOOLS_CMD_SERVE_PROCESS_H

#include "tools/cli/serve_address.h"
#include "tools/load/seed.h"
#include "tools/session/ctl.h"

struct serve_opts {
	struct serve_address at;
	const char *credentials;
	const char *cors;
	const char *ttl_sweep;
	const char *patterns;
	const char *port_file;
	const char *log; /* "-": standard error */
	bool web;
	bool temp;
	bool background;
	bool print_port; /* print only the port of a server in the background */
	bool quiet;      /* -q, if the lines for a shell are not needed */
	struct seed seed;
};

/* How the server is started */
struct serve_plan {
	struct ctl *ctl;
	const char *program; /* serve_process_program() */
	const char *store;   /* NULL: a temporary store */
	struct serve_opts o;
	const char *note; /* comment that itemfs prints after the variables */
};

/** serve_process_program - path of itemfs beside this program or in the build directory; else its name, for PATH */
const char *serve_process_program(struct call *c);

/**
 * serve_process_become - replace this process by itemfs
 * @plan: struct serve_plan
 *
 * Return: only if it fails: -ERR_IO, and the errors of the seed
 */
int serve_process_become(struct call *c, const void *plan) must_check;

#endif
