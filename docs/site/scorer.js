// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) the bailey authors
//
// How the site ranks what a search finds: pages for users first, then the reference of functions, then pages for
// developers, then records.
var Scorer = {
  score: function (result) {
    var place = result[0];
    var score = result[4];
    if (/^(docs\/records\/|CHANGELOG)/.test(place)) return score / 100;
    if (/^(docs\/developers\/|CONTRIBUTING)/.test(place)) return score / 50;
    if (/^reference\/(device-|\w+\.h)/.test(place)) return score / 10;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
