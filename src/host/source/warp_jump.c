/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jumps of the warp generator. Its step A is linear over GF(2), with a primitive characteristic polynomial f
 * of degree 1024, so n steps are g(A) for g = x^n mod f: at most 1023 steps and as many sums of states.
 */
#include "source.h"

#include <base/status.h>

#include <bailey/device/warp_sets.h>

#include <string.h>

#define LANES 32
#define WORDS 16 /* of a polynomial of degree 1024 without its leading term, and of the longest distance */

_Static_assert(BLY_WARP_PUBLISHED == BAILEY_WARP_PUBLISHED && BAILEY_WARP_PUBLISHED == BAILEY_WARP_SETS,
               "the published set follows the shipped ones");

/* The characteristic polynomial of each set, without x^1024: word k has the coefficients of x^(64 k) ... .
 * Made by Berlekamp-Massey, as `warp_search prove` does anew. */
static const uint64_t polynomials[BLY_WARP_PUBLISHED + 1][WORDS] = {
    {UINT64_C(0x334dc1c285c4e181), UINT64_C(0x5ce66dd3ff1880fe), UINT64_C(0xeaa5672119552bab),
     UINT64_C(0x3d066ff7ae2d5c5c), UINT64_C(0x4f8c01bbb70a2a7b), UINT64_C(0x3477602051e45938),
     UINT64_C(0xb4bc3c52b9b3c57f), UINT64_C(0x68334cc72283bfdc), UINT64_C(0xf4ac7562cfff7f3b),
     UINT64_C(0xa13d42424bc55eba), UINT64_C(0x7dbe98b4f623958f), UINT64_C(0xe9524cae96edbeec),
     UINT64_C(0xcb994126e0d9dcc6), UINT64_C(0xac55e786916ccdcd), UINT64_C(0xb2d6eed1c8859e49),
     UINT64_C(0x0954cc8710bb061d)},
    {UINT64_C(0x43a02cea42aabd91), UINT64_C(0x92caa231c07ca82e), UINT64_C(0xe34f79c4d81f83fe),
     UINT64_C(0xcc5e9e7cde04d6e7), UINT64_C(0x9e03db20d95050b0), UINT64_C(0x82e007505a6f2987),
     UINT64_C(0x6d576327e7e8eecd), UINT64_C(0xcace5d22bb6292cc), UINT64_C(0x4138672edbe1fe9c),
     UINT64_C(0x2662cf7c1faa79ea), UINT64_C(0x0b7bd63a2783b859), UINT64_C(0xd177164953fff27e),
     UINT64_C(0x7075edf50c5524c5), UINT64_C(0x0e923b9aba18586d), UINT64_C(0xa82c25e9d92eae0d),
     UINT64_C(0x211bc8bf854e4540)},
    {UINT64_C(0x2ceed59330621a39), UINT64_C(0x50acb1d250796a71), UINT64_C(0xd14414fc92613810),
     UINT64_C(0xc3301ee5b078b716), UINT64_C(0x440073646100649f), UINT64_C(0xc28fb8f378c1af90),
     UINT64_C(0xe4e3b577732f0ebc), UINT64_C(0xecc768a74c8d5d84), UINT64_C(0xb756e7d4c72ee62b),
     UINT64_C(0xf540f1b5d36ed9a1), UINT64_C(0x961b4fea37d45e91), UINT64_C(0x550772343e805a13),
     UINT64_C(0xdd21e746c1f59935), UINT64_C(0x8e02f968e9e7ce4a), UINT64_C(0x38c2656d67d70792),
     UINT64_C(0x150d11c73b54a96c)},
    {UINT64_C(0x35487d2122eabcd9), UINT64_C(0x28386d5fe16e401f), UINT64_C(0xcc506f5c7d4dc5ec),
     UINT64_C(0xabc31e6e9120d914), UINT64_C(0xf5b11ac9d8afbc15), UINT64_C(0xc2aef1a59f9fb91f),
     UINT64_C(0x59e1439ec1aabc1f), UINT64_C(0x412502425406314a), UINT64_C(0x9179d6545f71111f),
     UINT64_C(0x9152b0c99afb0013), UINT64_C(0xef7758dd4742a3fa), UINT64_C(0x824bfbf0153278de),
     UINT64_C(0x613da60fab178642), UINT64_C(0xeb5329b224b880b6), UINT64_C(0xf876b56aea503995),
     UINT64_C(0x40736c3130c3f1d1)},
    {UINT64_C(0x9553b28ca43c0279), UINT64_C(0x0a0e357f2c513b48), UINT64_C(0x1efd391b67f5f5da),
     UINT64_C(0x2a9061126d82bc34), UINT64_C(0xd5a5bcaf4a2ef9fe), UINT64_C(0x21dc971e40285f58),
     UINT64_C(0x93b72c599dc15b4e), UINT64_C(0xfeb62eb95425e2d6), UINT64_C(0xf2d88893928ca814),
     UINT64_C(0xe9e197c1c45ab807), UINT64_C(0xd5f3907fd6a76963), UINT64_C(0x6027c2d0508f69cc),
     UINT64_C(0xa22c04d61725c315), UINT64_C(0x20cf4b5defbe1cc8), UINT64_C(0x2795b594aaf681f7),
     UINT64_C(0x00599166a114f9c4)},
    {UINT64_C(0x6424913587cf5549), UINT64_C(0xc83a4d67bde62940), UINT64_C(0x11ff9829d2124239),
     UINT64_C(0x13f04df79cc0eaae), UINT64_C(0xa8edbd4b0d96101a), UINT64_C(0xc7d1b4594a6f5ac9),
     UINT64_C(0x927e37e12459084d), UINT64_C(0xfaba72447ce8879b), UINT64_C(0x2a7f44cbb5a81b45),
     UINT64_C(0xdfcce43efc47a9e8), UINT64_C(0xcff3e23612f16c4c), UINT64_C(0x5598f1abc0e69b82),
     UINT64_C(0x5a683fe4b9ce4173), UINT64_C(0x9230063af1763e82), UINT64_C(0x2a1f059af3d77691),
     UINT64_C(0x4ba870b05300a4f1)},
    {UINT64_C(0x6bcb74e4c8eaf5c5), UINT64_C(0xc4eafab6ecee3f53), UINT64_C(0xbcb2f8278fa2c90f),
     UINT64_C(0x76a90759d2d45729), UINT64_C(0x8e1deb15b1f75801), UINT64_C(0x0b826a1fb15c6ad8),
     UINT64_C(0x300f277def470cfe), UINT64_C(0x18c5bde98553fe72), UINT64_C(0xb2cf551ab8aa1eba),
     UINT64_C(0x04ea45230d90fd0e), UINT64_C(0x82b557ca6d360572), UINT64_C(0xfb08546ed40212c8),
     UINT64_C(0x03e35f93cfb7783f), UINT64_C(0xa42d622d1f642d41), UINT64_C(0x2f099ebb7513b2d3),
     UINT64_C(0x00b52020dab4430c)},
    {UINT64_C(0x188b9a2a14349b89), UINT64_C(0x5645954a1abe3272), UINT64_C(0xd94270a0f720a1cf),
     UINT64_C(0xa06cf3c4ac2c5e04), UINT64_C(0x0e8de79189a3c585), UINT64_C(0xd73cd37c353244b6),
     UINT64_C(0xaec7f11c1baf8a31), UINT64_C(0xc9487ceb2b0a37b4), UINT64_C(0x36ce4a4a47a41281),
     UINT64_C(0x0947cabaec4bba8f), UINT64_C(0x86e9994edba52e8a), UINT64_C(0xccbcd5e495270eda),
     UINT64_C(0xaea12598fd1dd901), UINT64_C(0xcb39487595889bc3), UINT64_C(0xee844f939cdb1bc4),
     UINT64_C(0x12150eefe83123ae)},
    {UINT64_C(0x1161d5d945717209), UINT64_C(0xf04c925692c712ab), UINT64_C(0xd7f8e86c5d0226a7),
     UINT64_C(0x1bd7283d6ef77813), UINT64_C(0x663221f85acd3555), UINT64_C(0x4f8ef3f283be2e6d),
     UINT64_C(0x0ea10a4ec44c1bdb), UINT64_C(0x6067a88e470b7d0c), UINT64_C(0xff29e5b1e105688f),
     UINT64_C(0x2d12d52fd2a5e7d8), UINT64_C(0xc29b6e0660b8c154), UINT64_C(0x8ff0014dd21357ea),
     UINT64_C(0x0040e8cf036a62bc), UINT64_C(0x67f54365613816db), UINT64_C(0xaf33b9f8735ccf32),
     UINT64_C(0x019ebda98703453b)},
    {UINT64_C(0x3894c71abaeb6379), UINT64_C(0xbdc72e54a69d7b22), UINT64_C(0x47c0b22101c0fd4b),
     UINT64_C(0x8b5efa66444c7a4c), UINT64_C(0x38aa863534ad7b42), UINT64_C(0xcbf59767bc00664b),
     UINT64_C(0xa04401dacfe08c28), UINT64_C(0xef3bf5132fd3f713), UINT64_C(0x29e5b132a6ead3eb),
     UINT64_C(0xc119fb16d94c6eb8), UINT64_C(0x400e4f3b4a7e2dd6), UINT64_C(0x3b687af88d89c4ea),
     UINT64_C(0x8c37ee053cc3f6d0), UINT64_C(0x13023261dc0832e6), UINT64_C(0xe212d35c296c8ad2),
     UINT64_C(0x298dca3d15bd8de4)},
    {UINT64_C(0x7f99ef27b15b0d71), UINT64_C(0x2f43bf977c90fce4), UINT64_C(0xbcd9ade6a074e2ce),
     UINT64_C(0x124e4c1274b72029), UINT64_C(0x36ef10dc98379975), UINT64_C(0xa8c11bc49c4cdf8f),
     UINT64_C(0x734cdeb5128d6245), UINT64_C(0xee31834b8780c660), UINT64_C(0xf241e5bfac51330f),
     UINT64_C(0x103459f444777d41), UINT64_C(0x6158924ae977eb50), UINT64_C(0x38e0e5d8d4e02e20),
     UINT64_C(0xf5628a138729f534), UINT64_C(0x2c5fbf0ba794ecb6), UINT64_C(0x780ea6c5f9a6a49c),
     UINT64_C(0x41059a94a5e383e9)},
    {UINT64_C(0x60e1f057dd8a6eed), UINT64_C(0xc7c6b4c031555fc9), UINT64_C(0x831f8f988aa3072f),
     UINT64_C(0x97dfc03eadc49ca3), UINT64_C(0xa6a9f2647ae668db), UINT64_C(0x15f5fb8ba2d014fd),
     UINT64_C(0xca6e5e33671f2146), UINT64_C(0x692bc52d6eacc218), UINT64_C(0x2e0043397ac47d16),
     UINT64_C(0x8976c1fcbf35d9c8), UINT64_C(0xd142826553459d8a), UINT64_C(0xfc2af79021cbff30),
     UINT64_C(0x01de03cf7942e947), UINT64_C(0xc600351a488a46de), UINT64_C(0xaad4bdbf67545c69),
     UINT64_C(0x4034b663658a0546)},
    {UINT64_C(0x489447c890608be9), UINT64_C(0x63ed25898a9320c5), UINT64_C(0x72d99d6ef3400f09),
     UINT64_C(0xebf0b6d758566fac), UINT64_C(0xbaf7de6dfe694a78), UINT64_C(0x80e339266070a91a),
     UINT64_C(0x906a57bf7c2f6b28), UINT64_C(0x55c38613314e222c), UINT64_C(0x14e791048df6aab3),
     UINT64_C(0x392b7abfd61b0a52), UINT64_C(0x9394186f2341a55b), UINT64_C(0xf57a792c9125dd30),
     UINT64_C(0x283eb1cfc413979a), UINT64_C(0x6b46108e8d36851c), UINT64_C(0x1c5e8c01a5dfddc9),
     UINT64_C(0x4559f98b4fafe62b)},
    {UINT64_C(0x460dafef15248dfd), UINT64_C(0x12fb8af0a2933c45), UINT64_C(0xd4dfebf0d3155913),
     UINT64_C(0x523bd53bb8558e3f), UINT64_C(0xbb99e969886d15e3), UINT64_C(0xa3e0557db31bee6c),
     UINT64_C(0xfe3bc898b22819be), UINT64_C(0xeda8326e38c8004d), UINT64_C(0x5ac7da0104c36788),
     UINT64_C(0x5972b07b5c11618a), UINT64_C(0x9f2ce314da87ee7a), UINT64_C(0x58bc95a291d44fe7),
     UINT64_C(0x05a2482a36b00370), UINT64_C(0xbafcceb927e67b85), UINT64_C(0x1d50519acd204cd7),
     UINT64_C(0x35fa79ea95621640)},
    {UINT64_C(0x8a32c3d3dfaa29d9), UINT64_C(0x7b05717214b399ca), UINT64_C(0x67a7624bd31adac3),
     UINT64_C(0x514ab0007307c673), UINT64_C(0x1becbd874bdfe88d), UINT64_C(0x0276ef81f410ba5e),
     UINT64_C(0x4b6377d7bdd379f8), UINT64_C(0xbf624c826a702605), UINT64_C(0x8de251a5517d6a9e),
     UINT64_C(0x4a3979966274604a), UINT64_C(0xdb75f44e4157a97e), UINT64_C(0x34784c58daa51c01),
     UINT64_C(0xdd5eb06498211d0f), UINT64_C(0x60bf8f7a8afe17c3), UINT64_C(0x58f5ce072ce94b57),
     UINT64_C(0x553166cbd16369b0)},
    {UINT64_C(0x2770e423794161dd), UINT64_C(0x61bf99178a5d5759), UINT64_C(0x83314c0f07c24a9b),
     UINT64_C(0x52448ad17d427b92), UINT64_C(0xac0ba8e6f98b940b), UINT64_C(0x4c2c52ea8ac9b3f2),
     UINT64_C(0x9ff48d28a8f9a937), UINT64_C(0xa885e0defbc7c733), UINT64_C(0xcc97fab207004a30),
     UINT64_C(0x23cdd79f38921ff6), UINT64_C(0xf84b26f55e5f9ad1), UINT64_C(0xef5515caf3efac16),
     UINT64_C(0x05a6e18cd519312f), UINT64_C(0x1843d3268f83ef79), UINT64_C(0x8470e54568334471),
     UINT64_C(0x32b9ae5c17ce85b2)},
    {UINT64_C(0xf2178d4b3625e009), UINT64_C(0xfa9cba0ba98597a1), UINT64_C(0x72ad971c944d05cb),
     UINT64_C(0x4cbdcfc1c6e9e7b6), UINT64_C(0x686b7e209ed5e7f1), UINT64_C(0x94aabecc0b933835),
     UINT64_C(0xe91bda3b1fe92c3b), UINT64_C(0x8d58e77d32eb40e5), UINT64_C(0x95556ef771aad870),
     UINT64_C(0xfe5522d46427434b), UINT64_C(0xcccad7547312b813), UINT64_C(0x1778e45424afc14a),
     UINT64_C(0x434e0ca91bc90353), UINT64_C(0x8d54e934eda0d94b), UINT64_C(0x614765e88df1df55),
     UINT64_C(0x0410ef5ab1d4291f)},
};

const uint32_t *bly_warp_taps(uint32_t set) { return bailey_warp_sets[set]; }

void bly_warp_step(uint32_t set, uint32_t state[32])
{
    const uint32_t *taps = bailey_warp_sets[set], za = BAILEY_WARP_SET_SHIFT(set);
    uint32_t next[LANES];
    for (unsigned i = 0; i < LANES; i++)
        next[i] = state[taps[i] & 31] << za ^ state[taps[i] >> 8 & 31] >> (taps[i] >> 16);
    memcpy(state, next, sizeof next);
}

static void jump(uint32_t set, const uint64_t *distance, size_t words, uint32_t state[LANES])
{
    uint64_t table[256 * WORDS], scratch[2 * WORDS], g[WORDS];
    uint32_t sum[LANES] = {0};
    bly_gf2_table(polynomials[set], WORDS, table);
    bly_gf2_power(&(struct bly_gf2){.words = WORDS, .table = table}, distance, words, scratch, g);
    for (unsigned k = 0; k < 64 * WORDS; k++) {
        const uint32_t mask = 0 - (uint32_t)(g[k / 64] >> k % 64 & 1);
        for (unsigned i = 0; i < LANES; i++) sum[i] ^= state[i] & mask;
        bly_warp_step(set, state);
    }
    memcpy(state, sum, sizeof sum);
}

static bailey_status check(uint32_t set, const uint32_t *state)
{
    uint32_t any = 0;
    if (set > BLY_WARP_PUBLISHED)
        return bly_fail_argument("warp_set", "warp_set is %u; the maximum is %d", set, BLY_WARP_PUBLISHED);
    if (!state) return bly_fail_argument("state", "state is NULL");
    for (unsigned i = 0; i < LANES; i++) any |= state[i];
    if (!any) return bly_fail_argument("state", "state is all zero, and would remain so");
    return BAILEY_OK;
}

bailey_status bailey_warp_jump(uint32_t warp_set, const uint64_t *distance, size_t words, uint32_t state[32])
{
    const bailey_status status = check(warp_set, state);
    if (status != BAILEY_OK) return status;
    if (words > WORDS) return bly_fail_argument("words", "words is %zu; the maximum is %d", words, WORDS);
    if (!distance && words) return bly_fail_argument("distance", "distance is NULL");
    jump(warp_set, distance, words, state);
    return BAILEY_OK;
}

bailey_status bailey_warp_stream(uint32_t warp_set, uint64_t stream, uint32_t state[32])
{
    const uint64_t distance[9] = {[512 / 64] = stream};
    return bailey_warp_jump(warp_set, distance, 9, state);
}
