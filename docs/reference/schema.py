# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) the bailey authors
"""Makes report.schema.json, the JSON schema of what the program prints with --json, and of the lines of bailey batch.

usage: schema.py [--check]; BAILEY_LIBRARY is the path of libbailey.so

A key that is a field of a struct of the library's has the type, the choices and the words that the library's record
says (bailey/describe.h); the others are in OWN. Keys that only some reports have end in `?` here. --check writes
nothing, and fails where the file is another.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples"))
import binding  # noqa: E402

FILE = os.path.join(HERE, "report.schema.json")
FLAG, UINT32, UINT64, REAL, CHOICE, TEXT, CHARS, RECORD = range(8)

TEXT_, COUNT, NUMBER, YES = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": ["number", "null"]}, {"type": "boolean"}
MAYBE_TEXT, NUMBERS = {"type": ["string", "null"]}, {"type": "array", "items": NUMBER}
TEXTS, HEX = {"type": "array", "items": TEXT_}, {"type": ["string", "null"]}
VALUES = {"type": "object", "additionalProperties": {"type": ["number", "array", "null"]}}

ESTIMATE = "".join(f" estimate.{name}" for name in (
    "mean", "standard_error", "controlled", "controlled_standard_error", "interval_low", "interval_high", "variance"))
SOURCE = (" source.seed source.stream source.generator verdict source.sequence? source.warp_set? source.scramble?"
          " source.point_order? source.assignment?")
VARIATE = "".join(f" variate_params.{name}?" for name in (
    "distribution", "mean", "stddev", "rate", "location", "scale", "shape", "second_shape", "freedom", "probability",
    "trials", "weight_count", "integers", "alias", "lower", "upper",
    "noncentrality"))
NORMAL = " normal normal_params.precision normal_params.numerics word_bits"
WHERE = " device device_name seconds warnings"
FILE_KEYS = "output format bytes"

OWN = {
    "estimator": (TEXT_, "built-in levels, or the file of one's own"),
    "product": (TEXT_, "a built-in"),
    "payoff": (TEXT_, "the file of one's own code"),
    "model": (TEXT_, "of a product: a built-in one, or a file"),
    "verdict": (TEXT_, "of the generator: sound, weak, points, ..."),
    "normal": ("normal_params.method", None),
    "word_bits": (COUNT, "bits of the words behind each number"),
    "device": (TEXT_, "address of the device"),
    "device_name": (MAYBE_TEXT, "the vendor's name for it"),
    "seconds": (NUMBER, "of the whole call, of a batch of the deal"),
    "warnings": (TEXTS, "what went to standard error"),
    "assets": (TEXTS, "names of --assets"),
    "parameters": (VALUES, "of the payoff; a number, or one for each asset"),
    "steps": (COUNT, "times of a path"),
    "motion_depth": ("simulation_params.motion_depth", None),
    "first_time": (NUMBER, "the first time of a path, in years"),
    "maturity": (NUMBER, "the last time of a path, in years"),
    "dims": (COUNT, "dimensions of a path, rows of a matrix"),
    "copula_freedom": (NUMBER, "degrees of freedom of Student's copula; 0: the Gaussian one"),
    "correlation_source": (TEXT_, "the file, the number, or independent"),
    "correlation": ({"type": ["array", "null"], "items": NUMBERS}, "rows of the matrix"),
    "name": (TEXT_, "what it is called"),
    "expected": (NUMBER, "known expectation of a control variate"),
    "closed_form": (NUMBER, "the price where the product has a closed form under the model"),
    "outputs": (ESTIMATE + " name expected closed_form?", "estimates of the payoff's outputs"),
    "hex": ({"type": "object", "additionalProperties": HEX}, "numbers as hexadecimal floats"),
    "target": ("target_standard_error reached runs", "of --target-error"),
    "reached": (YES, "the standard error is as small as asked"),
    "runs": ("paths estimate.standard_error", "where the standard error was checked"),
    "paths": (COUNT, "of all replicates"),
    "bias": (NUMBER, "of the discretisation, about"),
    "bias_standard_error": (NUMBER, "standard error of it"),
    "bias_bound": (NUMBER, "that it does not exceed, as coarser paths say; null where it is not resolved"),
    "scenarios": ("name parameters time_shift estimate.mean estimate.standard_error difference difference_standard_error",
                  "of --scenarios"),
    "time_shift": (NUMBER, "by which all times are later"),
    "difference": (NUMBER, "from the first scenario"),
    "difference_standard_error": (NUMBER, "standard error of it"),
    "greeks": ("name greek_estimate.kind greek_estimate.first greek_estimate.second greek_estimate.mean"
               " greek_estimate.standard_error greek_estimate.method bump", "of --greeks"),
    "bump": (NUMBER, "by which a parameter was moved; null without one"),
    "gradient": ("name derivative.first derivative.second derivative.forward derivative.independent estimate.mean"
                 " estimate.standard_error estimate.controlled estimate.controlled_standard_error derivative.largest_share by_jumps by_jumps_standard_error",
                 "of --gradient"),
    "by_jumps": (NUMBER, "the part of a derivative that came through jumps"),
    "by_jumps_standard_error": (NUMBER, "standard error of it"),
    "derivatives": ("mlmc_test_run.eps name mlmc_result.mean mlmc_result.standard_error mlmc_result.bias",
                    "of --gradient, for each of --eps"),
    "jumps": ("gradient_jump.line gradient_jump.column gradient_jump.reruns gradient_jump.counts gradient_jump.width"
              " gradient_jump.spread", "comparisons where the payoff jumps"),
    "exercise": ("exercise_result.dates exercise_result.regressions exercise_result.least_used exercise_result.condition"
                 " exercise_bounds_params.outer_paths? exercise_bounds_params.inner_paths? exercise_bounds_params.horizon?"
                 " exercise_bounds.upper? exercise_bounds.upper_standard_error? exercise_bounds.interval_high?"
                 " policy_paths exercise_result.in_sample exercise_result.in_sample_standard_error functions",
                 "the policy, of code with exercise"),
    "policy_paths": ("exercise_params.paths", None),
    "functions": (TEXTS, "of its regressions"),
    "loaded_paths": (COUNT, "paths of --checkpoint"),
    "devices": ("device device_name paths share seconds failed", "what each device, or rank, has done"),
    "share": (NUMBER, "of the paths"),
    "failed": (YES, "until then"),
    "fault": (MAYBE_TEXT, "where the code has failed"),
    "path": (COUNT, "number of the path"),
    "moments": ("moment.kind moment.step? moment.time? moment.dimension? x? state? values?", "of the path, in order"),
    "x": (NUMBERS, "the path's point"),
    "state": (VALUES, "of the payoff, after the step"),
    "output": (TEXT_, "the file that was written"),
    "format": (TEXT_, "of the file"),
    "bytes": (COUNT, "of the file"),
    "count": (COUNT, "of numbers"),
    "first": (COUNT, "index of the first number, point or path"),
    "points": (COUNT, "of them"),
    "form": (TEXT_, "uniforms, normals, words or integers"),
    "precision": ({"enum": ["f32", "f64", "f16", "bf16"]}, "of the numbers"),
    "bits": (COUNT, "of an integer"),
    "below": (COUNT, "above all integers"),
    "shape": ({"type": "array", "items": COUNT}, "of the array"),
    "content": (TEXT_, "values, increments or prices"),
    "rate": (NUMBER, "of prices"),
    "normals": (TEXT_, "the file that normals are read from"),
    "times": (COUNT, "of a motion, that were asked for"),
    "file": (TEXT_, "the file that was read"),
    "is_correlation": (YES, "it is a correlation matrix"),
    "smallest_eigenvalue": (NUMBER, "of the matrix"),
    "largest_eigenvalue": (NUMBER, "of the matrix"),
    "nearest": (TEXT_, "the file with the nearest correlation matrix"),
    "factors": (COUNT, "of the model"),
    "distance": (NUMBER, "to it, in Frobenius's norm or the weighted one"),
    "largest_change": (NUMBER, "of an entry"),
    "horizon": (NUMBER, "time of the last row of the grid, in years"),
    "low": (NUMBER, "logarithm of price divided by forward at its first column"),
    "high": (NUMBER, "the same of the last column"),
    "extrapolated": (COUNT, "nodes that prices are likely to reach, beyond the quotes"),
    "volatility": (NUMBERS, "local volatilities, 65 for each of 16 times"),
    "version": (TEXT_, "of bailey"),
    "driver": ("device.driver", None),
    "items": ("item passed detail", "what was compared"),
    "item": (TEXT_, "what was compared"),
    "passed": (YES, "it gives the same bits"),
    "detail": (TEXT_, "digests"),
    "error": (TEXT_, "what is wrong"),
    "line": (COUNT, "of the file, at which the deal begins"),
    "id": ({"type": ["string", "integer"]}, "of the deal"),
}

MODEL = (" product? payoff? model? assets? parameters steps motion_depth first_time maturity dims bridge_params.construction"
         " correlation_source correlation")
REPORTS = {
    "price": ESTIMATE + MODEL + " outputs exercise? bias? bias_standard_error? bias_bound? scenarios? greeks? gradient? jumps? hex target paths"
             " simulation_run_params.replicates simulation_run_params.antithetic simulation_run_params.sum"
             " simulation_run_params.sum_limit loaded_paths? devices?" + SOURCE + NORMAL + WHERE,
    "price american": "product american_parameters steps maturity correlation_source correlation american_result.* hex"
                      + SOURCE + NORMAL + WHERE,
    "price explain": "product? payoff? model? path normal_params.precision moments fault warnings" + SOURCE,
    "batch": "id" + ESTIMATE + " outputs exercise? gradient? jumps? paths target? warnings? seconds",
    "batch american": "id american_result.* target? warnings? seconds",
    "batch mlmc": "id mlmc_result.* derivatives? warnings? seconds",
    "batch error": "id error line",
    "mlmc": "estimator mlmc_report.run derivatives? mlmc_report.samples? mlmc_report.level? mlmc_report.alpha? mlmc_report.beta?"
            " mlmc_report.gamma? mlmc_report.kurtosis_warning? mlmc_report.check_warning? mlmc_params.dims mlmc_params.time"
            " mlmc_params.first_steps mlmc_run_params.bias_share mlmc_run_params.initial_samples mlmc_run_params.min_level"
            " mlmc_run_params.max_level mlmc_run_params.schedule mlmc_run_params.replicates mlmc_run_params.approximate"
            + SOURCE + NORMAL + WHERE,
    "random": FILE_KEYS + " count points? first form points_params.layout? points_params.first_dim? dims? bits? below?"
              " word_bits precision?" + VARIATE + " normal? normal_params.numerics?" + SOURCE + WHERE,
    "paths": FILE_KEYS + " paths steps dims bridge_params.layout bridge_params.precision bridge_params.construction shape?"
             " content assets? rate? normals? normal? normal_params.numerics? word_bits?"
             + SOURCE.replace(" ", "? ").replace("??", "?")[1:] + "?" + WHERE,
    "motion": FILE_KEYS + " paths first times? motion_params.depth dims motion_params.areas motion_params.precision content"
              + SOURCE + WHERE,
    "copula": "file " + FILE_KEYS + " count first dims copula_freedom precision" + SOURCE + WHERE,
    "correlation": "file dims is_correlation smallest_eigenvalue largest_eigenvalue nearest? factors? distance? largest_change? seconds"
                   " warnings",
    "local-volatility": "file horizon low high extrapolated output? volatility? seconds warnings",
    "devices": "version device_list warnings",
    "selftest": "version driver items passed error" + WHERE,
}


# ---- Schemas of fields -------------------------------------------------------------------------------------------

def fields_of(name):
    return binding.made_from(name.encode()).fields


def element(record, field):
    choices = (binding.Choice * field.choice_count).from_address(field.choices) if field.choices else ()
    if field.type == CHOICE:
        return {"enum": [choice.name.decode() for choice in choices]}
    if field.type == RECORD:
        used.add(field.record.decode())
        return {"$ref": "#/$defs/" + field.record.decode()}
    return {FLAG: YES, UINT32: COUNT, UINT64: COUNT, REAL: NUMBER, TEXT: MAYBE_TEXT, CHARS: TEXT_}[field.type]


def schema_of(record, field):
    one = element(record, field)
    if field.shape and field.type != CHARS:
        one = {"type": "array", "items": one}
    elif field.default_how and one is COUNT:
        one = {"type": ["integer", "null"], "minimum": 0}
    return {**one, "description": field.summary.decode()}


def record_schema(name):
    keys = [key for key, field in fields_of(name).items() if field.type <= RECORD]
    return document(" ".join(f"{name}.{key}" for key in keys))


# ---- Schemas of reports ------------------------------------------------------------------------------------------

SPECIAL = {
    "american_parameters": ("parameters", lambda: document(" ".join("american_params." + key for key in (
        "type assets spot volatility dividend strike rate exercise_times policy_paths paths outer_paths? inner_paths?"
        " antithetic lower_only?").split()))),
    "device_list": ("devices", lambda: {"type": "array", "items": record_schema("device")}),
    "target_standard_error": ("standard_error", lambda: {**NUMBER, "description": "what was asked for"}),
    "values": ("outputs", lambda: {**VALUES, "description": "of the payoff, at the end"}),
}
LISTS = {"outputs", "runs", "scenarios", "greeks", "devices", "moments", "items"}


def own(key):
    what, words = OWN[key]
    if isinstance(what, dict):
        return {**what, "description": words}
    if words is None:
        record, name = what.split(".")
        field = schema_of(record, fields_of(record)[name])
        return {**COUNT, "description": field["description"]} if key == "motion_depth" else field
    inner = document(what)
    if key in LISTS:
        return {"type": "array", "items": inner, "description": words}
    return {**inner, "type": ["object", "null"], "description": words}


def document(words):
    properties, required = {}, []
    for word in words.split():
        key, is_needed = word.rstrip("?"), not word.endswith("?")
        if key.endswith(".*"):
            record = record_schema(key[:-2])
            properties.update(record["properties"])
            required += record["required"]
            continue
        if key in SPECIAL:
            key, schema = SPECIAL[key][0], SPECIAL[key][1]()
        elif "." in key:
            record, key = key.split(".")
            schema = schema_of(record, fields_of(record)[key])
        else:
            schema = own(key)
        assert key not in properties, f"{key} twice: {words}"
        properties[key] = schema
        required += [key] * is_needed
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


used = set()
defs, done = {"bailey " + name: document(words) for name, words in REPORTS.items()}, set()
while used - done:
    for name in sorted(used - done):
        defs[name] = record_schema(name)
        done.add(name)
schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Reports of the program bailey",
          "$comment": "Made by docs/reference/schema.py from the library's descriptions of its structs.",
          "anyOf": [{"$ref": "#/$defs/" + name} for name in defs if name.startswith("bailey ")], "$defs": defs}


def laid_out(value, depth=0):
    """JSON with a line for each key of a report, and for each of a struct's."""
    if not isinstance(value, dict) or depth == 4:
        return json.dumps(value)
    margin = "\n" + " " * depth
    return "{" + ",".join(f"{margin} {json.dumps(key)}: {laid_out(inner, depth + 1)}" for key, inner in value.items()) + margin + "}"


text = laid_out(schema) + "\n"
if "--check" in sys.argv:
    with open(FILE) as file:
        sys.exit("report.schema.json is not what the library says: run docs/reference/schema.py" if file.read() != text else 0)
with open(FILE, "w") as file:
    file.write(text)
