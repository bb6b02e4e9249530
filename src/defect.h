/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the crypto-bench authors */
#ifndef CB_DEFECT_H
#define CB_DEFECT_H

/*
 * Faults of a library outside of what is measured: known answers with long additional data, each
 * build in a driver of its own, so that a crash there costs no cell.
 */
#include "measure.h"

/* Adds a warning "library-defect: ..." for each build of the lane and AEAD that fails. */
void lane_defects(const struct lane *l, const struct measure_settings *s, struct list *warnings);

#endif
