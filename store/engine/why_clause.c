/* why_clause - see why_clause.h */
#include "store/engine/why_clause.h"

#include "store/base/text/near.h"

/* fs/format/clauses.h has the list that the mount uses. */
static const struct {
	const char *name;
	bool sort;
	const char *example; /* with a value; NULL: it takes none */
} clauses[] = {
	{".eq", true, ".eq/VALUE"},
	{".lt", true, ".lt/VALUE"},
	{".le", true, ".le/VALUE"},
	{".gt", true, ".gt/VALUE"},
	{".ge", true, ".ge/VALUE"},
	{".between", true, ".between/FROM/TO"},
	{".begins_with", true, ".begins_with/TEXT"},
	{".filter", false, ".filter/'Year > 1990'"},
	{".project", false, ".project/NAME,NAME"},
	{".reverse", false, NULL},
	{".limit", false, ".limit/10"},
	{".shards", false, ".shards/0..14"},
	{".jsonl", false, NULL},
	{".json", false, NULL},
	{".csv", false, NULL},
	{".count", false, NULL},
	{".index", false, NULL},
	{".itemfs", false, NULL},
	{".table.json", false, NULL},
	{".stream", false, NULL},
	{".stream.jsonl", false, NULL},
};

enum { N_CLAUSES = sizeof(clauses) / sizeof(clauses[0]) };

/* Words of other tools, without the dot. */
static const struct {
	const char *others; /* with blanks between them */
	const char *ours;
} words[] = {
	{"where having", ".filter/'Year > 1990'"},
	{"contains", ".filter/'contains(NAME, \"text\")'"},
	{"like", ".filter/'contains(NAME, \"text\")', or .begins_with/TEXT of the sort key"},
	{"ne", ".filter/'NAME <> VALUE'"},
	{"not", ".filter/'NOT NAME = VALUE'"},
	{"in", ".filter/'NAME IN (1, 2)'"},
	{"select columns fields attributes", ".project/NAME,NAME"},
	{"first", ".limit/1"},
	{"head top", ".limit/10"},
	{"max last", ".reverse/.limit/1"},
	{"tail", ".reverse/.limit/10"},
	{"desc descending", ".reverse"},
	{"sort order orderby",
	 ".reverse for the other order; the items of a partition are sorted by their sort key"},
	{"asc", "no clause: the order is ascending; .reverse for the other order"},
	{"prefix startswith", ".begins_with/TEXT"},
	{"range", ".between/FROM/TO"},
	{"from since gte", ".ge/VALUE"},
	{"after", ".gt/VALUE"},
	{"before", ".lt/VALUE"},
	{"until lte", ".le/VALUE"},
	{"offset skip",
	 ".gt/VALUE, with the last sort key: DynamoDB cannot skip a number of items"},
	{"page", ".gt/VALUE/.limit/N, with the last sort key"},
	{"gsi gsis lsis globalsecondaryindexes idx lsi indexes indices", ".index"},
	{"schema schema.json table describe info", ".table.json"},
	{"tables databases", "the mount's root: its directories are the tables"},
	{"query", "the path: PARTITION/.begins_with/TEXT/.limit/10"},
	{"scan all items dump", ".jsonl at the table's root"},
	{"ndjson jsonlines txt", ".jsonl"},
	{"tsv", ".csv"},
	{"yaml yml xml", ".json"},
	{"sum", ".jsonl, and jq -s 'map(.NAME) | add'"},
	{"avg", ".jsonl, and jq -s 'map(.NAME) | add / length'"},
	{"size length len wc total", ".count"},
	{"changes events watch log follow streams", ".stream"},
	{"stream.json", ".stream.jsonl"},
	{"help readme", ".itemfs/README at the mount's root"},
};

/* The index of the clause @name; -1: none */
static int
why_clause_find(struct slice name)
{
	for (int i = 0; i < (int)N_CLAUSES; i++) {
		if (slice_is(name, clauses[i].name)) {
			return i;
		}
	}
	return -1;
}

bool
why_clause_is(struct slice name)
{
	return why_clause_find(name) >= 0;
}

bool
why_clause_is_sort(struct slice name)
{
	int i = why_clause_find(name);

	return i >= 0 && clauses[i].sort;
}

bool
why_clause_awaits(struct slice name)
{
	int i = why_clause_find(name);

	return i >= 0 && clauses[i].example != NULL;
}

/* Whether it is the name of a generated file. */
static bool
why_clause_is_text(struct slice name)
{
	return slice_is(name, ".jsonl") || slice_is(name, ".json") || slice_is(name, ".csv") ||
	       slice_is(name, ".count") || slice_is(name, ".stream.jsonl");
}

/* Whether @a equals @b, which is in lower case, if case, "-" and "_" are ignored. */
static bool
why_clause_same(struct slice a, struct slice b)
{
	size_t k = 0;

	for (size_t i = 0; i < a.len; i++) {
		if (a.at[i] == '-' || a.at[i] == '_') {
			continue;
		}
		if (k == b.len || ascii_lower(a.at[i]) != b.at[k]) {
			return false;
		}
		k++;
	}
	return k == b.len;
}

/* The clause or sentence for another tool's @word, without its dot; NULL: unknown */
static const char *
why_clause_other(struct slice word)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		for (struct slice rest = slice_from(words[i].others); rest.len > 0;) {
			if (why_clause_same(word, slice_take(&rest, ' '))) {
				return words[i].ours;
			}
		}
	}
	return NULL;
}

/* Appends the clause in @ours, of words[], if it can be used as a path. @value: leave out the value, an example */
static void
why_clause_by(const char *ours, bool value, struct buf *by)
{
	const char *slash = value ? strrchr(ours, '/') : NULL;
	size_t n = slash == NULL ? strlen(ours) : (size_t)(slash - ours);

	/* It is a sentence, or an expression that needs more than a value. */
	if (ours[0] != '.' || strpbrk(ours, ",(<") != NULL || strstr(ours, "NOT ") != NULL ||
	    strstr(ours, " IN ") != NULL) {
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (ours[i] == ' ' || (ours[i] >= 'A' && ours[i] <= 'Z')) {
			return;
		}
	}
	const char *last = memrchr(ours, '/', n);
	struct slice clause = last == NULL ? slice_of(ours, n)
					   : slice_of(last + 1, n - (size_t)(last + 1 - ours));

	if (!value || why_clause_awaits(clause) || slice_is(clause, ".index")) {
		buf_put(by, ours, n);
	}
}

/* For ".limit=5", ".limit:5" and ".filter(a = 1)", appends the clause and its value as two components. */
static bool
why_clause_joined(struct slice name, struct buf *by)
{
	for (size_t i = 0; i < N_CLAUSES; i++) {
		struct slice clause = slice_from(clauses[i].name);
		struct slice rest =
			slice_starts(name, clause) ? slice_skip(name, clause.len) : SLICE("");

		if (rest.len < 2 || strchr("=:( ", rest.at[0]) == NULL) {
			continue;
		}
		bool list = rest.at[0] == '(' && rest.at[rest.len - 1] == ')';

		rest = ascii_trim(slice_of(rest.at + 1, rest.len - 1 - list));
		if (rest.len > 0 && clauses[i].example != NULL) {
			buf_fmt(by, "%s/%.*s", clauses[i].name, SLICE_ARG(rest));
			return true;
		}
	}
	return false;
}

/* For ".jsonl.gz", a generated file in another form, appends ".jsonl". */
static bool
why_clause_packed(struct slice name, struct buf *by)
{
	for (size_t i = 0; i < N_CLAUSES; i++) {
		struct slice clause = slice_from(clauses[i].name);

		if (why_clause_is_text(clause) && slice_starts(name, clause) &&
		    name.len > clause.len && name.at[clause.len] == '.') {
			buf_slice(by, clause);
			return true;
		}
	}
	return false;
}

void
why_clause_none(struct slice name, bool value, struct buf *out, struct buf *by)
{
	struct near near = near_start(name);
	const char *other = why_clause_other(slice_skip(name, 1));

	buf_fmt(out, "there is no clause %.*s", SLICE_ARG(name));
	if (other != NULL) {
		buf_fmt(out, "; here it is %s", other);
		why_clause_by(other, value, by);
	} else if (why_clause_joined(name, by)) {
		buf_fmt(out, ": the value is the next component: %.*s", SLICE_ARG(buf_view(by)));
	} else if (why_clause_packed(name, by)) {
		buf_fmt(out, ": did you mean %.*s?", SLICE_ARG(buf_view(by)));
	} else {
		for (size_t i = 0; i < N_CLAUSES; i++) {
			near_try(&near, slice_from(clauses[i].name));
		}
		near_put(out, &near, "");
		buf_slice(by, near.best);
		buf_str(out, near.best.len == 0 ? "; itemctl help paths lists them" : "");
	}
}

bool
why_clause_bare(struct slice name, bool value, struct buf *out, struct buf *by)
{
	const char *other = why_clause_other(name);

	for (size_t i = 0; i < N_CLAUSES; i++) {
		if (slice_is(name, clauses[i].name + 1) && !slice_is(name, "itemfs")) {
			buf_fmt(out, "a clause begins with a dot: %s",
				clauses[i].example != NULL ? clauses[i].example : clauses[i].name);
			buf_str(by, value || clauses[i].example == NULL ? clauses[i].name : "");
			return true;
		}
	}
	if (other == NULL || other[0] != '.') {
		return false;
	}
	buf_fmt(out, "if a clause is meant: %s", other);
	if (value) { /* without a value, it may be a key */
		why_clause_by(other, true, by);
	}
	return true;
}

bool
why_clause_unfinished(struct slice before, struct slice name, struct buf *out, struct buf *by)
{
	static const char *const between[] = {" AND ", " and ", "..", ","};
	int i = why_clause_find(name);

	if (slice_is(before, ".between")) {
		for (size_t k = 0; by->len == 0 && k < sizeof(between) / sizeof(between[0]); k++) {
			const char *at = memmem(name.at, name.len, between[k], strlen(between[k]));
			size_t n = at == NULL ? 0 : (size_t)(at - name.at);

			if (n > 0 && n + strlen(between[k]) < name.len) {
				struct slice to = slice_skip(name, n + strlen(between[k]));

				buf_fmt(by, "%.*s/%.*s", (int)n, name.at, SLICE_ARG(to));
			}
		}
		buf_fmt(out, ".between takes two values, each a path component: .between/%.*s%s",
			by->len > 0 ? (int)by->len : (int)name.len, by->len > 0 ? by->at : name.at,
			by->len > 0 ? "" : "/TO");
		return true;
	}
	if (i < 0 || clauses[i].example == NULL || why_clause_awaits(before)) {
		return false;
	}
	buf_fmt(out, "%.*s takes a value, which is the next component: %s", SLICE_ARG(name),
		clauses[i].example);
	return true;
}

bool
why_clause_text(struct slice name, struct buf *out)
{
	if (!why_clause_is_text(name)) {
		return false;
	}
	buf_fmt(out,
		"%.*s is generated while it is read, so its size is shown as 0: cat and cp "
		"read all of it, rsync and tar copy nothing; for gzip and other programs that "
		"seek: cat %.*s | gzip",
		SLICE_ARG(name), SLICE_ARG(name));
	return true;
}
