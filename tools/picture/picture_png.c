/* picture_png - pictures as PNG, rendered by an installed browser from SVG */
#include <fcntl.h>

#include "store/base/core/escape.h"
#include "store/base/system/program.h"
#include "store/base/system/temporary.h"

#include "tools/out/sink.h"
#include "tools/picture/picture_form.h"
#include "tools/system/viewer.h"
#include "tools/text/fmt.h"

enum {
	PNG_SIDE = 16000,        /* pixels: the longest side that browsers draw */
	PNG_MS = 60 * 1000,      /* time limit of a browser */
	PNG_PRINTED = 64 * 1024, /* bytes that a browser may print */
	PNG_READ = 64 * 1024,    /* bytes of a read from the file */
	PNG_ARGUMENTS = 12,      /* room of argv */
	PNG_REASON = 300,        /* characters of a browser's message that are shown */
};

static const char png_signature[] = "\x89PNG\r\n\x1a\n";

struct browser {
	const char *program;
	bool firefox; /* has the options of Firefox; else those of Chromium */
};

static const struct browser browsers[] = {
	{"chromium-headless-shell", false},
	{"chromium", false},
	{"chromium-browser", false},
	{"google-chrome", false},
	{"google-chrome-stable", false},
	{"headless_shell", false},
	{"brave-browser", false},
	{"microsoft-edge", false},
	{"firefox", true},
	{"firefox-esr", true},
};

/* "@option@folder/@name", in the call's arena */
static const char *
png_path(struct call *c, const char *option, const char *folder, const char *name)
{
	return arena_print(&c->arena, "%s%s/%s", option, folder, name);
}

/* ------------------------------------------------------------ the browser */

static void
png_command(struct call *c, const struct browser *browser, const char *folder, size_t width,
	    size_t height, const char *argv[PNG_ARGUMENTS])
{
	size_t n = 0;
	struct slice size = fmt_slice(&c->arena, "--window-size=%zu,%zu", width, height);

	argv[n++] = browser->program;
	argv[n++] = "--headless";
	if (browser->firefox) {
		argv[n++] = "--no-remote";
		argv[n++] = "--profile";
		argv[n++] = folder;
		argv[n++] = "--screenshot";
		argv[n++] = png_path(c, "", folder, "picture.png");
	} else {
		argv[n++] = "--disable-gpu";
		argv[n++] = "--hide-scrollbars";
		argv[n++] = png_path(c, "--user-data-dir=", folder, "profile");
		argv[n++] = png_path(c, "--screenshot=", folder, "picture.png");
		if (geteuid() == 0) { /* the sandbox does not work for root */
			argv[n++] = "--no-sandbox";
		}
	}
	argv[n++] = size.at;
	argv[n++] = png_path(c, "file://", folder, "picture.svg");
	assert(n < PNG_ARGUMENTS);
	argv[n] = NULL;
}

/* Why the browser has failed: the last line of its messages */
static const char *
png_reason(struct call *c, const struct program_result *result)
{
	struct slice text = result->err;

	while (text.len > 0 && text.at[text.len - 1] == '\n') {
		text.len--;
	}
	const char *before = slice_rchr(text, '\n');

	if (before != NULL) {
		text = slice_skip(text, (size_t)(before + 1 - text.at));
	}
	struct buf b = {.arena = &c->arena};
	(void)escape_put(&b, text, PNG_REASON);
	return result->end == PROGRAM_HUNG ? "it took longer than a minute"
	       : b.len == 0                ? "it printed no message"
					   : slice_cstr(&c->arena, buf_view(&b));
}

/* Return true if the file exists and is a PNG. */
static bool
png_is_there(const char *path)
{
	char bytes[sizeof(png_signature) - 1];
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd >= 0 && read(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes) &&
	       slice_is(slice_of(bytes, sizeof(bytes)), png_signature);
}

/* Try the browsers until one has drawn the picture. */
static int
png_draw(struct call *c, const char *folder, size_t width, size_t height)
{
	const char *path = png_path(c, "", folder, "picture.png");
	struct buf failed = {.arena = &c->arena};

	for (size_t i = 0; i < sizeof(browsers) / sizeof(browsers[0]); i++) {
		const char *argv[PNG_ARGUMENTS];
		struct program_result result;

		png_command(c, &browsers[i], folder, width, height, argv);
		program_run(c, argv, PNG_PRINTED, PNG_MS, &result);
		if (call_given_up(c)) {
			return call_fail(c, ERR_BUSY, "interrupted");
		}
		if (result.end == PROGRAM_DONE && png_is_there(path)) {
			return 0;
		}
		if (result.end != PROGRAM_MISSING && failed.len == 0) {
			buf_fmt(&failed, "%s did not draw a picture: %s", browsers[i].program,
				png_reason(c, &result));
		}
	}
	return failed.len > 0
		       ? call_fail(c, ERR_IO, "%.*s; -o FILE.svg needs no browser",
				   SLICE_ARG(buf_view(&failed)))
		       : call_fail(c, ERR_USAGE,
				   "a PNG needs a browser, but none is installed: install "
				   "chromium (Debian, Fedora, Arch), chromium-browser or firefox; "
				   "-o FILE.svg needs no browser");
}

/* ------------------------------------------------------------ files */

static int
png_write_svg(struct call *c, const char *path, const struct picture *pictures, size_t n)
{
	cleanup(cleanup_fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct sink sink;
	int r = 0;

	if (fd < 0) {
		return call_fail(c, ERR_IO, "%s: %s", path, strerrordesc_np(errno));
	}
	sink_init(&sink, fd);
	if (!picture_svg(&sink, pictures, n)) {
		r = call_fail(c, ERR_IO, "%s: %s", path, strerrordesc_np(sink.failed));
	}
	sink_release(&sink);
	return r;
}

/* Copy the file to @out.  A failure of @out is not an error here: the caller reports it. */
static int
png_copy(struct call *c, const char *path, struct sink *out)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *bytes = arena_bytes(&c->arena, PNG_READ);
	ssize_t n = 0;

	while (fd >= 0 && (n = read(fd, bytes, PNG_READ)) > 0 &&
	       sink_put(out, slice_of(bytes, (size_t)n))) {
	}
	return fd < 0 || n < 0 ? call_fail(c, ERR_IO, "%s: %s", path, strerrordesc_np(errno)) : 0;
}

int
picture_png(struct call *c, struct sink *out, const struct picture *pictures, size_t n)
{
	struct temporary folder = {0};
	size_t width = 0;
	size_t height = 0;

	picture_svg_size(pictures, n, &width, &height);
	if (width > PNG_SIDE || height > PNG_SIDE) {
		return call_fail(
			c, ERR_USAGE,
			"the picture has %zu x %zu pixels, more than the %d that a browser "
			"draws: --partition draws less; -o FILE.svg and FILE.html have no "
			"such limit",
			width, height, PNG_SIDE);
	}
	if (!temporary_make(viewer_folder(), "itemctl-picture-", &folder)) {
		return call_fail(c, ERR_IO, "%s: %s", viewer_folder(), strerrordesc_np(errno));
	}
	int r = png_write_svg(c, png_path(c, "", folder.path, "picture.svg"), pictures, n);

	r = r < 0 ? r : png_draw(c, folder.path, width, height);
	r = r < 0 ? r : png_copy(c, png_path(c, "", folder.path, "picture.png"), out);
	temporary_remove(&folder);
	return r;
}
