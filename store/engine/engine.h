/*
 * engine - the one API below every door
 *
 *   fs, itemctl, HTTP --> engine_execute() --> local (LevelDB)
 *                                          \-> wire client (libcurl, SigV4)
 */
#ifndef STORE_ENGINE_ENGINE_H
#define STORE_ENGINE_ENGINE_H

#include "store/base/core/call.h"
#include "store/op/op.h"

struct engine;
struct feed; /* store/engine/feed.h */
struct flow; /* store/engine/flow.h */
struct flow_in;
struct view; /* a frozen state of the store, for listings that go on for long */

/* The operation has ended: @r is what engine_execute() would have returned. */
typedef void engine_done_fn(void *arg, int r);

struct engine_ops {
	int (*execute)(struct engine *e, struct call *c, const struct op_in *in,
		       struct op_out *out);
	bool (*submit)(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
		       engine_done_fn *done, void *arg); /* NULL: the engine takes none */
	struct feed *(*feed)(struct engine *e);          /* NULL: the engine has no feed */
	struct view *(*view_open)(struct engine *e);     /* NULL: the engine has no views */
	void (*view_close)(struct engine *e, struct view *view);
	int (*flow_open)(struct engine *e, struct call *c, const struct flow_in *in,
			 struct flow **out); /* NULL: its pages are read (flow_pages.h) */
	int (*pass)(struct engine *e, struct call *c, const char *name, struct slice body,
		    struct slice *answer); /* NULL: the engine is no other's server */
	void (*close)(struct engine *e);
};

struct engine {
	const struct engine_ops *ops;
	struct engine
		*below; /* of an engine around another one: that one, which it owns; else NULL */
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
	__attribute__((warn_unused_result));

/**
 * engine_submit - start one operation and return at once
 * @c, @in, @out: borrowed until @done is called
 * @done: called once, perhaps in another thread, perhaps before the return; must not wait
 *
 * Return: false when the engine does not take it: use engine_execute()
 * Thread: as engine_execute()
 */
bool engine_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
		   engine_done_fn *done, void *arg) __attribute__((warn_unused_result));

/** engine_feed - the feed of changes, or NULL; lives as long as the engine */
struct feed *engine_feed(struct engine *e);

/** engine_view_open - freeze the present state; NULL when the engine cannot: read the newest state
 * then */
struct view *engine_view_open(struct engine *e);

/** engine_view_close - let it go; NULL is harmless */
void engine_view_close(struct engine *e, struct view *view);

/**
 * engine_flow_open - begin to read as text, see flow.h
 *
 * Errors:  as of the requests
 */
int engine_flow_open(struct engine *e, struct call *c, const struct flow_in *in, struct flow **out)
	__attribute__((warn_unused_result));

enum { ENGINE_NO_PASS = 1 };

/**
 * engine_pass - a request of DynamoDB's protocol as it is to another's server, its answer as it is
 * @name: of the operation, as PutItem; one that op.def does not have may write
 *
 * Return:  0, ENGINE_NO_PASS: the engine is no such server, or would have to look into the request; the
 *          errors of engine_execute()
 */
int engine_pass(struct engine *e, struct call *c, const char *name, struct slice body,
		struct slice *answer) __attribute__((warn_unused_result));

/** engine_close - finish everything and free the engine; NULL is harmless */
void engine_close(struct engine *e);

/*
 * engine_below_* - rows of engine_ops for an engine around another one that changes nothing there.
 * engine_below_close() closes that one and frees the engine, which has nothing else to let go.
 */
struct feed *engine_below_feed(struct engine *e);
struct view *engine_below_view_open(struct engine *e);
void engine_below_view_close(struct engine *e, struct view *view);
int engine_below_flow_open(struct engine *e, struct call *c, const struct flow_in *in,
			   struct flow **out);
int engine_below_pass(struct engine *e, struct call *c, const char *name, struct slice body,
		      struct slice *answer);
void engine_below_close(struct engine *e);

/* One typed call for each row of op.def: engine_get_item(e, c, &in, &out). */
#define OP(NAME, name, Name, kind, group, meter) \
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
