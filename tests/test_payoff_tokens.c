/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tokens and macros of payoff code: what is left when they are followed, and what is refused, with its place.
 * No device, no context.
 */
#include "harness.h"

#include <base/alloc.h>
#include <host/payoff/language.h>
#include <host/payoff/payoff.h>

static struct bly_unit unit_of(enum bly_unit_kind kind, const char *code, size_t length)
{
    struct bly_unit unit = {.kind = kind,
                            .precision = BAILEY_PRECISION_F32,
                            .dims = 3,
                            .steps = kind == BLY_UNIT_PAYOFF ? 12 : 0,
                            .levels = kind == BLY_UNIT_MOTION ? 5 : 0,
                            .code = code,
                            .length = length,
                            .argument = kind == BLY_UNIT_LEVELS ? "estimator" : "payoff"};
    bly_unit_name(&unit, NULL);
    return unit;
}

static bailey_status expand(struct bly_unit *unit)
{
    const bailey_status status = bly_tokens_read(unit);
    return status == BAILEY_OK ? bly_macros_expand(unit) : status;
}

/* The tokens with a space after each. */
static void written(const struct bly_unit *unit, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (uint32_t k = 0; k < unit->token_count && used < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%.*s ", (int)unit->tokens[k].length,
                                 unit->tokens[k].text);
}

/* ---- Expansion ----------------------------------------------------------------------------------- */

static const struct {
    const char *code, *expected;
} expansions[] = {
    {"", ""},
    {"\xef\xbb\xbf// a byte order mark\n", ""},
    {"a+b /* c */ - .5e+3f // d\n\t.\v[\f]\r\n", "a + b - .5e+3f . [ ] "},
    {"a \\\n b\\\r\n +c\\\n", "a b + c "},
    {"x+++++y<<=z>>w->v<=u!=t&&s||r%=q^=p|=o&=n*=m/=l-=k--",
     "x ++ ++ + y <<= z >> w -> v <= u != t && s || r %= q ^= p "
     "|= o &= n *= m /= l -= k -- "},
    {"0xe+1 1..2 .5.e-x 3u", "0xe+1 1..2 .5.e-x 3u "},
    {"DIMS STEPS LEVELS", "DIMS STEPS LEVELS "},
    /* objects */
    {"#define A 1\nA B A", "1 B 1 "},
    {"#define A\nA;A", "; "},
    {"#define A B\n#define B C\n#define C 7\nA", "7 "},
    {"#define A (1)\nA (2)", "( 1 ) ( 2 ) "},
    {"#define A 1\n#undef A\nA\n#undef A\n", "A "},
    {"#define A 1 + \\\n 2\nA", "1 + 2 "},
    {"#define A 1\n#define A  1 /* the same */\nA", "1 "},
    {"#define A B\n#define B 1\nA\n#undef B\n#define B 2\nA", "1 2 "},
    {"# define A 3\n  #  define B A\nB", "3 "},
    {"#define N DIMS * 2\nreal a[N];", "real a [ DIMS * 2 ] ; "},
    {"#define LEVELS 3\n#define noise 4\n#define time 5\n#define pair 6\nLEVELS noise time pair", "3 4 5 6 "},
    {"#define MONEY real\n#define PTR const MONEY *\nPTR a", "const real * a "},
    /* with parameters */
    {"#define F(x) ((x) * (x))\nF(2) F (a + b) F\n(\n1\n)",
     "( ( 2 ) * ( 2 ) ) ( ( a + b ) * ( a + b ) ) ( ( 1 ) * ( 1 ) ) "},
    {"#define F(x) x\nF F; F", "F F ; F "},
    {"#define F(x, y) y x\nF(1, 2) F(, 2) F(1, ) F(,)", "2 1 2 1 "},
    {"#define F(x) [x]\nF() F((1, 2)) F({1; 2}) F(a[(1)])",
     "[ ] [ ( 1 , 2 ) ] [ { 1 ; 2 } ] [ a [ ( 1 ) ] ] "},
    {"#define F(x, y) x y;\nF(,)F( , )", "; ; "},
    {"#define F() 9\nF() F( ) F", "9 9 F "},
    {"#define F (x) x\nF(1)", "( x ) x ( 1 ) "},
    {"#define EACH(i, n) for (int i = 0; i < n; i++)\nEACH(j, DIMS) ;",
     "for ( int j = 0 ; j < DIMS ; j ++ ) ; "},
    {"#define G(a) a.field\n#define field other\nG(s)", "s . other "},
    {"#define F(F) F\nF(1)", "1 "},
    {"#define F(x) x y\n#define y z\nF(y)", "z z "},
    /* A macro is not expanded within its own expansion, also not later. */
    {"#define A A + 1\nA", "A + 1 "},
    {"#define A B\n#define B A\nA B", "A B "},
    {"#define F(x) x F\nF(1)(2)", "1 F ( 2 ) "},
    {"#define F(x) F(x + 1)\nF(2)", "F ( 2 + 1 ) "},
    {"#define F(x) <x>\nF(F(F(1)))", "< < < 1 > > > "},
    {"#define F(x) x\n#define G F(G)\nG", "G "},
    {"#define F(x) x\n#define G F(G) F(H)\n#define H 5 G\nG", "G 5 G "},
    {"#define F() G(F ())\n#define G(x) x\nF()", "F ( ) "},
    /* The call of a macro may begin in what another one makes, and end behind it. */
    {"#define NAME F\n#define F(x) -x\nNAME(3)", "- 3 "},
    {"#define OPEN F(\n#define F(x) -x\nOPEN 3)", "- 3 "},
    {"#define TWICE(f) f(f(1))\n#define INC(x) (x + 1)\nTWICE(INC)", "( ( 1 + 1 ) + 1 ) "},
    {"#define APPLY(f, x) f(x)\n#define NEG(x) -x\nAPPLY(NEG, APPLY(NEG, 1))", "- - 1 "},
    {"#define LIST 1, 2\n#define ADD(a, b) a + b\n#define CALL(f, x) f(x)\nCALL(ADD, LIST)", "1 + 2 "},
    {"#define STRANGE(x) x(1\n#define NEG(x) -x\nSTRANGE(NEG) + 2)", "- 1 + 2 "},
    {"#define a 1\n#define F(b) b * a\n#undef a\n#define a 2\nF(a + F(a))", "2 + 2 * 2 * 2 "},
    /* what is not read */
    {"#if 0\n#define A 1\n@\n#endif\nA", NULL},
    {"#if 0\n#define A 1\n#error no\n#undef\n#define\n) ( ##\n#endif\nA", "A "},
    {"#if 0\n#if nothing ( right\n#elif\n#else\n#endif x\n#endif\nA", NULL},
    {"#if 0\n#if nothing ( right\n#elif\n#else\nB\n#endif\n#endif\nA", "A "},
    {"#ifdef A\n1\n#else\n2\n#endif\n#ifndef A\n3\n#else\n4\n#endif\n", "2 3 "},
    {"#define A\n#ifdef A\n1\n#else\n2\n#endif\n#ifndef A\n3\n#else\n4\n#endif\n", "1 4 "},
    {"#ifdef DIMS\n1\n#endif\n#ifdef STEPS\n2\n#endif\n#ifdef LEVELS\n3\n#endif\n", "1 2 "},
    {"#if 0\n1\n#elif 1\n2\n#elif 1 / 0\n3\n#else\n4\n#endif\n", "2 "},
    {"#if 0\n1\n#elif 0\n2\n#else\n3\n#endif\n", "3 "},
    {"#if 1\n1\n#elif (\n2\n#else\n3\n#endif\n", "1 "},
    {"#if 1\n#if 0\n1\n#else\n2\n#endif\n3\n#else\n4\n#endif\n5", "2 3 5 "},
    {"#if 0\n#if 1\n1\n#else\n2\n#endif\n3\n#else\n4\n#endif\n5", "4 5 "},
    {"#if DIMS > 2 && \\\n defined(N)\n1\n#else\n#error don't /* \"do\"\n#endif\n", NULL},
    {"a\n#if 1\n+\n#endif\nb", "a + b "},
};

TEST(expansion, HOST)
{
    for (size_t i = 0; i < sizeof expansions / sizeof *expansions; i++) {
        char text[1024];
        struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, expansions[i].code, strlen(expansions[i].code));
        const bailey_status status = expand(&unit);
        written(&unit, text, sizeof text);
        if (expansions[i].expected ? status != BAILEY_OK : status != BAILEY_ERROR_INVALID)
            fail_msg("%d, %s of\n%s", (int)status, bailey_error_message(), expansions[i].code);
        if (expansions[i].expected && strcmp(text, expansions[i].expected) != 0)
            fail_msg("\"%s\", not \"%s\", of\n%s", text, expansions[i].expected, expansions[i].code);
        bly_unit_free(&unit);
    }
}

/* ---- #if ----------------------------------------------------------------------------------------- */

static const char *const truths[] = {
    "1",
    "-1",
    "!0",
    "~0",
    "+3",
    "(1)",
    "((2))",
    "1u",
    "0x10 == 16",
    "010 == 8",
    "0XfFu == 255",
    "5U == 5",
    "1 + 2 * 3 == 7",
    "(1 + 2) * 3 == 9",
    "10 - 4 - 3 == 3",
    "100 / 10 / 2 == 5",
    "7 % 4 == 3",
    "-7 / 2 == -3",
    "-7 % 2 == -1",
    "1 << 4 == 16",
    "-8 >> 1 == -4",
    "0 - 8u >> 60 == 15",
    "1 << 64 == 1",
    "1 << 3 + 1 == 16",
    "(6 & 3) == 2",
    "(6 | 3) == 7",
    "(6 ^ 3) == 5",
    "1 | 2 ^ 3 & 4",
    "!(1 > 2)",
    "2 >= 2 && 2 <= 2 && 1 < 2 && 3 > 2",
    "1 == 1 != 0",
    "3 > 2 > 0",
    "0 || 2",
    "2 && 3",
    "!(0 && 1 / 0)",
    "1 || 1 / 0",
    "1 ? 1 : 1 / 0",
    "0 ? 1 % 0 : 1",
    "1 ? 0 ? 0 : 2 : 0",
    "0 ? 0 : 0 ? 0 : 1",
    "(1 ? 2 : 3) == 2",
    "(1 ? -1 : 0u) > 0",
    "-1 > 0u",
    "-1 < 0",
    "0 - 1u == 18446744073709551615u",
    "9223372036854775807 + 1 < 0",
    "9223372036854775807 * 2 == -2",
    "(0 - 9223372036854775807 - 1) / -1 < 0",
    "(0 - 9223372036854775807 - 1) % -1 == 0",
    "18446744073709551615u / 2 == "
    "9223372036854775807",
    "nothing == 0",
    "!nothing",
    "real == 0",
    "DIMS == 3",
    "STEPS == 12",
    "DIMS * STEPS == 36",
    "defined(DIMS) && defined STEPS && !defined(LEVELS)",
    "!defined nothing",
    "defined(ONE)",
    "ONE",
    "ONE + TWO == 3",
    "SUM(ONE, TWO) == 3",
    "SUM (1, (2)) == 3",
    "!SUM",
    "defined(SUM) && defined ONE",
    "!defined(LEVELS) || LEVELS > 3",
    "SELF == 0",
    "0x7fffffffffffffff > 0",
};

TEST(conditions, HOST)
{
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        char code[512];
        snprintf(code, sizeof code,
                 "#define ONE 1\n#define TWO (ONE + ONE)\n#define SUM(a, b) a + b\n#define SELF SELF\n"
                 "#if %s\nyes\n#else\nno\n#endif\n#if !(%s)\nno\n#endif\n",
                 truths[i], truths[i]);
        struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, strlen(code));
        if (expand(&unit) != BAILEY_OK) fail_msg("%s", bailey_error_message());
        if (unit.token_count != 1 || unit.tokens[0].length != 3) fail_msg("%s is false", truths[i]);
        bly_unit_free(&unit);
    }
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

#define N63 "n23456789_123456789_123456789_123456789_123456789_123456789_123"
static const struct {
    uint32_t line, column;
    const char *word, *code;
} refused[] = {
    /* tokens */
    {2, 3, "this comment does not end", "\n  /* * / "},
    {1, 14, "may not end with a backslash", "  // comment \\\nint a;"},
    {1, 5, "may not end with a backslash", "//  \\  \t\nint a;"},
    {1, 11, "may not end with a backslash", "#error no \\\n"},
    {2, 9, "strings and character constants", "\nint a = 'a';"},
    {1, 10, "strings and character constants", "real a = \"a\";"},
    {1, 9, "byte 0xc3; only comments may contain non-ASCII bytes", "real caf\xc3\xa9;"},
    {1, 1, "byte 0xff; only comments", "\xff"},
    {1, 2, "byte 0xbf; only comments", "ab\xbf"},
    {2, 1, "byte 0x01 in the code", "\n\001"},
    {1, 1, "byte 0x7f in the code", "\x7f"},
    {1, 1, "@ in the code", "@"},
    {1, 7, "$ in the code", "real a$b;"},
    {1, 1, "` in the code", "`"},
    {1, 3, "\\ in the code; it continues a line", "a \\ b"},
    {1, 1,
     "?"
     "? is not supported",
     "?"
     "?="},
    {1, 7, "<: is not supported", "real a<:2:>;"},
    {1, 1, "%: is not supported", "%:define A"},
    {1, 16, ".. is not supported", "real f(real x, ...);"},
    {3, 7, "write a space before the backslash", "\n\nreal a\\\nb;"},
    {1, 2, "write a space before the backslash", "+\\\n+"},
    {2, 6, "a name of 64 characters; at most 63", "\nreal " N63 "4;"},
    /* # lines */
    {2, 1, "#include is not supported; code may have #define", "\n#include <math.h>\n"},
    {1, 1, "#pragma is not supported", "#pragma once"},
    {1, 1, "#line is not supported", "#line 3"},
    {2, 1, "#import is not supported", "#if 0\n#import a\n#endif"},
    {1, 1, "this # is not followed by a word", "#"},
    {2, 2, "this # is not followed by a word", "\n # 3"},
    {1, 1, "this # is not followed by a word", "#\ndefine A"},
    {1, 1, "this #define has no name", "#define\nA"},
    {1, 9, "3 found instead of a name", "#define 3 4"},
    {1, 9, "# found instead of a name", "#define #"},
    {1, 22, "# and ## in a macro", "#define PASTE(a, b) a##b"},
    {1, 18, "# and ## in a macro", "#define TEXT(a)  #a"},
    {1, 9, "step must be a function, not a macro", "#define step 3"},
    {1, 9, "whole must be a function, not a macro", "#define whole(a) a"},
    {1, 9, "real is predefined", "#define real int"},
    {1, 9, "if is predefined", "#define if while"},
    {1, 9, "defined is predefined", "#define defined 3"},
    {1, 9, "DIMS is predefined", "#define DIMS 3"},
    {1, 8, "STEPS is predefined", "#undef STEPS"},
    {1, 9, "exp is predefined", "#define exp(x) x"},
    {1, 9, "normal_cdf is predefined", "#define normal_cdf 1"},
    {1, 9, "time is predefined", "#define time 1\nvoid whole() {}"},
    {1, 11, "sqrt is predefined", "#define F(sqrt) 1"},
    {2, 9, "line 1 defines A differently; write #undef A in between", "#define A 1\n#define A 2"},
    {2, 9, "line 1 defines A differently", "#define A 1\n#define A() 1"},
    {2, 9, "line 1 defines A differently", "#define A(x) x\n#define A(y) y"},
    {2, 9, "line 1 defines A differently", "#define A\n#define A 1"},
    {1, 10, "this ( is not closed", "#define F(a"},
    {1, 10, "this ( is not closed", "#define F("},
    {1, 10, "this ( is not closed", "#define F(a,"},
    {1, 13, "a macro's parameters are names separated by commas", "#define F(a b) a"},
    {1, 13, ") found instead of a name", "#define F(a,) a"},
    {1, 11, ", found instead of a name", "#define F(,a) a"},
    {1, 14, "a second parameter a", "#define F(a, a) a"},
    {1, 1, "#undef takes one name", "#undef"},
    {1, 1, "#undef takes one name", "#undef A B"},
    {1, 8, "3 found instead of a name", "#undef 3"},
    {2, 1, "#error too many: don't ??", "\n#error too many: don't \xff\x01"},
    {1, 1, "#error ", "#error"},
    {2, 1, "this #if has no #endif", "\n#if DIMS\nint a;"},
    {3, 1, "this #if has no #endif", "#if 1\n#endif\n#ifdef A\n#else\n"},
    {2, 1, "this #else has no #if", "\n#else"},
    {1, 1, "this #endif has no #if", "#endif"},
    {1, 1, "this #elif has no #if", "#elif 1"},
    {3, 1, "this #else comes after #else", "#if 1\n#else\n#else\n#endif"},
    {3, 1, "this #elif comes after #else", "#if 1\n#else\n#elif 1\n#endif"},
    {2, 7, "#else stands alone in its line", "#if 1\n#else 3\n#endif"},
    {2, 8, "#endif stands alone in its line", "#if 1\n#endif A"},
    {1, 1, "#ifdef takes one name", "#ifdef\n#endif"},
    {1, 1, "#ifndef takes one name", "#ifndef A B\n#endif"},
    {1, 1, "#ifdef takes one name", "#ifdef 3\n#endif"},
    {1, 8, "__CUDA_ARCH__ is a compiler macro", "#ifdef __CUDA_ARCH__\n#endif"},
    {1, 13, "__OPENCL_VERSION__ is a compiler macro", "#if defined(__OPENCL_VERSION__)\n#endif"},
    {1, 3, "# is allowed only at the beginning of a line", "a # b"},
    {1, 1, "defined is allowed only in #if", "defined(A)"},
    /* #if */
    {1, 1, "this #if has no condition", "#if\n#endif"},
    {2, 1, "this #elif has no condition", "#if 0\n#elif\n#endif"},
    {2, 5, "this is empty after macro expansion", "#define A\n#if A\n#endif"},
    {1, 7, "ends after +, where a number is missing", "#if 1 +\n#endif"},
    {1, 7, "2 found instead of an operator", "#if 1 2\n#endif"},
    {1, 5, "* found instead of a number", "#if * 2\n#endif"},
    {1, 6, "a ) is missing at 1", "#if (1\n#endif"},
    {1, 6, ") found instead of an operator", "#if 1)\n#endif"},
    {1, 9, "the : of a ? is missing at 2", "#if 1 ? 2\n#endif"},
    {1, 7, "= found instead of an operator", "#if A = 2\n#endif"},
    {1, 6, ", found instead of an operator", "#if 1, 2\n#endif"},
    {1, 7, "divides by 0", "#if 1 / 0\n#endif"},
    {1, 7, "divides by 0", "#if 1 % 0 + 1\n#endif"},
    {1, 5, "1.5 is not an integer", "#if 1.5\n#endif"},
    {1, 5, "1L is not an integer", "#if 1L\n#endif"},
    {1, 5, "08 is not an integer", "#if 08\n#endif"},
    {1, 5, "0x is not an integer", "#if 0x\n#endif"},
    {1, 5, "1uu is not an integer", "#if 1uu\n#endif"},
    {1, 5, "18446744073709551616 does not fit 64 bits", "#if 18446744073709551616\n#endif"},
    {1, 5, "9223372036854775808 does not fit int64; append u", "#if 9223372036854775808\n#endif"},
    {1, 5, "write defined(NAME)", "#if defined\n#endif"},
    {1, 5, "write defined(NAME)", "#if defined(A\n#endif"},
    {1, 5, "write defined(NAME)", "#if defined(3)\n#endif"},
    {2, 5, "defined cannot come from a macro", "#define D defined\n#if D(A)\n#endif"},
    {1, 5, "is not defined: only paths that are motions have levels", "#if LEVELS\n#endif"},
    /* calls of macros */
    {2, 1, "the macro F takes 2 arguments, but this call has 1", "#define F(a, b) a\nF(1)"},
    {2, 3, "the macro F takes 1 argument, but this call has 2", "#define F(a) a\n  F(1, 2)"},
    {2, 1, "the macro F takes 0 arguments, but this call has 1", "#define F() a\nF(1)"},
    {2, 1, "the macro F takes 0 arguments, but this call has 2", "#define F() a\nF(,)"},
    {2, 1, "this call of the macro F is not closed", "#define F(a) a\nF((1)"},
    {2, 1, "a # line occurs within this call of the macro F", "#define F(a) a\nF(1\n#define B\n)"},
    {2, 5, "this call of the macro F is not closed", "#define F(a) a\n#if F(1\n#endif\n)"},
    /* brackets */
    {1, 13, "this { is not closed", "void step() {\n\n"},
    {2, 4, "this ( is not closed before the } of line 2", "\n{ f(; }"},
    {2, 1, "this } closes nothing", "\n}"},
    {2, 1, "this { is not closed", "#define A {\nA"},
    {1, 2, "this [ is not closed before the ) of line 1", "([)]"},
};

static bool is_refused(enum bly_unit_kind kind, const char *code, size_t length, uint32_t line,
                       uint32_t column, const char *word)
{
    char place[320];
    struct bly_unit unit = unit_of(kind, code, length);
    const bailey_status status = expand(&unit);
    const char *text = bailey_error_message();
    snprintf(place, sizeof place, "%s:%u:%u: ", unit.name, (unsigned)line, (unsigned)column);
    bly_unit_free(&unit);
    if (status == BAILEY_ERROR_INVALID && strncmp(text, place, strlen(place)) == 0 && strstr(text, word) &&
        strcmp(bailey_error_argument(), unit.argument) == 0)
        return true;
    print_error("status %d, \"%s\", not %s %s, of\n%s\n", (int)status, text, place, word, code);
    return false;
}

TEST(refusals, HOST)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        wrong += !is_refused(BLY_UNIT_PAYOFF, refused[i].code, strlen(refused[i].code), refused[i].line,
                             refused[i].column, refused[i].word);
    wrong += !is_refused(BLY_UNIT_PAYOFF, "int a;\n/* b\0 */", 14, 2, 5, "byte 0x00 in the code");
    assert_int_equal(wrong, 0);
}

/* What levels and motions have, and have not. */
TEST(kinds, HOST)
{
    static const struct {
        enum bly_unit_kind kind;
        uint32_t line, column;
        const char *word, *code;
    } cases[] = {
        {BLY_UNIT_LEVELS, 2, 3, "STEPS is not defined in estimator code, which serves all levels",
         "\n  STEPS"},
        {BLY_UNIT_LEVELS, 1, 5, "STEPS is not defined in estimator code, which serves all levels",
         "#if STEPS\n#endif"},
        {BLY_UNIT_LEVELS, 1, 9, "pair must be a function", "#define pair 1"},
        {BLY_UNIT_LEVELS, 1, 9, "noise is predefined", "#define noise 1"},
        {BLY_UNIT_LEVELS, 1, 5, "LEVELS is not defined", "#if LEVELS\n#endif"},
        {BLY_UNIT_LEVELS, 1, 9, "write #define NORMALS and a number up to", "#define NORMALS"},
        {BLY_UNIT_LEVELS, 1, 9, "write #define NORMALS and a number up to", "#define NORMALS -1"},
        {BLY_UNIT_LEVELS, 1, 9, "write #define UNIFORMS and a number up to", "#define UNIFORMS 1000000"},
        {BLY_UNIT_LEVELS, 1, 9, "write #define UNIFORMS and a number up to", "#define UNIFORMS() 1"},
        {BLY_UNIT_LEVELS, 1, 18, "1.5 is not an integer", "#define UNIFORMS 1.5"},
        {BLY_UNIT_LEVELS, 2, 9, "line 1 defines NORMALS differently", "#define NORMALS 1\n#define NORMALS 2"},
        {BLY_UNIT_LEVELS, 2, 8, "NORMALS applies to all of the code", "#define NORMALS 1\n#undef NORMALS"},
        {BLY_UNIT_LEVELS, 2, 9, "a step takes 3 + 30 + 32 numbers",
         "#define NORMALS 30\n#define UNIFORMS 32"},
        {BLY_UNIT_MOTION, 1, 1, "STEPS is not defined for a path of 2^LEVELS ticks", "STEPS"},
        {BLY_UNIT_MOTION, 1, 5, "STEPS is not defined for a path of 2^LEVELS ticks", "#if STEPS\n#endif"},
        {BLY_UNIT_MOTION, 1, 9, "LEVELS is predefined", "#define LEVELS 1"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        wrong += !is_refused(cases[i].kind, cases[i].code, strlen(cases[i].code), cases[i].line,
                             cases[i].column, cases[i].word);
    assert_int_equal(wrong, 0);
}

TEST(numbers_of_levels, HOST)
{
    static const char code[] = "#if DIMS == 3 && !defined(STEPS)\n#define NORMALS DIMS + EXTRA\n#endif\n"
                               "#define EXTRA 7\n#define UNIFORMS EXTRA - 5\nNORMALS UNIFORMS";
    char text[64];
    struct bly_unit unit = unit_of(BLY_UNIT_LEVELS, code, strlen(code));
    if (expand(&unit) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    assert_int_equal(unit.normals, 3);
    assert_int_equal(unit.uniforms, 2);
    written(&unit, text, sizeof text);
    assert_string_equal(text, "3 2 ");
    bly_unit_free(&unit);
    static const char motion[] = "#if LEVELS == 5 && defined(LEVELS) && !defined(STEPS)\nLEVELS\n#endif\n";
    unit = unit_of(BLY_UNIT_MOTION, motion, strlen(motion));
    if (expand(&unit) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    written(&unit, text, sizeof text);
    assert_string_equal(text, "LEVELS ");
    bly_unit_free(&unit);
}

/* ---- Messages ------------------------------------------------------------------------------------ */

static void says(const char *name, const char *code, const char *expected)
{
    struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, strlen(code));
    bly_unit_name(&unit, name);
    assert_int_equal(expand(&unit), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), expected);
    bly_unit_free(&unit);
}

TEST(messages, HOST)
{
    char code[4096], line[4096];
    says("a\"b\\c\nd\t%s.c", "\xef\xbb\xbf\n\treal a @;\r\n",
         "a_b_c_d_%s.c:2:9: @ in the code: it has no meaning\n     real a @;\n            ^");
    says("", "@", "payoff.c:1:1: @ in the code: it has no meaning\n    @\n    ^");
    /* Characters of UTF-8 are columns; controls, what is not UTF-8, and what turns the direction are not
     * shown. */
    says("\xc3\xa9\xff.c",
         "/* \xc3\xa9\xe2\x82\xac \x1b[31m\x7f \xff\x80 \xe2\x80\xae \xc0\xaf \xed\xa0\x80 */ @",
         "\xc3\xa9_.c:1:25: @ in the code: it has no meaning\n"
         "    /* \xc3\xa9\xe2\x82\xac ?[31m? ? ? ? ? */ @\n"
         "                            ^");
    /* Long lines are cut around the column, whichever it is. */
    memset(code, ' ', 2000);
    memcpy(code, "begin", 5);
    memcpy(code + 1000, "@;", 2);
    memcpy(code + 1994, "end", 4);
    snprintf(line, sizeof line,
             "payoff.c:1:1001: @ in the code: it has no meaning\n    ...%59s@;%39s\n    %62s^", "", "", "");
    says(NULL, code, line);
    code[1000] = ' ', code[50] = '@';
    snprintf(line, sizeof line,
             "payoff.c:1:51: @ in the code: it has no meaning\n    begin%45s@%49s\n    %50s^", "", "", "");
    says(NULL, code, line);
    /* A name of 255 bytes at most. */
    memset(line, 'n', 300);
    memcpy(line + 300, ".c", 3);
    struct bly_unit unit = unit_of(BLY_UNIT_LEVELS, "", 0);
    assert_string_equal(unit.name, "levels.c");
    bly_unit_name(&unit, line);
    assert_int_equal(strlen(unit.name), 255);
    /* A refusal of the code as a whole has no place. */
    assert_int_equal(bly_refuse_at(&unit, (struct bly_place){0, 0}, "no %s", "place"), BAILEY_ERROR_INVALID);
    snprintf(code, sizeof code, "%.255s: no place", line);
    assert_string_equal(bailey_error_message(), code);
    assert_string_equal(bailey_error_argument(), "estimator");
}

/* ---- What tokens know ---------------------------------------------------------------------------- */

static void is_at(const struct bly_token *token, uint32_t line, uint32_t column, bool last)
{
    if (token->place.line != line || token->place.column != column || token->last_of_line != last)
        fail_msg("%.*s is at %u:%u, last %d, not at %u:%u", (int)token->length, token->text,
                 token->place.line, token->place.column, token->last_of_line, line, column);
}

TEST(places, HOST)
{
    static const char code[] = "#define TWO(x) x + \\\n x\n\n a /* \xc3\xa9 */ TWO( bc\n)\n;";
    struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, strlen(code));
    assert_int_equal(expand(&unit), BAILEY_OK);
    assert_int_equal(unit.token_count, 5);
    is_at(&unit.tokens[0], 4, 2, false);
    is_at(&unit.tokens[1], 4, 17, false); /* an argument has its own place, */
    is_at(&unit.tokens[2], 4, 12, false); /* what the macro makes that of its call */
    is_at(&unit.tokens[3], 4, 17, true);
    is_at(&unit.tokens[4], 6, 1, true);
    assert_int_equal(unit.tokens[5].kind, BLY_TOKEN_END);
    is_at(&unit.tokens[5], 6, 2, true);
    assert_int_equal(unit.tokens[1].name, unit.tokens[3].name);
    assert_string_equal(unit.names[unit.tokens[1].name], "bc");
    assert_int_not_equal(unit.tokens[0].name, unit.tokens[1].name);
    assert_int_equal(unit.tokens[2].name, 0);
    bly_unit_free(&unit);
}

static void is_comment(const struct bly_comment *comment, const char *text, bool heads,
                       struct bly_place place, struct bly_place end)
{
    if (comment->length != strlen(text) || memcmp(comment->text, text, comment->length) != 0)
        fail_msg("\"%.*s\", not \"%s\"", (int)comment->length, comment->text, text);
    assert_int_equal(comment->heads, heads);
    assert_memory_equal(&comment->place, &place, sizeof place);
    assert_memory_equal(&comment->end, &end, sizeof end);
}

TEST(comments, HOST)
{
    static const char code[] =
        "/** head\n * two */ a; // \xff line \r\n/**/ /***/ /*** b */ /* * / **/\n#if 0\n//\n#endif";
    struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, code, strlen(code));
    assert_int_equal(expand(&unit), BAILEY_OK);
    assert_int_equal(unit.comment_count, 7);
    is_comment(&unit.comments[0], " head\n * two ", true, (struct bly_place){1, 1}, (struct bly_place){2, 9});
    is_comment(&unit.comments[1], " \xff line ", false, (struct bly_place){2, 14}, (struct bly_place){2, 23});
    is_comment(&unit.comments[2], "", false, (struct bly_place){3, 1}, (struct bly_place){3, 4});
    is_comment(&unit.comments[3], "*", false, (struct bly_place){3, 6}, (struct bly_place){3, 10});
    is_comment(&unit.comments[4], "** b ", false, (struct bly_place){3, 12}, (struct bly_place){3, 20});
    is_comment(&unit.comments[5], " * / *", false, (struct bly_place){3, 22}, (struct bly_place){3, 31});
    is_comment(&unit.comments[6], "", false, (struct bly_place){5, 1}, (struct bly_place){5, 2});
    bly_unit_free(&unit);
}

TEST(builtins, HOST)
{
    static const char *const names[] = {
        "european", "asian",   "asian-geometric", "asian-max",    "lookback-garch",
        "barrier",  "digital", "heston",          "heston-euler", "adaptive-milstein"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *code = bly_payoff_builtin_code(names[i]);
        const bool motion = strcmp(names[i], "adaptive-milstein") == 0;
        assert_non_null(code);
        struct bly_unit unit = unit_of(motion ? BLY_UNIT_MOTION : BLY_UNIT_PAYOFF, code, strlen(code));
        if (expand(&unit) != BAILEY_OK) fail_msg("%s", bailey_error_message());
        assert_in_range(unit.token_count, 100, 2000);
        bly_unit_free(&unit);
    }
}

/* ---- Damage -------------------------------------------------------------------------------------- */

static const char good[] =
    "/** A text\n * with it all */\n#define N 2\n#define SQUARE(x) ((x) * (x))\n#define now p->spot\n"
    "typedef struct tag { real spot, weight[DIMS * 2 + N]; int knock_in; // comment\n  int64 n; } params;\n"
    "#if DIMS > 2 && \\\n    defined(N)\nreal f(real x) { return SQUARE(x + SQUARE(N)) * now; }\n#else\n"
    "#error don't /* \"do\"\n#endif\n#undef N\nN\n";

/* Each allocation fails in turn: ERROR_MEMORY, and nothing is lost. */
TEST(no_memory, HOST)
{
    int failures = 0;
    for (bly_alloc_countdown = 1;; bly_alloc_countdown = ++failures + 1) {
        struct bly_unit unit = unit_of(BLY_UNIT_PAYOFF, good, strlen(good));
        const bailey_status status = expand(&unit);
        bly_alloc_countdown = -1;
        bly_unit_free(&unit);
        if (status == BAILEY_OK) break;
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
        assert_string_equal(bailey_error_message(), "payoff.c: no memory to read the code");
    }
    assert_in_range(failures, 10, 60);
}

static void reads(const char *bytes, size_t length, enum bly_unit_kind kind, int *accepted)
{
    char *code = calloc(length + 1, 1); /* no more, so that a sanitizer sees what is read behind it */
    memcpy(code, bytes, length);
    struct bly_unit unit = unit_of(kind, code, length);
    const bailey_status status = expand(&unit);
    if (status != BAILEY_OK && status != BAILEY_ERROR_INVALID)
        fail_msg("status %d of\n%s", (int)status, code);
    *accepted += status == BAILEY_OK;
    bly_unit_free(&unit);
    free(code);
}

TEST(damaged, HOST)
{
    static const char likely[] = "(){}[];,*#\\/\"'.=+-\n aNx01";
    uint64_t random = 15;
    int accepted = 0;
    for (size_t length = 0; length < strlen(good); length++) reads(good, length, BLY_UNIT_PAYOFF, &accepted);
    for (int i = 0; i < 20000; i++) {
        char code[sizeof good];
        const size_t length = strlen(good);
        memcpy(code, good, sizeof good);
        for (uint64_t changes = 1 + next_random(&random) % 4; changes; changes--) {
            const size_t at = next_random(&random) % length, from = next_random(&random) % length;
            const size_t room = length - (at > from ? at : from), count = next_random(&random) % 16;
            switch (next_random(&random) % 4) {
            case 0: code[at] = (char)next_random(&random); break;
            case 1: memmove(code + at, code + from, count < room ? count : room); break;
            default: code[at] = likely[next_random(&random) % (sizeof likely - 1)];
            }
        }
        reads(code, length, (enum bly_unit_kind)(i % 3), &accepted);
    }
    assert_in_range(accepted, 1000, 19000);
}
