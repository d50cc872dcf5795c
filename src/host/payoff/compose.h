/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The layers of a model and a product, each code with a head comment that says so, as one payoff
 * (docs/models.md).
 *
 * Each part is read by itself, so errors show its lines. Trees are composed: which layer answers which question,
 * which functions are needed, which parameters are one, and which names stay apart is decided on them. Tokens are
 * for printing alone: what stays of each part, with its comments, is written as the code of one payoff. All that
 * reads payoffs reads that code: nothing after it knows of models and products.
 */
#ifndef BLY_COMPOSE_H
#define BLY_COMPOSE_H

#include "comments.h"

#include <base/text.h>

#define BLY_MOST_LAYERS 12u

/* Code, and what messages call it. */
struct bly_layer {
    const char *code, *name;
};

struct bly_composition {
    struct bly_layer product;
    struct bly_layer layers[BLY_MOST_LAYERS]; /* in any order */
    uint32_t layer_count;
    const char *model_name;                  /* of all layers, for messages */
    const char *(*find)(const char *name);   /* the code of a built-in model, or NULL */
    uint32_t assets; /* that DIMS is; 0: as many as the product needs. Ignored where the model has one asset */
    uint32_t dates;  /* 0: as many as the product says */
    const char *called; /* the payoff's name; NULL: the product's */
    bool controls;   /* with the product's control variates as outputs behind its own */
    bool closed;     /* its closed form alone, as out[0] */
};

struct bly_composed {
    struct bly_text text; /* text.data must be freed */
    bool refined;         /* steps between the dates make a difference */
    double step;          /* years that a step may take; 0: any */
    bool has_closed_form; /* the product has one, and the model answers what it asks */
};

/* Writes the code of the payoff. Layers that the others need and do not have are added as their head comments
 * say. Returns: OK, ERROR_INVALID of the argument "payoff", "model" or "model_name", ERROR_MEMORY. */
bailey_status bly_compose(const struct bly_composition *composition, struct bly_composed *composed);

/* ---- Parts --------------------------------------------------------------------------------------- */

/* A control variate of a product: its functions, of which date may be NULL. */
struct bly_control {
    struct bly_function *date, *value;
    bool wanted; /* it is an output */
};

/* A layer or product that was read. */
struct bly_part {
    struct bly_unit unit;
    struct bly_text longer; /* its code and functions that it does without, where it does; else empty */
    struct bly_head head;
    struct bly_description *description;
    struct bly_rename *renames;
    uint64_t shared; /* bit i: parameter i is one of a lower layer's */
    const char *start, *step; /* what the payoff calls the functions; a product's date is its step. NULL: none */
    const char *x;            /* a copy of the numbers that it takes of x; NULL: it takes x */
    bool timed;               /* its step takes dt, and the composition sets its state's time */
    bool walks;               /* it takes points, of a path that has increments */
    uint32_t each, more;      /* own dimensions of layers before it: for each asset, and all others */
    const char *finish;       /* of a product with controls: what the payoff calls its finish */
    struct bly_control controls[BLY_MOST_CONTROLS]; /* of a product, as its head comment has them */
    struct bly_control closed; /* the same of its closed form */
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

/* The part's member of that kind, or NULL. */
const struct bly_field_node *bly_part_field(const struct bly_part *part, enum bly_name_kind kind,
                                            const char *name);

/* The part's function of that name, or NULL. */
struct bly_function *bly_part_function(const struct bly_part *part, const char *name);

/* Its name, or what messages call its code. */
const char *bly_part_name(const struct bly_part *part);

/* Numbers of a part with one asset that its x has; 0 of one without a step. */
uint32_t bly_part_dims(const struct bly_part *part);

struct bly_joint {
    const struct bly_composition *composition;
    struct bly_part part[BLY_MOST_LAYERS + 1]; /* as they were read */
    struct bly_part *parts[BLY_MOST_LAYERS + 1]; /* [count]: layers from the lowest, then the product */
    uint32_t count;
    struct bly_part *product;
    uint32_t dates;            /* not 0 */
    bool dated;                /* the number of dates matters */
    bool assets;               /* dimensions are those of assets */
    bool increments;           /* of which the path consists */
    bool timed, walks;         /* a layer is, or takes dt */
    uint32_t each, more;       /* own dimensions of all layers */
    const char *time, *path;   /* the composition's members of state */
    bool refined;              /* as in bly_composed */
    double step;
    bool has_closed_form;
    uint32_t controls; /* outputs of them */
};

/* compose_layers.c: the order of layers, those that are added, and who answers a question. */
bailey_status bly_layers_read(struct bly_joint *joint);
bailey_status bly_part_read(struct bly_part *part, enum bly_unit_kind kind, const struct bly_layer *layer,
                            uint32_t dims, uint32_t steps);
/* Whether it need not be answered: it stands in a function of a control, or in an answer that a layer need not have. */
bool bly_asks_optionally(const struct bly_part *part, const struct bly_asking *asking);

/* compose_answers.c: who answers, and what the payoff needs. */
struct bly_answer {
    const struct bly_part *part;
    struct bly_function *function; /* NULL: none answers */
};
/* The layer below parts[k] that answers. */
struct bly_answer bly_answer_find(const struct bly_joint *joint, uint32_t k, const struct bly_question *question);
/* Says of the functions of parts[k] whether all that they ask is answered; of those below it is said. */
void bly_answers_find(const struct bly_joint *joint, uint32_t k);
/* Keeps what the payoff calls, and what that needs. Refuses questions in it without an answer. */
bailey_status bly_needed_keep(struct bly_joint *joint);

/* compose_controls.c: checks what the product says of controls and its closed form, and chooses those of the payoff. */
bailey_status bly_product_controls(struct bly_joint *joint);
/* Whether the payoff's finish calls the finish of the product, and functions of controls. */
static inline bool bly_finish_is_ours(const struct bly_joint *j)
{
    return j->controls || j->composition->closed;
}

/* compose_text.c: the code. */
void bly_compose_write(const struct bly_joint *joint, struct bly_text *text);

#endif
