/*
 * options - what itemfs and mount.itemfs were asked to do
 *
 *   argv  -->  options_parse()  -->  struct options  -->  options_format()  -->  text
 *                                                                                 |
 *   a further mount hands its options to the owner of the store as that text:  options_read()
 */
#ifndef FS_OPTIONS_H
#define FS_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "store/base/call.h"
#include "store/base/slice.h"

/* Strings are in the call's arena or in argv. */
struct options {
	bool help;              /* -h, --help */
	bool version;           /* -V, --version */
	bool no_mount;          /* --no-mount: only serve */
	bool create;            /* --create: make the store where there is none */
	bool foreground;        /* -f; -d too */
	bool debug;             /* -d: libfuse prints every request */
	bool single;            /* -s: one thread for each mount */
	bool fake;              /* mount.itemfs -f: check the words, do nothing */
	const char *store;      /* as given */
	const char *mountpoint; /* as given */

	const char *table;       /* NULL: all tables */
	const char *index;       /* NULL: the table itself */
	const char *suffix;      /* NULL: the default */
	const char *listen;      /* ADDR:PORT, or NULL */
	const char *credentials; /* file of who may ask there, or NULL */
	const char *note;        /* printed below the address, or NULL */
	const char *cors;        /* origin of web pages that may ask there, or NULL */
	bool ro;
	bool pretty;
	bool typed;
	bool sync;
	bool conflict_fail;
	bool has_timeout;
	double timeout_s; /* seconds, with has_timeout */
	bool has_ttl_sweep;
	uint32_t ttl_sweep_s; /* seconds between two sweeps; 0: none */
	bool has_uid;
	uid_t uid;
	bool has_gid;
	gid_t gid;
	bool has_umask;
	mode_t umask;
	const char *kernel; /* words that libfuse and the kernel understand, "" or "a,b" */
};

/**
 * options_parse - the command line
 * @argv: argv[0] ending in mount.itemfs chooses mount(8)'s rules: -n -v -s are ignored, -f is
 *        "fake", words that only fstab's readers understand are dropped
 *
 * Errors:  -ERR_VALIDATION     an unknown word, a value that is none, words missing
 *          -ERR_NOT_SUPPORTED  a word whose meaning does not exist yet
 */
int options_parse(struct call *c, int argc, char **argv, struct options *out)
	__attribute__((warn_unused_result));

/**
 * options_read - the words behind -o, added to what @out holds
 * @text: WORD[=VALUE],...; a backslash takes the next byte as it is
 *
 * Errors: as options_parse()
 */
int options_read(struct call *c, const char *text, struct options *out)
	__attribute__((warn_unused_result));

/** options_format - the words of a mount as options_read() reads them, in the call's arena */
const char *options_format(struct call *c, const struct options *o);

/** options_quote - @value with a backslash before each comma and backslash, in the call's arena */
const char *options_quote(struct call *c, const char *value);

#endif
