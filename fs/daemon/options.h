/*
 * options - what itemfs and mount.itemfs were asked to do
 *
 *   argv  -->  options_parse()  -->  struct options  -->  options_format()  -->  text
 *                                                                                 |
 *   a further mount hands its options to the owner of the store as that text:  options_read()
 */
#ifndef FS_DAEMON_OPTIONS_H
#define FS_DAEMON_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

#include "store/base/core/call.h"
#include "store/base/core/slice.h"

/* Strings are in the call's arena or in argv. */
struct options {
	const char *store;       /* as given */
	const char *mountpoint;  /* as given */
	const char *table;       /* NULL: all tables */
	const char *index;       /* NULL: the table itself */
	const char *suffix;      /* NULL: the default */
	const char *listen;      /* ADDR:PORT, or NULL */
	const char *credentials; /* file of who may ask there, or NULL */
	const char *patterns;    /* file of access patterns for the pages there, or NULL */
	const char *request_log; /* file that gets a line for each request, or NULL */
	const char *port_file;   /* gets the port, once it listens */
	const char *note;        /* printed below the address, or NULL */
	const char *cors;        /* origin of web pages that may ask there, or NULL */
	const char *host;  /* what else requests may call this machine: NAME[:NAME...], or NULL */
	const char *token; /* the secret in their path; NULL: a random one, see main.c */
	double timeout_s;  /* seconds, with has_timeout */
	const char *rate;  /* of an endpoint: what it may consume a second; NULL: no limit */
	const char
		*ro_why; /* of ro_by_itself, and of a store that is marked: a sentence; else NULL */
	const char *kernel;         /* words that libfuse and the kernel understand, "" or "a,b" */
	uint32_t timeout_request_s; /* an endpoint has so long to answer; 0: no limit */
	uint32_t max_read;          /* read units a minute of an endpoint; 0: no limit */
	uint32_t ttl_sweep_s;       /* seconds between two sweeps; 0: none */
	uint32_t max_delete;        /* items of a table that may be deleted in a minute */
	uid_t uid;
	gid_t gid;
	mode_t umask;
	bool help;       /* -h, --help */
	bool version;    /* -V, --version */
	bool no_mount;   /* --no-mount: only serve */
	bool create;     /* --create: make the store where there is none */
	bool foreground; /* -f; -d too */
	bool debug;      /* -d: libfuse prints every request */
	bool single;     /* -s: one thread for each mount */
	bool helper;     /* called as mount.itemfs */
	bool fake;       /* mount.itemfs -f: check the words, do nothing */
	bool quiet;      /* of what is printed for a shell only the address */
	bool web;        /* with credentials: pages for a browser, too */
	bool ro;         /* asked for, or of an endpoint that is not on loopback */
	bool pretty;
	bool typed;
	bool sync;
	bool dotdirs; /* .index and .itemfs are listed */
	bool conflict_fail;
	bool consistent; /* reads of an endpoint are strongly consistent */
	bool has_timeout;
	bool has_timeout_request;
	bool has_max_read;
	bool has_ttl_sweep;
	bool has_max_delete; /* given, or of an endpoint that is not on loopback */
	bool allow_mass_delete;
	bool has_uid;
	bool has_gid;
	bool ro_by_itself; /* nobody has asked for ro */
	bool write;        /* -o write, or -o rw that is not mount(8)'s own */
	bool has_umask;
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

/**
 * options_word - the word of -o that the long option --@name means, as it is or as other programs call it
 * @valued: does it take a value?
 *
 * Return: is there one?
 */
bool options_word(const char *name, const char **word, bool *valued);

/** options_quote - @value with a backslash before each comma and backslash, in the call's arena */
const char *options_quote(struct call *c, const char *value);

#endif
