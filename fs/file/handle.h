/* handle - struct handle: one open file description */
#ifndef FS_FILE_HANDLE_H
#define FS_FILE_HANDLE_H

#include "fs/core/opened.h"
#include "fs/file/file.h"

/* Members without a named lock are set by OPEN and RELEASE. */
struct handle {
	struct opened opened; /* first */
	struct node *node;
	struct file *file; /* the file that it writes; NULL: it was opened for reading */
	bool writer;       /* until handle_end_writing() */
	bool direct;  /* each READ has the program's offset: the kernel caches no pages of it */
	uint32_t uid; /* the user that opened it */
	struct usage usage;        /* for it and its text */
	struct origin *origin;     /* of the store at OPEN, or NULL; guarded by file.lock */
	struct follower *follower; /* of a .stream; NULL: another file */
	struct generated_handle *generated; /* of a generated file; NULL: another file */
	/* Closes follower or generated file; or NULL. */
	void (*close_made)(struct mount *m, struct handle *h);
	pthread_mutex_t lock; /* guards text and newest */
	struct buf text;      /* kept for further READs; all that a direct one reads; on the heap */
	uint64_t newest;      /* the feed's newest change when it was rendered */
};

/**
 * handle_open - open a node; a writer creates the file
 *
 * Waits while names are changed, so that a request that removes a name knows its open handles.
 *
 * Return: the handle; pair with handle_close(). NULL: handle_none() returns the reason
 */
struct handle *handle_open(struct mount *m, struct call *c, struct node *n, bool writer);

/**
 * handle_none - the reason why handle_open() failed
 *
 * Return: PLACE_GONE: the node has lost its name and has no text left; -ERR_NO_SPACE: the user's account is full
 */
int handle_none(const struct call *c);

/**
 * handle_keep_text - keep a copy of @text for the handle's READs; false: the account of its user is full
 *
 * The caller holds the handle's lock, or no other thread has the handle.
 */
bool handle_keep_text(struct handle *h, struct slice text) must_check;

/**
 * handle_begin_own - give a writer that starts again a file of its own, if others write
 *
 * Return: whether there are, or were, other texts of the node
 */
bool handle_begin_own(struct mount *m, struct handle *h);

/** handle_is_only - Return: whether its node has no other open handle */
bool handle_is_only(struct mount *m, const struct handle *h);

/** handle_end_writing - end the handle's role as a writer; Return: whether it was the last writer of its file */
bool handle_end_writing(struct mount *m, struct handle *h);

/** handle_close - close it: the last step of RELEASE; NULL is harmless */
void handle_close(struct mount *m, struct handle *h);

#endif
