/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The subjects of the laws in test_laws.c: the self-test's rows (src/host/selftest/subject_rows.c), and those
 * of subjects.c. docs/developers/adding.md says how to add one.
 */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include <host/selftest/subject.h>

/* Number `index`; NULL beyond the last. */
const struct bly_subject *subject_at(size_t index);

/* The hash that it has on every device, of a row of the self-test or of subjects_golden.inc. 0: there is
 * none. */
int subject_golden(const struct bly_subject *subject, bailey_precision precision, uint64_t *hash);

#endif
