/* spending - see spending.h */
#include "tools/session/spending.h"

#include "store/engine/meter.h"
#include "store/engine/rate.h"
#include "store/open.h"

#include "tools/out/show.h"
#include "tools/session/ctl.h"

int
spending_rate(struct spending *s, struct call *c, const char *rate)
{
	if (rate == NULL) {
		return 0;
	}
	s->has_rate = true;
	s->rate = (struct rate){.option = "--rate"};
	if (!rate_parse(rate, &s->rate)) {
		return call_fail(
			c, ERR_USAGE,
			"--rate needs units per second, such as 100, or 1%% to 100%% of a table's "
			"provisioned units, such as 25%%; not \"%s\"",
			rate);
	}
	return 0;
}

struct engine *
spending_open(struct spending *s, const char *store, struct engine *below)
{
	if (!store_is_remote(store)) {
		return below;
	}
	if (s->meter == NULL) {
		s->meter = meter_new();
	}
	below = meter_open(below, s->meter);
	return s->has_rate ? rate_open(below, &s->rate) : below;
}

static void
spending_put(struct buf *b, uint64_t halves, const char *what)
{
	buf_fmt(b, "%s %lu%s %s unit%s", b->len == 0 ? "consumed" : ",",
		(unsigned long)(halves / 2), halves % 2 == 0 ? "" : ".5", what,
		halves == 2 ? "" : "s");
}

static void
spending_say_sums(const struct spending *s, const struct ctl *ctl)
{
	struct meter_sums sums = meter_sums(s->meter);
	cleanup(buf_release) struct buf b = {0};

	if (sums.read_halves > 0) {
		spending_put(&b, sums.read_halves, "read");
	}
	if (sums.write_halves > 0) {
		spending_put(&b, sums.write_halves, "write");
	}
	if (b.len > 0) {
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	}
}

static void
spending_show(struct meter *m)
{
	cleanup(buf_release) struct buf lines = {0};

	meter_print(m, &lines);
	show_lines(buf_view(&lines));
}

void
spending_say(const struct spending *s, const struct ctl *ctl)
{
	/* For an endpoint both meters count: print only one. */
	bool local = ctl->meter != NULL && (ctl->store == NULL || !store_is_remote(ctl->store));

	if (ctl->capacity && local) {
		spending_show(ctl->meter);
	}
	if (s->meter != NULL && ctl->capacity) {
		spending_show(s->meter);
	} else if (s->meter != NULL && isatty(STDERR_FILENO)) {
		spending_say_sums(s, ctl);
	}
	if (s->has_rate && s->meter == NULL && ctl->engine != NULL) {
		ctl_note(ctl, "--rate had no effect: it is for endpoints, and this store is on "
			      "this machine");
	}
}
