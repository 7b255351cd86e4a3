/*
 * engine - the interface of all back ends, through which every front end uses a store
 *
 *   fs, itemctl, HTTP --> engine_execute() --> local (LevelDB)
 *                                          \-> wire client (libcurl, SigV4)
 */
#ifndef STORE_ENGINE_ENGINE_H
#define STORE_ENGINE_ENGINE_H

#include "store/op/op.h"

struct engine;
struct feed;       /* store/engine/feed.h */
struct row_stream; /* store/engine/row_stream.h */
struct row_stream_in;
struct view; /* a snapshot of the store, for long listings */

/* Called when the operation has ended. @r: what engine_execute() would have returned */
typedef void engine_done_fn(void *arg, int r);

struct engine_ops {
	int (*execute)(struct engine *e, struct call *c, const struct op_in *in,
		       struct op_out *out);
	bool (*submit)(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
		       engine_done_fn *done, void *arg); /* NULL: not supported */
	struct feed *(*feed)(struct engine *e);      /* NULL: that of the wrapped engine, or none */
	struct view *(*view_open)(struct engine *e); /* NULL: the engine has no views */
	void (*view_close)(struct engine *e, struct view *view);
	int (*row_stream_open)(struct engine *e, struct call *c, const struct row_stream_in *in,
			       struct row_stream **out); /* NULL: row_stream_pages_open() instead */
	int (*pass)(struct engine *e, struct call *c, const char *name, struct slice body,
		    struct slice *answer); /* NULL: the engine is not a server of others */
	void (*close)(struct engine *e);
	bool shares_reads; /* views and row streams are those of the wrapped engine */
};

struct engine {
	const struct engine_ops *ops;
	struct engine *below; /* the wrapped engine, which is owned; NULL: none */
};

/**
 * engine_execute - run one operation
 * @in:  borrowed until return
 * @out: result, in the call's arena; untouched on error
 *
 * Errors:  any row of error.def, as -ERR_*, with c->error filled
 * Thread:  any number of threads at once, one call each
 */
int engine_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
	must_check;

/**
 * engine_submit - start one operation without waiting for it
 * @c, @in, @out: borrowed until @done is called
 * @done: called once, perhaps in another thread, perhaps before this function returns; must not wait
 *
 * Return: false if the engine does not accept it: use engine_execute()
 * Thread: as engine_execute()
 */
bool engine_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
		   engine_done_fn *done, void *arg) must_check;

/** engine_feed - return the feed of changes, which lives as long as the engine, or NULL if there is none */
struct feed *engine_feed(struct engine *e);

/** engine_view_open - take a snapshot; return NULL if the engine has no snapshots: read the newest state then */
struct view *engine_view_open(struct engine *e);

/** engine_view_close - release a snapshot; @view may be NULL */
void engine_view_close(struct engine *e, struct view *view);

/**
 * engine_row_stream_open - begin to read items as text, see row_stream.h
 * @out: pair with row_stream_close()
 *
 * Errors:  as engine_execute() for the requests in @in
 */
int engine_row_stream_open(struct engine *e, struct call *c, const struct row_stream_in *in,
			   struct row_stream **out) must_check;

enum { ENGINE_NO_PASS = 1 };

/**
 * engine_pass - pass a request of DynamoDB's protocol, and its answer, through to a server of others
 * @name: of the operation, such as PutItem; an operation that is not in op.def may write
 *
 * Return:  0; ENGINE_NO_PASS if the engine is not such a server, or must look into the request
 * Errors:  as engine_execute()
 */
int engine_pass(struct engine *e, struct call *c, const char *name, struct slice body,
		struct slice *answer) must_check;

/** engine_close - finish everything and free the engine; @e may be NULL */
void engine_close(struct engine *e);

/*
 * engine_below_* - members of engine_ops for an engine that wraps another one and passes these operations on.
 * engine_below_close() closes the wrapped engine and frees this one, which must own nothing else.
 */
int engine_below_pass(struct engine *e, struct call *c, const char *name, struct slice body,
		      struct slice *answer);
void engine_below_close(struct engine *e);

/* One typed call for each row of op.def: engine_get_item(e, c, &in, &out). */
#define OP(NAME, name, Name, kind, group, meter, check) \
	static inline int engine_##name(struct engine *e, struct call *c, \
					const struct name##_in *in, struct name##_out *out) \
	{ \
		struct op_in any_in = {.type = OP_##NAME, .name = *in}; \
		struct op_out any_out = {.type = OP_##NAME}; \
		int r = engine_execute(e, c, &any_in, &any_out); \
		if (r == 0) { \
			*out = any_out.name; \
		} \
		return r; \
	}
#include "store/op/op.def"
#undef OP

#endif
