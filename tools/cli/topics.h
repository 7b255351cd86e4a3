/* topics - what help tells beside commands: "itemctl help expressions" */
#ifndef TOOLS_CLI_TOPICS_H
#define TOOLS_CLI_TOPICS_H

struct topic {
	const char *name;
	const char *summary; /* one line */
	const char *text;    /* a screen of 80 columns at most */
};

/* Ends with a name NULL. */
extern const struct topic topics[];

/** topics_page - the topic or command whose page tells of @name; else @name */
const char *topics_page(const char *name);

/** topics_find - the one of this name, or NULL */
const struct topic *topics_find(const char *name);

#endif
