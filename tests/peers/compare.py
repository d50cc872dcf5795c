# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""compare.py NAME PEER OURS...: one row of a Markdown table for each suite, from what place.py wrote of both runs, and
below it the tests that bailey alone does not pass. Exits with 1 if there are any but those of luck, whose rates
chance.py compares."""
import json
import sys

LUCK = "test_multivariate_normal_basic_stats"
rows, lost, serious = [], [], False
for name, theirs, ours in zip(*[iter(sys.argv[1:])] * 3):
    with open(theirs) as file:
        peer = json.load(file)
    with open(ours) as file:
        own = json.load(file)
    passed = {test for test, (outcome, _) in peer.items() if outcome == "passed"}
    kept = {test for test in passed if own.get(test, ["missing"])[0] == "passed"}
    more = sum(outcome == "passed" for outcome, _ in own.values()) - len(kept)
    failed = sum(outcome == "failed" for outcome, _ in peer.values())
    serious |= not passed or any(LUCK not in test for test in passed - kept)
    rows.append(f"| {name} | {len(peer)} | {len(passed)} | {failed} | {len(kept)} | {more} |")
    lost += [f"- {name}: `{test}`: {own.get(test, ['missing', ''])[1].split('/')[-1]}" for test in sorted(passed - kept)]
print("| suite | tests | the peer passes | the peer fails | of its passes, bailey has | bailey alone |")
print("| --- | --- | --- | --- | --- | --- |")
print("\n".join(rows + ([""] + lost if lost else [])))
sys.exit(serious)
