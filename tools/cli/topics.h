/* topics - help texts that do not belong to one command: "itemctl help expressions" */
#ifndef TOOLS_CLI_TOPICS_H
#define TOOLS_CLI_TOPICS_H

struct topic {
	const char *name;
	const char *summary; /* one line */
	const char *text;    /* at most a screen of 80 columns */
};

/* Ends with the name NULL */
extern const struct topic topics[];

/** topics_page - the topic or command whose page explains @name; else @name */
const char *topics_page(const char *name);

/** topics_find - the topic of this name, or NULL */
const struct topic *topics_find(const char *name);

#endif
