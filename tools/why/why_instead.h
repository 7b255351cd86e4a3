/* why_instead - corrects a mistake in a path of a mount: what to type instead */
#ifndef TOOLS_WHY_WHY_INSTEAD_H
#define TOOLS_WHY_WHY_INSTEAD_H

#include "tools/why/why_names.h"

/* State of the walk along a path, at one component */
struct why_walk {
	struct slice rest; /* the path after the component, without a leading '/' */
	struct buf
		here; /* the path up to the component, with a zero byte at its end while it is examined */
	struct buf dir; /* the directory that the component is in, with a zero byte at its end */
	enum why_level level;
	struct slice absent; /* the first component that does not exist */
	struct slice before; /* the component before this one */
	bool sorts;          /* an earlier clause is a condition on the sort key */
	size_t root;         /* bytes of the path up to the root of the mount */
	size_t table;        /* bytes up to the root of the table; 0: none */
	size_t query;        /* bytes up to the directory of the first clause; 0: none */
	struct slice index;  /* name of the index that the path is in; empty: none */
	bool more;           /* the sentence says more than the log line of a refusal */
	bool written; /* the path was refused on writing, so a missing name is not misspelt */
	struct buf *instead; /* what to type, quoted for a shell; empty: unknown */
};

/** why_instead_here - set w->instead to the path with @by in the place of the component */
void why_instead_here(struct why_walk *w, struct slice by);

/**
 * why_instead_import - append a sentence if @name is a file of many items: the command that imports it
 * @is_there: the file exists in the mount
 *
 * Return: false if @name is no such file
 */
bool why_instead_import(struct why_walk *w, struct slice name, bool is_there, struct buf *out);

/** why_instead_key - append a sentence if @expression, a filter, compares a key attribute; else return false */
bool why_instead_key(struct why_walk *w, struct slice expression, struct buf *out);

/** why_instead_clause - append a sentence if the clause @name is in a wrong place; else return false */
bool why_instead_clause(struct why_walk *w, struct slice name, struct buf *out);

/**
 * why_instead_slash - append that '/' is written %2F, if the rest of the path can belong to the key @name
 * @in_file: it is the key in the name of an item file; else the first part is the partition key
 *
 * Return: false if it cannot; nothing is appended
 */
bool why_instead_slash(struct why_walk *w, bool in_file, struct slice name, struct buf *out);

/** why_instead_name - append a sentence if @name is another spelling of a key or a part of one; else return false */
bool why_instead_name(struct why_walk *w, struct slice name, struct buf *out);

#endif
