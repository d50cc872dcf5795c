// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) the bailey authors
#include "consumer.c"
