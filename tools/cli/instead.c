/* instead - see instead.h */
#include "tools/cli/instead.h"

#include <sys/stat.h>

#include "store/base/text/shell_word.h"

#include "tools/cli/serve_address.h"
#include "tools/cli/synonyms.h"
#include "tools/system/find_store.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/*
 * A suggestion. Words in capitals that are in @takes are replaced by the words that were typed, in that order; LAST is
 * the last word, WORDS those before it, PROGRAM all of them. STORE is $ITEMFS_STORE if it is not in @takes; HERE is
 * "-s STORE".
 */
struct instead {
	const char *names; /* separated by blanks, or one name of two words */
	const char *text;
	const char *takes;
};

#define INSTEAD_RENAME "itemctl copy TABLE --to NEW && itemctl drop TABLE --yes"
#define INSTEAD_MOVE(key) \
	"an item's key cannot change: itemctl get TABLE " key \
	" prints the item, to put with another key; then itemctl delete TABLE " key \
	"; in a mount, mv does both"
#define INSTEAD_QUIT "each command exits when it is done; for a prompt: itemctl shell"
#define INSTEAD_PATTERNS "itemctl run FILE --all; for the format of the file: itemctl help patterns"
#define INSTEAD_LOG \
	"to log each request: itemctl serve --log FILE; a mount writes the file log in its " \
	"store; for changes of a table: itemctl tail TABLE"
#define INSTEAD_ALL(dir) \
	"mkdir -p " dir \
	" && itemctl tables | jq -r .TableName | xargs -I{} itemctl export {} " dir "/{}.jsonl"
#define INSTEAD_UNDO(key) \
	"writes cannot be undone; to put back an item from a backup: itemctl -s ./restored " \
	"restore BACKUP && itemctl -s ./restored get TABLE " key " | itemctl HERE put TABLE -"
#define INSTEAD_UNDOS "undo rollback revert history"
#define INSTEAD_APPLY "itemctl create-table --from FILE --if-not-exists --update"
#define INSTEAD_PLAN "itemctl create-table --from plan.json --if-not-exists --update"
#define INSTEAD_SEED "in memory: itemctl serve --seed FILE; in a store on disk: "
#define INSTEAD_NEW(how) "to create a store with its first table: itemctl " how " NAME --key PK,SK"
#define INSTEAD_SOME "itemctl scan TABLE --limit 5"

static const struct instead rows[] = {
	{"mount", "to mount a store: itemfs STORE DIR", "STORE DIR"},
	{"add-index create-index", "itemctl alter TABLE --add-gsi NAME=PK,SK", "TABLE NAME PK SK"},
	{"drop-index delete-index", "itemctl alter TABLE --drop-gsi NAME", "TABLE NAME"},
	{"enable-ttl ttl", "itemctl alter TABLE --ttl ATTR", "TABLE ATTR"},
	{"enable-stream", "itemctl alter TABLE --stream NEW_AND_OLD_IMAGES", "TABLE"},
	{"create index", "itemctl alter TABLE --add-gsi NAME=KEY", "NAME TABLE KEY"},
	{"drop index", "itemctl alter TABLE --drop-gsi NAME", "NAME TABLE"},
	{"head sample peek first", INSTEAD_SOME, "TABLE"},
	{"wc", "itemctl scan TABLE --count", "TABLE"},
	{"grep", "itemctl scan TABLE | grep WORD", "WORD TABLE"},
	{"grep of", "itemctl scan TABLE --filter WORD", "TABLE WORD"},
	{"sort", "itemctl scan TABLE | jq -sc 'sort_by(.NAME)[]'", "TABLE NAME"},
	{"cut", "itemctl scan TABLE --project LIST", "LIST TABLE"},
	{"types fields attributes columns summarize", "itemctl shapes TABLE", "TABLE"},
	{"plan analyze", "itemctl query TABLE PK --explain", "TABLE PK"},
	{"gsi lsi", "itemctl alter TABLE --add-gsi NAME=PK,SK adds one; itemctl describe TABLE",
	 "VERB TABLE"},
	{"validate lint",
	 "for access patterns in a file: itemctl run FILE --all; for a store: itemctl check",
	 "FILE"},
	{"backup list",
	 "a backup is a directory: ls DIR; for backups of tables: itemctl list-backups", "DIR"},
	{"new init", INSTEAD_NEW("create-table"), ""},
	{"fork", "for a table: itemctl copy TABLE --to NEW; for a store: itemctl backup DIR", ""},
	{"du df", "itemctl stats", ""},
	{"less more", "itemctl scan TABLE", "TABLE"},
	{"hgetall HGETALL", "itemctl get WORDS LAST", "WORDS LAST"},
	{"hget HGET", "itemctl get WORDS --project LAST", "WORDS LAST"},
	{".mode .headers", "itemctl scan TABLE --format csv; itemctl help formats", ""},
	{".quit .exit quit exit", INSTEAD_QUIT, ""},
	{"rename rename-table mv", INSTEAD_RENAME, "TABLE NEW"},
	{"unset", "itemctl update WORDS 'REMOVE LAST'", "WORDS LAST"},
	{"incr", "itemctl update WORDS 'ADD LAST 1'", "WORDS LAST"},
	{"apply deploy migrate", INSTEAD_APPLY, "FILE"},
	{"apply tf", INSTEAD_HCL " && " INSTEAD_PLAN, "FILE"},
	{"seed", INSTEAD_SEED "itemctl import TABLE FILE --key auto", "FILE"},
	{"seed-tables", INSTEAD_SEED "itemctl create-table --from FILE", "FILE"},
	{"filter", "itemctl scan TABLE --filter EXPR", "TABLE EXPR"},
	{"describe-tables", "itemctl tables", ""},
	{"backup-table", "itemctl export TABLE FILE", "TABLE FILE"},
	{".databases .open", "a store is a directory; to list its tables: itemctl tables", ""},
	{"use open connect",
	 "each command names its table; to set the store for all commands: export "
	 "ITEMFS_STORE=STORE",
	 ""},
	{"config configure",
	 "names of stores are set in $XDG_CONFIG_HOME/itemfs/config: itemctl help store", ""},
	{"whoami",
	 "itemctl uses the credentials of the AWS command line: aws sts get-caller-identity", ""},
	{"login", "itemctl uses the credentials of the AWS command line: aws configure", ""},
	{"completion", "completion for bash, zsh and fish is installed with itemctl", ""},
	{"umount unmount", "to unmount a store: fusermount3 -u MOUNTPOINT", "MOUNTPOINT"},
	{"restart", "itemctl stop && itemctl serve --background", ""},
	{"top heat hot", "itemctl shards heat TABLE", "TABLE"},
	{"streams",
	 "to print changes: itemctl tail TABLE; to start recording them: itemctl alter TABLE "
	 "--stream NEW_AND_OLD_IMAGES",
	 "TABLE"},
	{"expire",
	 "items expire at the time in an attribute, in Unix seconds: itemctl alter TABLE --ttl "
	 "ATTR",
	 "TABLE"},
	{"distinct", "itemctl sql 'SELECT DISTINCT ATTR FROM TABLE'", "TABLE ATTR"},
	{"examples example demo tutorial quickstart",
	 "the help of each command ends with examples: itemctl help query; see also: itemctl help",
	 ""},
	{"test with", "itemctl serve -- PROGRAM", "PROGRAM"},
	{"docker", "no container is needed: itemctl serve", ""},
	{"localstack", "itemctl serve --background, or without it until Ctrl-C", ""},
	{"logs log", INSTEAD_LOG, "TABLE"},
	{"throttle", "itemctl alter TABLE --throttle on", "TABLE"},
	{"unthrottle", "itemctl alter TABLE --throttle off", "TABLE"},
	{"patterns assert check-patterns access-patterns ci", INSTEAD_PATTERNS, "FILE"},
	{"export-all dump-all backup-all", INSTEAD_ALL("dump"), ""},
	{"largest biggest bigkeys", INSTEAD_LARGEST, "TABLE"},
	{INSTEAD_UNDOS, INSTEAD_UNDO("PK [SK]"), "TABLE"},
};

/* Number of the words in @takes */
static int
instead_words_of(const char *takes)
{
	int n = 0;

	for (; *takes != '\0'; n++) {
		(void)words_in_next(&takes);
	}
	return n;
}

/* Rows that apply only to exactly as many words as they take; they take precedence */
static const struct instead instead_exact[] = {
	{"init", INSTEAD_NEW("-s STORE create-table"), "STORE"},
	{"seed", "itemctl import TABLE FILE --key auto", "TABLE FILE"},
	{"group", "itemctl sql 'SELECT KEY, COUNT(*) FROM TABLE GROUP BY KEY'", "TABLE KEY"},
	{"group", "itemctl sql 'SELECT KEY, COUNT(*) FROM TABLE WHERE EXPR GROUP BY KEY'",
	 "TABLE KEY EXPR"},
	{"head sample peek first", "itemctl scan TABLE --limit COUNT", "TABLE COUNT"},
	{"add-index create-index", "itemctl alter TABLE --add-gsi by-KEY=KEY", "TABLE KEY"},
	{"add-index create-index", "itemctl alter TABLE --add-gsi NAME=PK", "TABLE NAME PK"},
	{"export-all dump-all backup-all", INSTEAD_ALL("DIR"), "DIR"},
	{"hgetall HGETALL", "itemctl get TABLE PK", "TABLE"},
	{"du df", "itemctl stats TABLE", "TABLE"},
	{"largest biggest bigkeys",
	 "itemctl tables | jq -r .TableName | xargs -n1 itemctl scan" INSTEAD_LONGEST, ""},
	{"validate lint", INSTEAD_PATTERNS, "FILE"},
	{INSTEAD_UNDOS, INSTEAD_UNDO("PK"), "TABLE PK"},
	{INSTEAD_UNDOS, INSTEAD_UNDO("PK SK"), "TABLE PK SK"},
	{"mv rename", INSTEAD_MOVE("PK"), "TABLE PK NEW"},
	{"mv rename", INSTEAD_MOVE("PK SK"), "TABLE PK SK NEW KEY"},
};

static bool
instead_is(const struct instead *row, const char *name)
{
	return words_in(row->names, slice_from(name)) || strcmp(row->names, name) == 0;
}

static const struct instead *
instead_find(const char *name, int argc)
{
	for (size_t i = 0; i < sizeof(instead_exact) / sizeof(instead_exact[0]); i++) {
		const struct instead *row = &instead_exact[i];

		if (instead_is(row, name) && instead_words_of(row->takes) == argc) {
			return row;
		}
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (instead_is(&rows[i], name)) {
			return &rows[i];
		}
	}
	return NULL;
}

/* Index of @marker in @takes; SIZE_MAX if it is not there */
static size_t
instead_index(const char *takes, struct slice marker)
{
	for (size_t i = 0; *takes != '\0'; i++) {
		if (slice_eq(words_in_next(&takes), marker)) {
			return i;
		}
	}
	return SIZE_MAX;
}

static void
instead_words(struct buf *out, int n, char **argv, int from)
{
	for (int i = from; i < n; i++) {
		buf_str(out, i == from ? "" : " ");
		shell_word(out, slice_from(argv[i]));
	}
}

/* Append @s within the single quotes of a row's text, or as a word of its own. */
static void
instead_value(struct buf *out, const char *s, bool quoted)
{
	if (!quoted) {
		shell_word(out, slice_from(s));
		return;
	}
	for (; *s != '\0'; s++) {
		buf_fmt(out, *s == '\'' ? "'\\'%c" : "%c", *s);
	}
}

/* Append "-s STORE" for the only store of the directory, unless the store is known otherwise; then remove the blank. */
static void
instead_here(struct buf *out)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	bool known = typed_line_has("-s") || getenv("ITEMFS_STORE") != NULL;
	const char *lone = known ? NULL : find_store_lone();

	out->len -= lone == NULL;
	if (lone != NULL) {
		fmt_shell(out, "-s %", slice_from(lone));
	}
}

/* Append the words for a marker. @argv: the words after the command; @quoted: the marker is in quotes */
static void
instead_word(struct buf *out, const char *takes, struct slice marker, bool quoted, int argc,
	     char **argv)
{
	size_t at = instead_index(takes, marker);
	int last = argc - 1;
	const char *store =
		getenv("ITEMFS_STORE"); /* NOLINT(concurrency-mt-unsafe): before any thread */

	bool typed = at != SIZE_MAX && argc > 0;

	if (at == SIZE_MAX && slice_is(marker, "STORE") && store != NULL) {
		shell_word(out, slice_from(store));
	} else if (slice_is(marker, "HERE")) {
		instead_here(out);
	} else if (typed && slice_is(marker, "PROGRAM")) {
		instead_words(out, argc, argv, strcmp(argv[0], "--") == 0);
	} else if (typed && slice_is(marker, "LAST")) {
		instead_value(out, argv[last], quoted);
	} else if (typed && slice_is(marker, "WORDS")) {
		instead_words(out, last, argv, 0);
	} else if (typed && at < (size_t)argc) {
		instead_value(out, argv[at], quoted);
	} else {
		buf_slice(out, marker);
	}
}

/* Length of the marker at @text; 0 if other letters follow, as in the name of a variable */
static size_t
instead_marker(const char *text)
{
	size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	return ascii_word(text[n]) ? 0 : n;
}

void
instead_fill(struct buf *out, const char *text, const char *takes, int argc, char **argv)
{
	char before = ' ';
	bool quoted = false;

	for (const char *at = text; *at != '\0';) {
		size_t n = ascii_word(before) || before == '$' ? 0 : instead_marker(at);

		if (n > 1) {
			instead_word(out, takes, slice_of(at, n), quoted, argc, argv);
			at += n;
		} else {
			quoted = quoted != (*at == '\'');
			buf_char(out, *at++);
		}
		before = at[-1];
	}
}

const char *
instead_store(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i - 1], "--") != 0; i++) {
		if (synonyms_store_word(argv[i - 1]) && argv[i][0] != '-') {
			return argv[i];
		}
	}
	return NULL;
}

/* Select the words that are names, without options, their values and prepositions. Return: their number */
static int
instead_own(int argc, char **argv, char **out)
{
	int n = 0;

	for (int i = 0; i < argc; i++) {
		bool number = argv[i][strspn(argv[i], "0123456789")] == '\0';
		bool passes =
			(argv[i][0] == '-' && argv[i][1] != '\0') ||
			(i > 0 && (synonyms_store_word(argv[i - 1]) ||
				   (number && argv[i - 1][0] == '-' && argv[i - 1][1] != '\0'))) ||
			(argc > 1 &&
			 words_in("on to by ON TO BY table TABLE", slice_from(argv[i])));

		if (!passes) {
			out[n++] = argv[i];
		}
	}
	return n;
}

/* Return true if @path is a file but not a program: it may have access patterns. */
static bool
instead_is_text(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) != 0;
}

bool
instead_has(const char *name)
{
	return instead_find(name, 0) != NULL;
}

/* The name in the tables: the verb, or a more specific name for it with these words */
static const char *
instead_name(const char *verb, int n, char **words)
{
	const char *dot = n == 1 ? strrchr(words[0], '.') : NULL;
	struct slice suffix = slice_from(dot == NULL ? "" : dot);
	bool seeds = strcmp(verb, "seed") == 0;

	if (strcmp(verb, "test") == 0 && n > 0 && instead_is_text(words[0])) {
		return "patterns";
	}
	if (slice_is(suffix, ".tf") && words_in("apply deploy migrate seed", slice_from(verb))) {
		return "apply tf";
	}
	if (strcmp(verb, "throttle") == 0 && n == 2 && strcmp(words[1], "off") == 0) {
		return "unthrottle";
	}
	if (strcmp(verb, "grep") == 0 && n == 2 && strchr(words[1], '=') != NULL) {
		return "grep of";
	}
	return seeds && words_in(".yml .yaml .template", suffix) ? "seed-tables" : verb;
}

bool
instead_put(struct buf *out, int argc, char **argv)
{
	char **words = mem_array(char *, (size_t)argc + 1);
	int n = instead_own(argc - 1, argv + 1, words);
	bool logs = strncmp(argv[0], "log", 3) == 0;
	const struct instead *row = instead_find(instead_name(argv[0], n, words), n);

	if (logs && n > 0 && (serve_address_is(words[0]) || strstr(words[0], "://"))) {
		n = 0; /* the word is an address, not a table */
	}
	if (row != NULL) {
		bool all =
			strstr(row->takes, "PROGRAM") != NULL || strstr(row->takes, "LAST") != NULL;

		instead_fill(out, row->text, row->takes, all ? argc - 1 : n,
			     all ? argv + 1 : words);
	}
	free(words);
	return row != NULL;
}
