/* pending - operations of op.def that are declared and not there yet; a row goes when its function comes */
#include "store/local/local_int.h"

#define PENDING(name) \
	int local_exec_##name(struct local *l, struct call *c, const struct name##_in *in, \
			      struct name##_out *out) \
	{ \
		(void)l; \
		(void)in; \
		(void)out; \
		return call_fail(c, ERR_NOT_SUPPORTED, "not yet supported"); \
	}

PENDING(check)
