/*
 * options - options of itemfs and mount.itemfs
 *
 *   argv  -->  options_parse()  -->  struct options  -->  options_format()  -->  text
 *                                                                                 |
 *   a process that joins sends its options to the owner of the store as text:  options_read()
 */
#ifndef FS_DAEMON_OPTIONS_H
#define FS_DAEMON_OPTIONS_H

#include "store/base/core/base.h"

/* Strings are in the call's arena or in argv. */
struct options {
	const char *store;       /* as given */
	const char *mountpoint;  /* as given */
	const char *table;       /* NULL: all tables */
	const char *index;       /* NULL: the table itself */
	const char *suffix;      /* NULL: the default */
	const char *listen;      /* ADDR:PORT, or NULL */
	const char *credentials; /* file with the keys that listen= accepts, or NULL */
	const char *patterns;    /* file of access patterns for the pages of listen=, or NULL */
	const char *request_log; /* file that gets a line for each request, or NULL */
	const char *port_file;   /* file that gets the port once it listens, or NULL */
	const char *note;        /* printed below the address, or NULL */
	const char *cors;        /* origin of web pages that may send requests, or NULL */
	const char *host;   /* further host names accepted in requests: NAME[:NAME...], or NULL */
	const char *token;  /* secret path of the pages; NULL: a random one, see main.c */
	double timeout_s;   /* cache time of the kernel, with has_timeout */
	const char *rate;   /* endpoint: limit of units per second; NULL: no limit */
	const char *ro_why; /* a sentence why the mount is read-only, or NULL */
	const char *kernel; /* words for libfuse and the kernel: "" or "a,b" */
	uint32_t timeout_request_s; /* time that an endpoint has to answer; 0: no limit */
	uint32_t max_read;          /* endpoint: read units per minute; 0: no limit */
	uint32_t ttl_sweep_s;       /* time between two sweeps; 0: no sweeps */
	uint32_t max_delete;        /* items of a table that may be deleted per minute */
	uid_t uid;
	gid_t gid;
	mode_t umask;
	bool help;          /* -h, --help */
	bool version;       /* -V, --version */
	bool no_mount;      /* --no-mount: only serve */
	bool create;        /* --create: make the store where there is none */
	bool foreground;    /* -f or -d */
	bool debug;         /* -d: libfuse prints every request */
	bool single;        /* -s: one thread for each mount */
	bool helper;        /* called as mount.itemfs */
	bool fake;          /* mount.itemfs -f: check the words, do nothing */
	bool quiet;         /* print only the address, no lines for a shell */
	bool trust_network; /* listen= on any address without credentials */
	bool web;           /* with credentials: also serve pages for a browser */
	bool ro;            /* read-only: requested, or by default for a far endpoint */
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
	bool has_max_delete; /* given, or by default for a far endpoint */
	bool allow_mass_delete;
	bool has_uid;
	bool has_gid;
	bool ro_by_itself; /* ro by default, not requested */
	bool write;        /* -o write, or -o rw from another program than mount(8) */
	bool has_umask;
};

/**
 * options_parse - parse the command line
 * @argv: if argv[0] ends in mount.itemfs, the rules of mount(8) apply: -n -v -s are ignored, -f means "fake", and
 *        -o rw does not count as a request to write
 *
 * With help or version set, nothing else is checked.
 * Errors:  -ERR_VALIDATION     unknown option, invalid value, missing argument, options that exclude each other
 *          -ERR_NOT_SUPPORTED  an option that this version does not support
 */
int options_parse(struct call *c, int argc, char **argv, struct options *out) must_check;

/**
 * options_read - parse the argument of -o, and add its words to @out
 * @text: WORD[=VALUE],...; a backslash quotes the next byte
 *
 * Errors: as options_parse()
 */
int options_read(struct call *c, const char *text, struct options *out) must_check;

/** options_format - format words for options_read(), without kernel words, each with a comma.  Memory: the call's */
const char *options_format(struct call *c, const struct options *o);

/**
 * options_word - find the word of -o for the long option --@name, which may be a name that other programs use
 * @valued: set to whether the word needs a value
 *
 * Return: false: there is none
 */
bool options_word(const char *name, const char **word, bool *valued);

/** options_quote - copy @value with a backslash before each comma and backslash, in the call's arena */
const char *options_quote(struct call *c, const char *value);

/* ------------------------------------------------------------ options_other.c: advice on other programs' options */

/**
 * options_other - advice on an unknown option, to print after "unknown option: NAME: "
 * @name: without its value
 *
 * Return: NULL: there is none
 */
const char *options_other(const char *name);

/**
 * options_verb - refuse a first argument that is no store, but a command of other programs, such as umount
 * @next: the second argument, or NULL
 * @last: the third argument, or NULL
 *
 * Return: 0: it is not refused; -ERR_VALIDATION: the message has the command to type
 */
int options_verb(struct call *c, const char *word, const char *next, const char *last);

/**
 * options_program - refuse a first argument that is no store, but a command of itemctl
 *
 * Return: 0: it is not refused; -ERR_VALIDATION: the message has the command to type
 */
int options_program(struct call *c, int argc, char *const *argv);

#endif
