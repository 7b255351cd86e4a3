/*
 * export_folder - writes the folder of an export in DynamoDB's format: a data file, manifests and checksums
 *
 *   1. export_folder_data() creates the data file, which the caller writes
 *   2. export_folder_done() syncs it, and writes the manifests
 *
 * An existing file is an error, and no link is followed.
 */
#ifndef STORE_MODEL_EXPORT_FOLDER_H
#define STORE_MODEL_EXPORT_FOLDER_H

#include "store/model/manifest.h"

struct export_folder {
	int dir;           /* descriptor of the folder; the caller's */
	mode_t mode;       /* of new folders, before the umask; of files without the x bits */
	struct slice path; /* of the folder in its bucket, for the manifests; empty: none */
	const char *name;  /* of the data file; set by export_folder_data() */
	enum err (*code_of)(int e); /* error code for an errno; NULL: error_of_path() */
};

/** export_folder_put - create a file with content and sync it; Errors: those of @f->code_of() */
int export_folder_put(struct call *c, const struct export_folder *f, const char *name,
		      struct slice bytes) must_check;

/**
 * export_folder_data - create the folder "data" and in it the data file of the export @id
 *
 * Return: a descriptor, owned by the caller
 * Errors: those of @f->code_of()
 */
int export_folder_data(struct call *c, struct export_folder *f, struct slice id) must_check;

/**
 * export_folder_done - sync the data file, write the manifests, and sync the folder
 * @fd: of the data file
 * @m:  complete, but for the key of the list of files
 *
 * Errors: those of @f->code_of()
 */
int export_folder_done(struct call *c, const struct export_folder *f, int fd, struct manifest *m)
	must_check;

#endif
