#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# The program from outside: `bailey motion`. See common.sh.
. "${0%/*}/common.sh"

# The same bytes on every device, whole or in pieces, and of a part of the paths.
good motion --grid 16 --paths 300 --seed 3 --dims 2 --output p.npy
BAILEY_DEVICE=cpu "$bailey" motion --grid 16 --paths 300 --seed 3 --dims 2 --output cpu.npy >out 2>err
cmp -s p.npy cpu.npy && pass || fail "other values than those of the cpu backend"
good motion --grid 16 --paths 300 --seed 3 --dims 2 --chunk-bytes 20000 --output pieces.npy
cmp -s p.npy pieces.npy && pass || fail "--chunk-bytes"
clean --chunk-bytes
good motion --grid 16 --depth 20 --paths 300 --seed 3 --dims 2 --output levels.npy
cmp -s p.npy levels.npy && pass || fail "--depth changes values"
if has python3 && python3 -c 'import numpy' 2>/dev/null; then
    good motion --grid 16 --paths 7 --first-path 200 --seed 3 --dims 2 --output part.npy
    printf 'times\n0.75\n0\n1\n0.75\n' >at.csv
    good motion --at at.csv --paths 300 --seed 3 --dims 2 --output at.npy
    printf 'ticks\n12\n0\n16\n12\n' >ticks.csv
    good motion --at ticks.csv --depth 4 --paths 300 --seed 3 --dims 2 --output ticks.npy
    cmp -s at.npy ticks.npy && pass || fail "ticks are not the times that they stand for"
    good motion --grid 16 --increments --areas hk --precision f64 --paths 50 --output areas.npy
    check "the arrays" python3 -c '
import numpy
p, part, at = (numpy.load(name) for name in ("p.npy", "part.npy", "at.npy"))
areas = numpy.load("areas.npy")
assert p.shape == (16, 2, 300) and p.dtype == numpy.float32
assert (part == p[:, :, 200:207]).all()
assert (at[0] == p[11]).all() and (at[1] == 0).all() and (at[2] == p[15]).all() and (at[3] == at[0]).all()
assert areas.shape == (16, 3, 1, 50) and areas.dtype == numpy.float64
v = areas.var(axis=(0, 2, 3)) * 16 * numpy.array([1, 12, 720])
assert (abs(v - 1) < 0.25).all(), v'
fi

# Text, with labels; and ends that are fixed.
printf '# two\n1,0.5\n0.5,1\n' >correlation.csv
good motion --grid 2 --paths 3 --correlation correlation.csv --start 1,2 --end 3,4 --output - --format csv
awk -F, 'NR == 1 { bad = $0 != "time,dim,path 0,path 1,path 2" } NR > 1 && NF != 5 { bad = 1 }
    $1 == 1 { for (i = 3; i < 6; i++) if ($i != $2 + 2) bad = 1 } END { exit bad || NR != 5 }' out && pass ||
    fail "csv: $(cat out)"
good motion --grid 2 --increments --areas h --paths 2 --first-path 8 --output - --format csv
[ "$(head -n 1 out)" = "from,to,part,path 8,path 9" ] && grep -q '^0.5,1,h,' out && pass || fail "csv: $(cat out)"

good motion --seed 1 --zoom 0.3 --output p.svg
check "the picture" valid_xml p.svg
[ "$(grep -c '<path class="path"' p.svg)" -eq 7 ] && pass || fail "seven panels"
clean --zoom
good motion --grid 4 --paths 2 --output p.npy --json
check "--json" valid_json out

bad 2 "\-\-at FILE or --grid N is required" motion --paths 1 --output p.npy
bad 2 "\-\-paths P is required" motion --grid 4 --output p.npy
bad 2 "\-\-output FILE is required" motion --grid 4 --paths 1
bad 2 "\-\-grid: 12 is not a power of two" motion --grid 12 --paths 1 --output p.npy
bad 2 "\-\-grid: 32 is not a power of two up to 2^4" motion --grid 32 --depth 4 --paths 1 --output p.npy
bad 2 "\-\-depth" motion --grid 4 --depth 53 --paths 1 --output p.npy
bad 2 "\-\-maturity: 1 is not greater than the start time, 1" motion --grid 4 --start-time 1 --paths 1 --output p.npy
bad 2 "\-\-areas needs intervals; add --increments" motion --grid 4 --areas h --paths 1 --output p.npy
bad 2 "\-\-generator" motion --grid 4 --generator warp --paths 1 --output p.npy
bad 2 "\-\-zoom needs a picture, --output FILE.svg" motion --grid 4 --paths 1 --zoom 0.5 --output p.npy
bad 2 "\-\-paths: not allowed with a picture" motion --paths 3 --output p.svg
bad 2 "at least 15" motion --depth 14 --output p.svg
bad 2 "\-\-start has 2 dimensions, --end has 1" motion --grid 4 --start 1,2 --end 1 --paths 1 --output p.npy 2>/dev/null
printf '0.5\n1.5\n' >late.csv
bad 2 "time is 1.5" motion --at late.csv --paths 1 --output p.npy
printf 'ticks\n17\n' >late.csv
bad 2 "tick 17 is beyond the last, 2^4" motion --at late.csv --depth 4 --paths 1 --output p.npy
printf '0.5\n0.25\n' >late.csv
bad 2 "time number 2 is earlier" motion --at late.csv --increments --paths 1 --output p.npy
printf '0.5,1\n' >late.csv
bad 2 "2 numbers" motion --at late.csv --paths 1 --output p.npy
: >empty.csv
bad 2 "has no times" motion --at empty.csv --paths 1 --output p.npy
# ---- Payoffs whose path is a motion ----

market='--spot 100 --strike 100 --rate 0.05 --volatility 0.2 --seed 1 --paths 2000'
good price adaptive-milstein $market
grep -q '^adaptive-milstein: 2^20 ticks, the last in 1 year, 1 dimension$' out && grep -q '^  squared_error ' out && pass ||
    fail "adaptive-milstein: $(cat out)"
cat >ticks.c <<'END'
void whole(const params *p, path x, real out[2])
{
    out[0] = at(x, (uint64)3 << (LEVELS - 2), 0);
    out[1] = at(x, 0, 0);
}
END
good price --payoff ticks.c --motion-depth 24 --maturity 2 --paths 5 --seed 3 --save-outputs samples.csv
good motion --grid 4 --depth 2 --maturity 2 --paths 5 --seed 3 --output grid.csv
sed -n 's/^1\.5,//p' grid.csv | tr , '\n' >wanted
sed -n 's/^[0-4],\(.*\),0$/\1/p' samples.csv | cmp -s - wanted && pass || fail "at(): $(cat samples.csv grid.csv)"
bad 2 "^bailey price adaptive-milstein: --steps: its path is a motion" price adaptive-milstein $market --steps 4
bad 2 "^bailey price european: --motion-depth: its path has steps" price european $market --motion-depth 4
bad 2 "generator: sobol, but a motion draws from philox" price adaptive-milstein $market --generator sobol
bad 2 "only paths that are motions have levels" price --payoff ticks.c --paths 5

finish
