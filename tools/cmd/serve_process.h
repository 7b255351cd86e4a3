/*
 * serve_process - the server process of serve: this process, or one in the background, becomes the program itemfs
 *
 * Another process waits for the end of itemfs and removes a temporary store (serve_keeper.h).
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
	struct opt_count ends_with;
	bool trust_network;
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
	const char *store; /* NULL: a temporary store */
	int watched;       /* the process of --ends-with, from serve_keeper_watch(); -1: none */
	struct serve_opts o;
};

/** serve_process_become - replace this process by itemfs; Return: only if it fails: -ERR_IO, the errors of the seed */
int serve_process_become(struct call *c, const struct serve_plan *p) must_check;

/* A server in the background */
struct background {
	pid_t pid;
	struct buf said; /* standard output of the server so far; in the call's arena */
};

/**
 * background_start - start the server in a child process, and wait until it prints "listening on"
 * @tied: the kernel ends the child when this process ends
 *
 * Call it before other threads exist.
 * Return: 0, or the exit status of the child, which has printed the reason on standard error.
 * Errors: -ERR_IO  there is no new process
 */
int background_start(struct call *c, const struct serve_plan *p, bool tied, struct background *out)
	must_check;

/**
 * background_exports - execute the lines "export" and "unset" that the server has printed, in this process
 *
 * Call it before other threads exist.
 * Errors: -ERR_USAGE  invalid quotes in such a line
 */
int background_exports(struct call *c, const struct background *b) must_check;

/**
 * background_run - run a program that is found in PATH, then end the server
 *
 * The program gets each SIGTERM and SIGHUP that this process gets, also one that came while it was started.
 * Return: the program's exit status, 128 + the signal that ended it, or 127 if it could not be started
 */
int background_run(const struct background *b, const char *const argv[]);

/**
 * background_tell - print the server's variables on standard output as lines for a shell
 * @port_only: print only the port
 * @chosen:    the kernel chose the port: also export it, and print a note with the line that prints only the port
 */
void background_tell(struct ctl *ctl, struct call *c, const struct background *server,
		     bool port_only, bool chosen);

#endif
