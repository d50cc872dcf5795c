#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
#
# adding.sh SOURCE BUILD: the examples of docs/developers/adding.md, payoff-language.md and testing.md work. They are applied
# to a copy of the tree; the generator, the distribution, the strategy, the payoff, the model, the product, the levels, the function, the subject,
# the law and the peer are built and run, on the cpu and, where there is one, on an OpenCL device, which must write the same
# bytes. The model is priced under every product, and the product under every model. The copy's cpu backend is scalar
# and nothing is optimised, as that builds in seconds; test_generators runs the generator at every number of lanes.
set -eu
source=$(cd "${1:?usage: adding.sh SOURCE BUILD}" && pwd)
build=$(cd "${2:?usage: adding.sh SOURCE BUILD}" && pwd)
git -C "$source" ls-files --error-unmatch docs/developers/adding.md >/dev/null 2>&1 || exit 77 # not a checkout
cached() {
    sed -n "s/^$1:[^=]*=//p" "$build/CMakeCache.txt"
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
tree=$dir/tree
mkdir "$tree"
git -C "$source" ls-files -z | tar -C "$source" --null -T - -cf - | tar -C "$tree" -xf -

fail() {
    echo "FAIL: $*"
    exit 1
}

# apply FILE ANCHOR < BLOCK: a new file, of C with the licence, or text before the one line that has ANCHOR.
apply() {
    if [ -z "$2" ]; then
        [ ! -e "$tree/$1" ] || fail "$1 is not new"
        case $1 in
        *.[ch]) printf '/* SPDX-License-Identifier: BSD-3-Clause\n * Copyright (c) the bailey authors\n */\n' >"$tree/$1" ;;
        esac
        cat >>"$tree/$1"
        return
    fi
    [ -f "$tree/$1" ] || fail "there is no $1"
    [ "$(grep -cF -e "$2" "$tree/$1")" = 1 ] || fail "not one line of $1 has '$2'"
    line=$(grep -nF -e "$2" "$tree/$1" | cut -d: -f1)
    { head -n $((line - 1)) "$tree/$1" && cat && tail -n "+$line" "$tree/$1"; } >"$dir/changed"
    cp "$dir/changed" "$tree/$1"
}

# The pages as block.1, block.2, ..., each with its file and its anchor.
for page in adding payoff-language testing; do cat "$source/docs/developers/$page.md"; done >"$dir/pages"
awk -v dir="$dir" '
    !inside && (/^New file `.*`:$/ || /^In `.*`, before the line with `.*`:$/) {
        if (waiting) exit 1
        split($0, part, "`")
        count++
        print part[2] > (dir "/file." count)
        print part[4] > (dir "/anchor." count)
        waiting = 1
        next
    }
    /^```/ { if (!inside && waiting) { inside = 2; waiting = 0 } else inside = !inside; next }
    inside == 2 { print > (dir "/block." count) }
    END { if (waiting || inside || !count) exit 1 }' "$dir/pages" || fail "a block of docs/developers is astray"
number=1
while [ -f "$dir/block.$number" ]; do
    apply "$(cat "$dir/file.$number")" "$(cat "$dir/anchor.$number")" <"$dir/block.$number"
    number=$((number + 1))
done
[ "$number" = 24 ] || fail "docs/developers has $((number - 1)) blocks to apply, not 23"

cmake=$(cached CMAKE_COMMAND)
quietly() {
    "$@" >"$dir/said" 2>&1 || { tail -40 "$dir/said" && fail "$*"; }
}
quietly "$cmake" -S "$tree" -B "$dir/build" -G "$(cached CMAKE_GENERATOR)" -DCMAKE_C_COMPILER="$(cached CMAKE_C_COMPILER)" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O0 -DBAILEY_CPU_LEVELS=scalar -DBAILEY_CUDA=OFF \
    -DBAILEY_BUILD_TESTS=ON -DBAILEY_TEST_FILES='generators|distributions|sfc32|laws' -DBAILEY_WERROR=ON
quietly "$cmake" --build "$dir/build" --parallel 2 --target bailey_cli bailey_bench bailey bailey_tests
program=$dir/build/src/cli/bailey
quietly "$dir/build/tests/bailey_tests" generators
quietly "$dir/build/tests/bailey_tests" distributions cpu
quietly "$dir/build/tests/bailey_tests" sfc32 cpu
for subject in sfc32 triangular; do
    quietly env BAILEY_TEST_SUBJECT=$subject "$dir/build/tests/bailey_tests" laws cpu
done
quietly env BAILEY_TEST_SUBJECT=normals "$dir/build/tests/bailey_tests" laws.two_at_the_same_time cpu
"$program" random --help | grep -q sfc32 || fail "bailey random --help does not list sfc32"

"$program" bench random --quick --forms u32 --generators philox --device cpu >"$dir/said" || fail "bailey bench random"
grep -q '^jrand48  .* device fill  32 bits a draw$' "$dir/said" || fail "no row of the peer: $(cat "$dir/said")"

# The first word of seed 0 is that of the start of the answers: a + b + counter.
word=$("$program" random --generator sfc32 --count 1 --format txt)
[ "$word" = $(((0x2d67a6c7 + 0xbdfdb490 + 0x7ef70b09) % 4294967296)) ] || fail "sfc32 begins with $word"

# Triangular numbers of mean 1 and deviation 2, as bytes, f32 and then f64; their quartiles are at 1 +- 2 (sqrt(6) - sqrt(3)).
cat >"$dir/triangular.c" <<'C'
#include <bailey/bailey.h>
#include <math.h>
#include <stdio.h>
enum { COUNT = 100000 };
#define OK(call) if ((call) != BAILEY_OK) return fprintf(stderr, "%s\n", bailey_error_message()), 1
int main(int arguments, char **argument)
{
    static double y[COUNT];
    static float f[COUNT];
    bailey_context *context;
    bailey_buffer *buffer;
    (void)arguments;
    OK(bailey_context_create(argument[1], NULL, &context));
    OK(bailey_buffer_create(context, sizeof y, &buffer));
    const bailey_source source = {.seed = 0};
    bailey_variate_params p = {.distribution = BAILEY_DISTRIBUTION_TRIANGULAR, .mean = 1, .stddev = 2};
    OK(bailey_variates_generate(context, &source, &p, 0, COUNT, buffer, 0));
    OK(bailey_buffer_read(buffer, 0, f, sizeof f));
    p.normal.precision = BAILEY_PRECISION_F64;
    OK(bailey_variates_generate(context, &source, &p, 0, COUNT, buffer, 0));
    OK(bailey_buffer_read(buffer, 0, y, sizeof y));
    for (int f64 = 0; f64 < 2; f64++) {
        double sum = 0, square = 0, inner = 0;
        for (int i = 0; i < COUNT; i++) {
            const double x = ((f64 ? y[i] : f[i]) - 1) / 2;
            sum += x, square += x * x, inner += fabs(x) < 0.71744;
        }
        if (fabs(sum) > 5 * sqrt(COUNT) || fabs(square - COUNT) > 5 * sqrt(1.4 * COUNT) ||
            fabs(inner - COUNT / 2) > 2.5 * sqrt(COUNT))
            return fprintf(stderr, "f%d: sum %g, of squares %g, inside %g\n", 32 << f64, sum, square, inner), 1;
    }
    fwrite(f, sizeof f, 1, stdout);
    fwrite(y, sizeof y, 1, stdout);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
    return 0;
}
C
link() {
    quietly "$(cached CMAKE_C_COMPILER)" -I "$tree/include" -o "$dir/$1" "$dir/$1.c" -L "$dir/build" -lbailey -lm \
        -Wl,-rpath,"$dir/build"
}
link triangular

# The square of a price at 20 % for a year: its mean is exp(2 (r - v^2 / 2) + 2 v^2 - r), here exp(0.09).
cat >"$dir/power.c" <<'C'
#include <bailey/simulation.h>
#include <math.h>
#include <stdio.h>
#define OK(call) if ((call) != BAILEY_OK) return fprintf(stderr, "%s\n", bailey_error_message()), 1
int main(int arguments, char **argument)
{
    const double maturity = 1, rate = 0.05, volatility = 0.2, exponent = 2;
    const bailey_simulation_params params = {.path = {.times = &maturity, .steps = 1}, .payoff = {.name = "power"}};
    const bailey_simulation_run_params run = {.paths = 65536};
    bailey_estimate price;
    bailey_context *context;
    bailey_simulation *s;
    (void)arguments;
    OK(bailey_context_create(argument[1], NULL, &context));
    OK(bailey_simulation_create(context, &params, &s));
    OK(bailey_simulation_set(s, "rate", &rate, 1));
    OK(bailey_simulation_set(s, "volatility", &volatility, 1));
    OK(bailey_simulation_set(s, "exponent", &exponent, 1));
    OK(bailey_simulation_run(s, &run, &price));
    printf("%a %a\n", price.mean, price.standard_error);
    bailey_simulation_destroy(s);
    bailey_context_destroy(context);
    return !(fabs(price.mean - exp(0.09)) < 4 * price.standard_error);
}
C
link power
"$dir/power" cpu >"$dir/power.cpu" || fail "power: $(cat "$dir/power.cpu")"
"$program" price --help | grep -q '^  power  *a power option, which pays a power of the price$' || fail "bailey price --help does not list power"
"$program" price power --help | grep -q '^  exponent  *power of the price; default 2$' || fail "the help of power"
"$program" price power --rate 0.05 --volatility 0.2 --paths 65536 --device cpu >"$dir/power.price" || fail "bailey price power"
grep -q '^  exponent  *2$' "$dir/power.price" || fail "the default of power's exponent: $(cat "$dir/power.price")"
printf '[{"id": 1, "product": "power", "rate": 0.05, "volatility": 0.2, "paths": 1024}]\n' >"$dir/deals.json"
if ! "$program" batch "$dir/deals.json" --device cpu >"$dir/deals.out" 2>"$dir/deals.err"; then
    grep -q jansson "$dir/deals.err" || fail "batch: $(cat "$dir/deals.err" "$dir/deals.out")"
else
    grep -q '"mean": 1\.[01]' "$dir/deals.out" || fail "batch: $(cat "$dir/deals.out")"
fi
BAILEY_PREBUILT=1 "$dir/power" cpu | cmp - "$dir/power.cpu"
for shell in bash zsh fish; do
    "$program" completion $shell >"$dir/completion"
    grep -q "price power') words='.* --exponent\|--exponent\[power of the price\|power' -l exponent" "$dir/completion" ||
        fail "the completion of $shell has no --exponent"
    grep -q "european .* power .*bermudan-max-call\|from price' -a 'power'" "$dir/completion" || fail "the completion of $shell"
done
"$program" manual --list | grep -qx bailey-price-power || fail "there is no manual page of power"
"$program" manual bailey-price-power | grep -q '^power of the price; default 2$' || fail "the manual page of power"
"$program" price power --help >"$dir/help"
grep -q '^usage: bailey price power --rate R --volatility V \[options\]$' "$dir/help" || fail "the usage of power"
grep -q '^  bailey price power --rate 0.05 --volatility 0.2$' "$dir/help" || fail "the example of power"
! sh "$tree/tests/products_page.sh" "$program" "$tree/docs/pricing.md" >"$dir/said" || fail "the page has power already"
grep -q '^> | .power. | a power option, which pays' "$dir/said" || fail "what the page lacks is not said: $(cat "$dir/said")"
sh "$tree/tests/products_page.sh" "$program" "$tree/docs/pricing.md" --update
grep -q '^| .power. | a power option, which pays a power of the price | .--rate --volatility. |' "$tree/docs/pricing.md" ||
    fail "the page's table has no power"

# Every pair of which one is new, on values that each parameter takes. A model that has not what a product asks is
# refused; so the counts of prices are known. A straddle is worth E |100 + 20 Z - 100 exp(-0.05)| in Bachelier's model.
cat >"$dir/pairs.c" <<'C'
#include <bailey/simulation.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static bailey_context *context;
static const double times[] = {0.5, 1};
static double value_of(const bailey_parameter *p, double volatility)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"spot", 100}, {"strike", 100}, {"lower", 80}, {"barrier", 120}, {"upper", 120}, {"side", 1},
                  {"rate", 0.05}, {"target", 20}, {"premium", 5}, {"window", 1}, {"intensity", 0.5},
                  {"low", -1}, {"high", 1}, {"horizon", 2}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, p->name) == 0) return values[i].value;
    return strcmp(p->name, "volatility") == 0 ? volatility : 0.2;
}
/* NaN: the two do not fit. */
static bailey_estimate price(const char *product, const char *model, double volatility)
{
    bailey_estimate e[BAILEY_SIMULATION_MAX_OUTPUTS] = {{.mean = NAN}};
    const bailey_payoff payoff = {.name = product, .model_name = model};
    bailey_description *d = NULL;
    bailey_simulation *s = NULL;
    bailey_status status = bailey_payoff_describe(&payoff, NULL, &d);
    if (status == BAILEY_ERROR_INVALID && strcmp(bailey_error_argument(), "model") == 0) return *e;
    const bailey_simulation_params params = {
        .path = {.times = times, .steps = 2, .dims = d ? d->path.dims_least : 0}, .payoff = payoff};
    if (status == BAILEY_OK) status = bailey_simulation_create(context, &params, &s);
    for (uint32_t i = 0; status == BAILEY_OK && i < d->parameter_count; i++) {
        uint64_t count;
        const bailey_parameter *p = &d->parameters[i];
        if (p->default_kind != BAILEY_DEFAULT_KIND_NONE) continue;
        bailey_simulation_parameter(s, i, &count);
        double all[2048];
        for (uint64_t k = 0; k < count; k++) /* times of nodes increase */
            all[k] = value_of(p, volatility) * (strcmp(p->name, "node") == 0 ? (double)(k + 1) : 1);
        status = bailey_simulation_set(s, p->name, all, count);
    }
    const bailey_simulation_run_params run = {.paths = 4096};
    if (status == BAILEY_OK) status = bailey_simulation_run(s, &run, e);
    bailey_simulation_destroy(s);
    bailey_description_destroy(d);
    if (status == BAILEY_OK && isfinite(e->mean)) return *e;
    fprintf(stderr, "%s under %s: %g, %s\n", product, model, e->mean, bailey_error_message());
    exit(1);
}
int main(int arguments, char **argument)
{
    const char *name;
    int products = 0, models = 0;
    (void)arguments;
    if (bailey_context_create(argument[1], NULL, &context) != BAILEY_OK) return 1;
    for (size_t i = 0; (name = bailey_product_name(i)); i++) products += !isnan(price(name, "bachelier", 20).mean);
    for (size_t i = 0; (name = bailey_model_name(i)); i++) models += !isnan(price("straddle", name, 0.2).mean);
    const bailey_estimate e = price("straddle", "bachelier", 20);
    const double up = 100 - 100 * exp(-0.05), z = up / 20;
    const double wanted = up * erf(z / sqrt(2)) + 20 * sqrt(2 / acos(-1)) * exp(-z * z / 2);
    printf("%d products, %d models, a straddle %a %a for %g\n", products, models, e.mean, e.standard_error, wanted);
    bailey_context_destroy(context);
    return products < 15 || models < 8 || fabs(e.mean - wanted) > 4 * e.standard_error;
}
C
link pairs
"$dir/pairs" cpu >"$dir/pairs.cpu" || fail "models and products: $(cat "$dir/pairs.cpu")"
"$program" price straddle --help | grep -q '^A straddle, which pays the distance' || fail "the help of straddle"
python3 "$tree/tests/models_page.py" "$tree" --update
grep -q '^| .bachelier. .*| .price., .discount., .discount_in. |' "$tree/docs/models.md" || fail "the table of models"

# A forward at the money is worth 100 - 100 exp(-0.05).
cat >"$dir/forward.c" <<'C'
#include <bailey/mlmc.h>
#include <math.h>
#include <stdio.h>
#define OK(call) if ((call) != BAILEY_OK) return fprintf(stderr, "%s\n", bailey_error_message()), 1
int main(int arguments, char **argument)
{
    const bailey_mlmc_params params = {.estimator = {.name = "forward"}};
    const bailey_mlmc_run_params run = {.eps = 0.2};
    bailey_mlmc_result result;
    bailey_context *context;
    bailey_mlmc *m;
    (void)arguments;
    OK(bailey_context_create(argument[1], NULL, &context));
    OK(bailey_mlmc_create(context, &params, &m));
    OK(bailey_mlmc_run(m, &run, &result));
    printf("%a %a\n", result.mean, result.standard_error);
    bailey_mlmc_destroy(m);
    bailey_context_destroy(context);
    return !(fabs(result.mean - 100 + 100 * exp(-0.05)) < 4 * 0.2);
}
C
link forward
"$dir/forward" cpu >"$dir/forward.cpu" || fail "forward: $(cat "$dir/forward.cpu")"
"$program" mlmc --help | grep -q '^NAME is one of .*european, forward, lookback' || fail "bailey mlmc --help does not list forward"
"$program" mlmc forward --help >"$dir/help"
grep -q '^  strike  *what is paid for it; money; default 100$' "$dir/help" || fail "the help of forward"
grep -q '^  bailey mlmc forward --eps 0.1$' "$dir/help" || fail "the example of forward"
"$program" mlmc forward --strike 90 --eps 0.2 --no-test --device cpu >"$dir/forward.mlmc" || fail "bailey mlmc forward"

if [ -f "$build/python/bailey/__init__.py" ]; then
    cp -r "$build/python" "$dir/python"
    python3 "$tree/python/make_functions.py" "$tree/src/kernels/payoff_functions.h" "$dir/python/bailey/_functions.py"
    cat >"$dir/hyperbolic.py" <<'PYTHON'
import bailey
from bailey.payoff import tanh


@bailey.payoff
class Hyperbolic:
    x: float = 0.5

    def start(self):
        pass

    def step(self, i, t, x):
        pass

    def finish(self):
        return tanh(self.x)
PYTHON
    PYTHONPATH=$dir/python:$dir BAILEY_LIBRARY=$dir/build/libbailey.so python3 - <<'PYTHON' || fail "power, forward or tanh in Python"
import inspect, math, sys
try:
    import bailey
except ImportError:
    sys.exit(0)
power = bailey.Simulation("power", [1.0], device="cpu", rate=0.05, volatility=0.2).run(65536, seed=1)
assert "power" in bailey.payoffs() and abs(power.mean - math.exp(0.09)) < 4 * power.standard_error
assert bailey.describe("power").parameter("exponent").default == 2
assert "forward" in bailey.mlmc_levels()
forward = bailey.mlmc("forward", 0.2, parameters={"strike": 90}, device="cpu")
assert abs(forward.mean - 100 + 90 * math.exp(-0.05)) < 4 * 0.2
from bailey.payoff import tanh
assert abs(tanh(0.5) - math.tanh(0.5)) < 1e-15 and tanh.__doc__ == "The hyperbolic tangent of x."
assert inspect.signature(tanh).parameters["x"].annotation is float
import hyperbolic
run = bailey.Simulation(hyperbolic.Hyperbolic, [1.0], device="cpu", dtype="float64").run(16, seed=1)
assert abs(run.mean - math.tanh(0.5)) < 1e-15
PYTHON
fi
grep -q '"power", power_option' "$dir/build/generated/kernels/payoff_list.h" || fail "power is not in the list"
grep -q bly_prebuilt_power_option_f64 "$dir/build/generated/kernels/prebuilt_f64.h" || fail "power has no row"

# tanh is odd, so that its mean over a Brownian motion is 0; of 1/2 and of -20 its value is known.
cat >"$dir/tanh.c" <<'C'
#include <bailey/simulation.h>
#include <math.h>
#include <stdio.h>
#define OK(call) if ((call) != BAILEY_OK) return fprintf(stderr, "%s\n", bailey_error_message()), 1
int main(int arguments, char **argument)
{
    const double maturity = 1;
    bailey_simulation_params params = {
        .path = {.times = &maturity, .steps = 1},
        .payoff = {.code = "void whole(const params *p, path x, real out[3])\n"
                           "{ out[0] = tanh(at(x, 0, 0)); out[1] = tanh(0.5); out[2] = tanh(-20); }\n"}};
    const bailey_simulation_run_params run = {.paths = 65536};
    bailey_estimate e[3];
    bailey_context *context;
    bailey_simulation *s;
    (void)arguments;
    OK(bailey_context_create(argument[1], NULL, &context));
    for (int f64 = 0; f64 < 2; f64++) {
        params.path.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
        OK(bailey_simulation_create(context, &params, &s));
        OK(bailey_simulation_run(s, &run, e));
        for (int o = 0; o < 3; o++) printf("%a\n", e[o].mean);
        const double error = f64 ? 1e-15 : 5e-7;
        if (fabs(e[0].mean) > 4 * e[0].standard_error || fabs(e[1].mean - tanh(0.5)) > error ||
            fabs(e[2].mean + 1) > error)
            return 1;
        bailey_simulation_destroy(s);
    }
    bailey_context_destroy(context);
    return 0;
}
C
link tanh
"$dir/tanh" cpu >"$dir/tanh.cpu" || fail "tanh: $(cat "$dir/tanh.cpu")"
"$dir/triangular" cpu >"$dir/triangular.cpu"
"$program" random --generator sfc32 --seed 5 --first 8190 --count 20001 --device cpu --output "$dir/words.cpu.bin" >/dev/null
"$program" random --generator sfc32 --form normals --count 5001 --device cpu --output "$dir/normals.cpu.bin" >/dev/null
"$program" paths --paths 1001 --steps 12 --device cpu --output "$dir/paths.cpu.npy" >/dev/null
"$program" paths --generator sfc32 --paths 1001 --steps 5 --device cpu --output "$dir/drawn.cpu.npy" >/dev/null

if ! "$program" devices | grep -v 'not usable' | grep -q '^opencl'; then
    case ",${BAILEY_TEST_REQUIRE:-}," in *,opencl,*) fail "there is no OpenCL device" ;; esac
    echo "ok, without OpenCL"
    exit 0
fi
"$dir/triangular" opencl >"$dir/triangular.opencl"
"$dir/power" opencl >"$dir/power.opencl"
"$dir/tanh" opencl >"$dir/tanh.opencl"
"$dir/forward" opencl >"$dir/forward.opencl"
"$program" random --generator sfc32 --seed 5 --first 8190 --count 20001 --device opencl --output "$dir/words.opencl.bin" >/dev/null
"$program" random --generator sfc32 --form normals --count 5001 --device opencl --output "$dir/normals.opencl.bin" >/dev/null
"$program" paths --paths 1001 --steps 12 --strategy eighth --device opencl --output "$dir/paths.opencl.npy" >/dev/null
"$program" paths --generator sfc32 --paths 1001 --steps 5 --device opencl --output "$dir/drawn.opencl.npy" >/dev/null
cmp "$dir/triangular.cpu" "$dir/triangular.opencl"
cmp "$dir/power.cpu" "$dir/power.opencl"
cmp "$dir/tanh.cpu" "$dir/tanh.opencl"
cmp "$dir/forward.cpu" "$dir/forward.opencl"
cmp "$dir/words.cpu.bin" "$dir/words.opencl.bin"
cmp "$dir/normals.cpu.bin" "$dir/normals.opencl.bin"
cmp "$dir/paths.cpu.npy" "$dir/paths.opencl.npy"
cmp "$dir/drawn.cpu.npy" "$dir/drawn.opencl.npy"
echo ok
