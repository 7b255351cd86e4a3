/* create_words - see create_words.h */
#include "tools/sql/create_words.h"

#include "store/base/text/shell_word.h"
#include "store/model/schema.h"

#include "tools/cli/instead.h"
#include "tools/session/ctl.h"
#include "tools/sql/rewrite.h"
#include "tools/system/find_store.h"
#include "tools/text/fmt.h"
#include "tools/text/keyspec.h"
#include "tools/text/typed_line.h"

/* Append a name; "PK,S" becomes PK:S. */
static void
create_words_put_one(struct buf *b, const char *word)
{
	size_t n = strcspn(word, ",");
	bool type = n > 0 && word[n] != '\0' && strlen(word + n) == 2 &&
		    strchr("SNB", word[n + 1]) != NULL;

	buf_put(b, word, n);
	buf_str(b, type ? ":" : word + n);
	buf_str(b, type ? word + n + 1 : "");
}

const char *
create_words_key(struct call *c, const char *begin, const struct words *words, size_t from)
{
	struct buf b = {.arena = &c->arena};

	bool other = false; /* there are types and roles between the names */

	if (begin != NULL) {
		create_words_put_one(&b, begin);
	}
	for (size_t i = from; i < words->n; i++) {
		other = other || keyspec_is_role(slice_from(words->at[i])) ||
			(i + (begin != NULL) > from &&
			 value_is_ordered(keyspec_type(slice_from(words->at[i]))));
	}
	for (size_t i = from; i < words->n; i++) {
		buf_str(&b, b.len == 0 ? "" : other ? " " : ",");
		if (other) {
			buf_str(&b, words->at[i]);
		} else {
			create_words_put_one(&b, words->at[i]);
		}
	}
	return slice_cstr(&c->arena, buf_view(&b));
}

bool
create_words_file(const char *word)
{
	static const char *const suffixes[] = {".json", ".yaml", ".yml", ".tf", ".template"};
	bool ends = false;

	for (size_t i = 0; !ends && i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		ends = slice_ends(slice_from(word), slice_from(suffixes[i]));
	}
	return ends;
}

void
create_words_line(struct buf *b, const char *name, const char *key, const char *gsi,
		  const struct create_opts *o)
{
	const struct words index = {.at = &gsi, .n = 1};
	const struct {
		const char *name;
		struct words values;
	} rows[] = {
		{"key", {.at = &key, .n = 1}},
		{"gsi", gsi == NULL ? o->gsi : index},
		{"lsi", o->lsi},
		{"stream", {.at = (const char **)&o->stream, .n = o->stream != NULL}},
		{"ttl", {.at = (const char **)&o->ttl, .n = o->ttl != NULL}},
	};

	fmt_shell(b, "create-table %", slice_from(name));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (size_t k = 0; k < rows[i].values.n; k++) {
			buf_fmt(b, " --%s ", rows[i].name);
			shell_word(b, slice_from(rows[i].values.at[k]));
		}
	}
	buf_str(b, o->throttle ? " --throttle" : "");
	if (o->collection_limit.given) {
		buf_fmt(b, " --collection-limit %lu", (unsigned long)o->collection_limit.n);
	}
	buf_str(b, o->if_not_exists ? " --if-not-exists" : "");
}

/* The other words may be the rest of a key, as in "--key PK SK", or of an index, or more tables, or a store. */
int
create_words_too_many(const struct ctl *ctl, struct call *c, const struct words *words,
		      const struct create_opts *o)
{
	assert(o->key != NULL && words->n > 1);
	const char *comma = strchr(o->key, ',');
	const char *spread =
		o->gsi.n == 1 && strpbrk(o->gsi.at[0], "=:,/( ") == NULL ? o->gsi.at[0] : NULL;
	const char *why = "create one table at a time, and give its key as one word";
	struct buf line = {.arena = &c->arena};

	buf_str(&line, "itemctl ");
	if (words->n == 2 && ctl->store_typed == NULL &&
	    (find_store_looks(words->at[0]) || access(words->at[0], F_OK) == 0)) {
		why = "give a store as an option";
		fmt_shell(&line, "-s % ", slice_from(words->at[0]));
		create_words_line(&line, words->at[1], o->key, NULL, o);
	} else if (spread != NULL && words->n <= 3) {
		why = "give an index as an option of one word";
		create_words_line(&line, words->at[0], o->key,
				  arena_print(&c->arena, "%s=%s", spread,
					      create_words_key(c, NULL, words, 1)),
				  o);
	} else if (words->n > 2 || (comma != NULL && strlen(comma) > 2)) {
		why = "create one table at a time";
		for (size_t i = 0; i < words->n; i++) {
			buf_str(&line, i == 0 ? "" : " && itemctl ");
			create_words_line(&line, words->at[i], o->key, NULL, o);
		}
	} else {
		create_words_line(&line, words->at[0], create_words_key(c, o->key, words, 1), NULL,
				  o);
	}
	return call_fail(c, ERR_USAGE, "%s: %.*s", why, SLICE_ARG(buf_view(&line)));
}

int
create_words_no_key(struct call *c, const struct words *words)
{
	struct buf line = {.arena = &c->arena};

	for (size_t i = 0; i < words->n; i++) {
		if (create_words_file(words->at[i])) {
			struct slice file = slice_from(words->at[i]);
			bool hcl = slice_ends(file, SLICE(".tf"));

			fmt_shell(&line, "itemctl create-table --from %",
				  hcl ? SLICE("plan.json") : file);
			return call_fail(c, ERR_USAGE, "%s%.*s",
					 hcl ? INSTEAD_HCL " && "
					     : "give a file of definitions as an option: ",
					 SLICE_ARG(buf_view(&line)));
		}
	}
	if (words->n == 1 && rewrite_sql(NULL, c, slice_from(words->at[0]), &line)) {
		return call_fail(c, ERR_USAGE, "for this SQL: %.*s", SLICE_ARG(buf_view(&line)));
	}
	fmt_shell(&line, "itemctl create-table % --key PK,SK",
		  words->n == 1 ? slice_from(words->at[0]) : SLICE("NAME"));
	if (words->n == 1 && !typed_line_has("-s") && find_store_lone() == NULL) {
		fmt_shell(&line,
			  "; to create a store of that name with its first table: itemctl -s ./% "
			  "create-table TABLE --key PK,SK",
			  slice_from(words->at[0]));
	}
	return call_fail(c, ERR_USAGE,
			 "create-table needs NAME and --key, or --from FILE [--data], for "
			 "example: %.*s",
			 SLICE_ARG(buf_view(&line)));
}

/* Append the key of the existing table if it is not the wanted one; false: it is, or the table cannot be described. */
static bool
create_words_other_key(struct ctl *ctl, struct call *c, const struct schema *wanted,
		       const struct schema **there, struct buf *out)
{
	*there = NULL;
	if (ctl_schema(ctl, c, wanted->table, there) < 0 || *there == NULL ||
	    key_schema_eq(&(*there)->key, &wanted->key)) {
		return false;
	}
	keyspec_print(out, &(*there)->key);
	return true;
}

int
create_words_there(struct ctl *ctl, struct call *c, const struct schema *wanted)
{
	const struct schema *there;
	call_scope(own, c->now_ms);
	struct buf b = {.arena = &own.arena};

	return create_words_other_key(ctl, &own, wanted, &there, &b)
		       ? call_fail(c, ERR_TABLE_IN_USE,
				   "the table %.*s exists with a different key: %.*s",
				   SLICE_ARG(wanted->table), SLICE_ARG(buf_view(&b)))
		       : 0;
}

void
create_words_advise(struct ctl *ctl, struct call *c, const struct schema *wanted)
{
	const struct schema *there;
	struct buf line = {.arena = &c->arena};
	call_scope(own, c->now_ms);

	buf_str(&line, "it has the key ");
	bool other = create_words_other_key(ctl, &own, wanted, &there, &line);

	if (!other && there != NULL) {
		buf_clear(&line);
		buf_str(&line, "it has that key; to accept an existing table: ");
		other = typed_line_insert(&line, SLICE("--"), SLICE("--if-not-exists"));
	}
	if (other) {
		ctl->advice = buf_view(&line);
	}
}
