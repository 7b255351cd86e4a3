/* cmd_mask - mask: shows how rules change some items, without copying them */
#include "store/engine/engine.h"
#include "store/model/item.h"

#include "tools/cmd/cmd.h"
#include "tools/mask/mask.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"

enum { MASK_SHOWN = 10 };

struct mask_opts {
	const char *check;
	const char *key;
	struct opt_count limit;
};

static const struct opt mask_opts[] = {
	{"check", 0, OPT_TEXT, "RULES", offsetof(struct mask_opts, check),
	 "the file with the rules; - is standard input"},
	{"mask-key", 0, OPT_TEXT, "FILE", offsetof(struct mask_opts, key),
	 "the key for hashes; default: $ITEMFS_MASK_KEY"},
	{"limit", 'n', OPT_COUNT, "N", offsetof(struct mask_opts, limit), "items; default: 10"},
	OPTS_END(struct mask_opts),
};

static void
mask_print_attribute(struct ctl *ctl, struct call *c, const struct mask *m, size_t n,
		     const struct attr *before, const struct value *after)
{
	struct attr row[] = {
		row_count(&c->arena, "Item", n),
		row_text("Attribute", before->name),
		row_text("Rule", mask_rule_of(c, m, before->name)),
		{.name = SLICE("Before"), .value = before->value},
		{.name = SLICE("After")},
	};

	if (after != NULL) {
		row[4].value = *after;
	}
	(void)out_item(&ctl->out, &(struct item){.at = row, .n = after == NULL ? 4 : 5});
}

static int
mask_print(struct ctl *ctl, struct call *c, const struct mask *m, const struct schema *s,
	   const struct page *page)
{
	struct item *after = arena_new(&c->arena, struct item, page->count + 1);

	for (size_t i = 0; i < page->count; i++) {
		after[i] = page->items[i];
	}
	int r = mask_items(c, m, &s->key, after, page->count);

	for (size_t i = 0; r == 0 && i < page->count; i++) {
		const struct item *it = &page->items[i];

		for (size_t k = 0; k < it->n; k++) {
			mask_print_attribute(ctl, c, m, i + 1, &it->at[k],
					     item_get(&after[i], it->at[k].name));
		}
	}
	return r;
}

static int
mask_show(struct ctl *ctl, struct call *c, const struct mask *m, struct slice table, uint64_t limit)
{
	struct scan_in in = {.read = {.table = table, .has_limit = true, .limit = (uint32_t)limit}};
	struct scan_out out = {0};
	const struct schema *s = NULL;
	int r = ctl_schema(ctl, c, table, &s);

	r = r < 0 ? r : mask_check(c, m, s);
	r = r < 0 ? r : engine_scan(ctl->engine, c, &in, &out);
	r = r < 0 ? r : mask_print(ctl, c, m, s, &out.page);
	if (r == 0) {
		mask_note_unused(m, ctl, "none of these items has it");
	}
	return r;
}

static int
run_mask(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct mask_opts *o = opts;
	struct mask *m = NULL;

	if (o->check == NULL) {
		return call_fail(c, ERR_USAGE, "mask needs --check RULES");
	}
	if (o->limit.given && (o->limit.n == 0 || o->limit.n > 1000)) {
		return call_fail(c, ERR_USAGE, "--limit must be 1 to 1000");
	}
	int r = mask_read(c, o->check, o->key, &m);

	r = r < 0 ? r
		  : mask_show(ctl, c, m, slice_from(words->at[0]),
			      o->limit.given ? o->limit.n : MASK_SHOWN);
	mask_free(m);
	return r;
}

const struct command cmd_mask = {
	.name = "mask",
	.usage = "TABLE --check RULES [--mask-key FILE] [--limit N]",
	.summary = "show some items as the rules of copy --mask change them",
	.details =
		"RULES has one rule per line, PATH ACTION, and comments:\n"
		"  # what must not leave\n"
		"  PK             hash after #         CUSTOMER#42 keeps CUSTOMER#\n"
		"  SK             shift-days 400 after # when ORDER#\n"
		"  SK             hash after # except PROFILE\n"
		"  email          hash                 equal values stay equal, in all tables\n"
		"  name           fake name\n"
		"  address.street fake street\n"
		"  notes[].text   redact\n"
		"  birth          shift-days 400\n"
		"  *              drop                 each attribute that has no rule\n"
		"Actions: keep; drop; redact [TEXT]: *** or 0; hash: HMAC-SHA256, a number becomes a\n"
		"number; shift N: added to numbers; shift-days N: added to dates, as YYYY-MM-DD or as\n"
		"seconds or milliseconds since 1970; fake name, first-name, last-name, company, email,\n"
		"phone, address, street, zip, city, text, or from FILE, one word per line. after SEP\n"
		"changes only the text after the first SEP; parts SEP changes every second part\n"
		"(TENANT#7#USER#42); a text without SEP is changed as a whole. when PREFIX applies to\n"
		"texts with that prefix; further rules for the path apply to the others. except VALUE ...\n"
		"keeps those values. A value that is not a date or number cannot be shifted: it is\n"
		"redacted, or refused in a key. An attribute without a rule does not change. Rules that\n"
		"could give two items the same key are refused. The key has at least 16 bytes, is in a\n"
		"file or in ITEMFS_MASK_KEY, and is never printed.",
	.examples = "itemctl mask music --check rules.txt\n"
		    "itemctl mask music --check rules.txt --limit 3 --format json\n",
	.opts = mask_opts,
	.min_words = 1,
	.max_words = 1,
	.pages = true,
	.lists = true,
	.run = run_mask,
};
