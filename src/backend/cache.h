/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Compiled programs on disk, per user.
 *
 * The contract:
 * - The key is a digest of everything that a program depends on (the caller makes it). An entry is one
 *   file, named by its key; its header holds magic, format, key, length and a digest of the payload.
 * - A file appears whole or not at all: it is written under a temporary name and renamed. Processes
 *   need no lock; the last one to write wins, with the same contents.
 * - A damaged entry is recognised, removed and treated as absent.
 * - Loaded entries are run, so only files that no other user can have written are read: the directory must
 *   belong to the user and be writable by that user alone, and so must the entry. It is made with mode 0700.
 * - When entries together exceed BAILEY_CACHE_LIMIT (256 MiB) after one is stored, those used longest ago go.
 *   Any of them, or the directory, may be deleted at any time.
 * - Nothing here fails: without a usable directory there is no cache, and the log (level 1) says why.
 */
#ifndef BLY_CACHE_H
#define BLY_CACHE_H

#include <base/hash.h>

#define BLY_CACHE_NONE (-1)

/* Opens the directory that bly_cache_folder finds for `wanted` (bailey_context_params.cache_dir), and makes
 * what is missing of it.
 * Returns a handle for the functions below, or BLY_CACHE_NONE, which they accept. */
int bly_cache_open(const char *wanted);
void bly_cache_close(int cache);

/* Returns the payload of `key`, to be freed by the caller, or NULL. `name` is for the log. */
void *bly_cache_load(int cache, const uint8_t key[BLY_DIGEST_BYTES], const char *name, size_t *size);
void bly_cache_store(int cache, const uint8_t key[BLY_DIGEST_BYTES], const char *name, const void *data,
                     size_t size);
/* Waits until no other process holds the lock of the directory, which is released when the process ends.
 * Returns what bly_cache_unlock takes: BLY_CACHE_NONE where the directory cannot be locked. No file is made.
 */
int bly_cache_lock(const char *directory);
void bly_cache_unlock(int lock);

/* Removes an entry that the driver rejects. */
void bly_cache_drop(int cache, const uint8_t key[BLY_DIGEST_BYTES]);

/* Reads up to `size` bytes from place `from` on; returns how many there were. */
size_t bly_file_read(int file, uint64_t from, void *data, size_t size);
/* Writes all of it; 0 if that fails. */
int bly_file_write(int file, const void *data, size_t size);

#endif
