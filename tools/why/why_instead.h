/* why_instead - a path of a mount with its mistake mended: what to type in its place */
#ifndef TOOLS_WHY_WHY_INSTEAD_H
#define TOOLS_WHY_WHY_INSTEAD_H

#include "tools/why/why_names.h"

/* A walk along a path, at one of its components. */
struct why_walk {
	struct slice rest; /* of the path, behind the component; no '/' in front */
	struct buf here;   /* the path up to the component, which ends with a zero */
	struct buf dir;    /* the directory that the component is in */
	enum why_level level;
	struct slice absent; /* the first component that is not there */
	struct slice before; /* the component in front of it */
	bool sorts;          /* a condition on the sort key is in front of it */
	size_t root;         /* bytes of the path: the root of the mount */
	size_t table;        /* that of the table; 0: none */
	size_t query;        /* the directory that the first clause is in; 0: none */
	struct slice index;  /* that the path is in; empty: none */
	bool more;           /* the sentence says more than a refusal of the path does */
	bool written; /* the path was refused on writing: a name that is not there is meant */
	struct buf *instead; /* what is to be typed, in a shell's quotes; empty: not known */
};

/** why_instead_put - the first @keep bytes of the path, @by, and @rest, each a component or several, or empty */
void why_instead_put(struct why_walk *w, size_t keep, struct slice by, struct slice rest);

/** why_instead_here - likewise @by in the place of the component */
void why_instead_here(struct why_walk *w, struct slice by);

/** why_instead_import - append a sentence if @name is a file of many items, or of a table: the command that takes it; else false */
bool why_instead_import(struct why_walk *w, struct slice name, bool is_there, struct buf *out);

/** why_instead_key - append a sentence if the filter @expression compares a part of the key, which a clause does; else false */
bool why_instead_key(struct why_walk *w, struct slice expression, struct buf *out);

/** why_instead_clause - append a sentence on a clause that may not stand where it is, below another one or in a partition; else false */
bool why_instead_clause(struct why_walk *w, struct slice name, struct buf *out);

/**
 * why_instead_slash - append that a '/' is written %2F, if the rest of the path can be of the key that begins with @name
 * @in_file: the key is that of an item's file; else the first part is of a partition
 */
bool why_instead_slash(struct why_walk *w, bool in_file, struct slice name, struct buf *out);

/** why_instead_name - append a sentence if @name spells a key otherwise than the mount does, or only a part of it; else false */
bool why_instead_name(struct why_walk *w, struct slice name, struct buf *out);

#endif
