/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A model and a product, each code with a head comment that says so, as one payoff (docs/models.md).
 *
 * Each part is read by itself, so errors show its lines. Its tree says what its names mean; then
 * the tokens of both are written as the code of one payoff, with the names of the two kept apart. All that
 * reads payoffs reads that code: nothing after it knows of models and products.
 */
#ifndef BLY_COMPOSE_H
#define BLY_COMPOSE_H

#include "comments.h"

struct bly_text;

struct bly_composition {
    const char *product, *product_name; /* code, and what messages call it */
    const char *model, *model_name;
    uint32_t assets; /* that DIMS is in the product; 0: as many as it needs */
    uint32_t dates;  /* 0: as many as the product says */
};

/* Writes the code of the payoff. Returns: OK, ERROR_INVALID of the argument "payoff" or "model",
 * ERROR_MEMORY. text->data must be freed whatever is returned. */
bailey_status bly_compose(const struct bly_composition *composition, struct bly_text *text);

/* ---- Parts --------------------------------------------------------------------------------------- */

/* A model or product that was read. */
struct bly_part {
    struct bly_unit unit;
    struct bly_head head;
    struct bly_description *description;
    struct bly_rename *renames;
};

/* The new name of a part's name: a member of params or of state, or any other. */
enum bly_name_kind { BLY_NAME_PLAIN, BLY_NAME_PARAMETER, BLY_NAME_STATE };
struct bly_rename {
    enum bly_name_kind kind;
    const char *from, *to;
    struct bly_rename *next;
};

/* NULL: it stays. */
const char *bly_renamed(const struct bly_part *part, enum bly_name_kind kind, const char *name,
                        uint32_t length);

/* The tokens of `typedef struct { ... } NAME;`: of the first and of the ;. Both are 0 where there is none. */
struct bly_range {
    uint32_t from, to;
};
struct bly_range bly_structure_find(const struct bly_unit *unit, const char *name);

/* The next member of a structure that is declared behind token `at`; false at the end. */
struct bly_member {
    uint32_t from, to;    /* of its declaration, the first token and the ; */
    uint32_t name, names; /* the token of the first name in it, and how many there are */
};
bool bly_member_next(const struct bly_unit *unit, struct bly_range structure, uint32_t at,
                     struct bly_member *member);

/* The part's member of that kind, or NULL. */
const struct bly_field_node *bly_part_field(const struct bly_part *part, enum bly_name_kind kind,
                                            const char *name);

/* compose_text.c: the code. `shared` says of the product's parameters, in their order, which are the model's
 * too. */
struct bly_joint {
    const struct bly_composition *composition;
    struct bly_part product, model;
    uint64_t shared; /* bit i: parameter i of the product is one of the model's */
    uint32_t dates;  /* not 0 */
    bool dated;      /* the number of dates matters to the product */
    const char *model_start, *model_step, *product_start, *product_date; /* NULL: there is none */
};
void bly_compose_write(const struct bly_joint *joint, struct bly_text *text);

#endif
