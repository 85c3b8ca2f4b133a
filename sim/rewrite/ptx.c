#include "sim/rewrite/ptx.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/rewrite/ptx_internal.h"

/* The special registers, as C++; those without an expression are ::tl::ptx functions of the same
 * name. */
static const struct {
    const char *name, *expression;
} registers[] = {
    {"clock", NULL},
    {"clock_hi", NULL},
    {"clock64", NULL},
    {"globaltimer", NULL},
    {"globaltimer_lo", NULL},
    {"globaltimer_hi", NULL},
    {"smid", NULL},
    {"nsmid", NULL},
    {"laneid", NULL},
    {"warpid", NULL},
    {"nwarpid", NULL},
    {"lanemask_eq", NULL},
    {"lanemask_le", NULL},
    {"lanemask_lt", NULL},
    {"lanemask_ge", NULL},
    {"lanemask_gt", NULL},
    {"tid.x", "threadIdx.x"},
    {"tid.y", "threadIdx.y"},
    {"tid.z", "threadIdx.z"},
    {"ntid.x", "blockDim.x"},
    {"ntid.y", "blockDim.y"},
    {"ntid.z", "blockDim.z"},
    {"ctaid.x", "blockIdx.x"},
    {"ctaid.y", "blockIdx.y"},
    {"ctaid.z", "blockIdx.z"},
    {"nctaid.x", "gridDim.x"},
    {"nctaid.y", "gridDim.y"},
    {"nctaid.z", "gridDim.z"},
    {"cluster_ctaid.x", "::__clusterRelativeBlockIdx().x"},
    {"cluster_ctaid.y", "::__clusterRelativeBlockIdx().y"},
    {"cluster_ctaid.z", "::__clusterRelativeBlockIdx().z"},
    {"cluster_nctaid.x", "::__clusterDim().x"},
    {"cluster_nctaid.y", "::__clusterDim().y"},
    {"cluster_nctaid.z", "::__clusterDim().z"},
    {"clusterid.x", "::__clusterIdx().x"},
    {"clusterid.y", "::__clusterIdx().y"},
    {"clusterid.z", "::__clusterIdx().z"},
    {"nclusterid.x", "::__clusterGridDimInClusters().x"},
    {"nclusterid.y", "::__clusterGridDimInClusters().y"},
    {"nclusterid.z", "::__clusterGridDimInClusters().z"},
    {"cluster_ctarank", "::__clusterRelativeBlockRank()"},
    {"cluster_nctarank", "::__clusterSizeInBlocks()"},
    {"is_explicit_cluster", "::__clusterDimIsSpecified()"},
};

/* Instructions of PTX that are followed by a dot: what tells PTX from the host's assembler. */
static const char *const instructions[] = {
    "abs",        "activemask",
    "add",        "addc",
    "and",        "applypriority",
    "atom",       "bar",
    "barrier",    "bfe",
    "bfi",        "bfind",
    "bmsk",       "brev",
    "bra",        "call",
    "clz",        "clusterlaunchcontrol",
    "copysign",   "cos",
    "cp",         "cvt",
    "cvta",       "discard",
    "div",        "dp2a",
    "dp4a",       "elect",
    "ex2",        "fence",
    "fma",        "fns",
    "getctarank", "griddepcontrol",
    "isspacep",   "ld",
    "ldmatrix",   "ldu",
    "lg2",        "lop3",
    "mad",        "mad24",
    "madc",       "mapa",
    "match",      "max",
    "mbarrier",   "membar",
    "min",        "mma",
    "mov",        "movmatrix",
    "mul",        "mul24",
    "multimem",   "nanosleep",
    "neg",        "not",
    "or",         "pmevent",
    "popc",       "prefetch",
    "prefetchu",  "prmt",
    "rcp",        "red",
    "redux",      "rem",
    "rsqrt",      "sad",
    "selp",       "set",
    "setmaxnreg", "setp",
    "shf",        "shfl",
    "shl",        "shr",
    "sin",        "slct",
    "sqrt",       "st",
    "stmatrix",   "sub",
    "subc",       "suld",
    "suq",        "sured",
    "sust",       "szext",
    "tanh",       "tcgen05",
    "tensormap",  "testp",
    "tex",        "tld4",
    "txq",        "vote",
    "wgmma",      "wmma",
    "xor",
};

static const struct {
    const char *ptx, *c;
} types[] = {
    {"u8", "unsigned char"}, {"s8", "signed char"},
    {"b8", "unsigned char"}, {"u16", "unsigned short"},
    {"s16", "short"},        {"b16", "unsigned short"},
    {"u32", "unsigned int"}, {"s32", "int"},
    {"b32", "unsigned int"}, {"u64", "unsigned long long"},
    {"s64", "long long"},    {"b64", "unsigned long long"},
    {"f32", "float"},        {"f64", "double"},
};

static const struct {
    const char *name, *operation;
} binary[] = {
    {"add", "+"}, {"sub", "-"},  {"and", "&"},  {"or", "|"},
    {"xor", "^"}, {"shl", "<<"}, {"shr", ">>"}, {"mul", "*"},
};

static const struct {
    const char *instruction, *expression;
} whole[] = {
    {"membar.cta", "::__threadfence_block()"},
    {"membar.gl", "::__threadfence()"},
    {"membar.sys", "::__threadfence_system()"},
    {"fence.acq_rel.cta", "::__threadfence_block()"},
    {"fence.sc.cta", "::__threadfence_block()"},
    {"fence.acq_rel.gpu", "::__threadfence()"},
    {"fence.sc.gpu", "::__threadfence()"},
    {"fence.acq_rel.sys", "::__threadfence_system()"},
    {"fence.sc.sys", "::__threadfence_system()"},
    {"fence.acq_rel.cluster", "::__threadfence()"},
    {"fence.sc.cluster", "::__threadfence()"},
    {"trap", "::__trap()"},
    {"exit", PTX_EXIT},
    {"griddepcontrol.launch_dependents", "::cudaTriggerProgrammaticLaunchCompletion()"},
    {"griddepcontrol.wait", "::cudaGridDependencySynchronize()"},
};

char *ptx_trim(char *s)
{
    while (isspace((unsigned char)*s)) s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1])) *--end = 0;
    return s;
}

/* The comma that ends an operand: not one within a vector. */
static char *operand_end(char *at)
{
    for (int depth = 0; *at; at++) {
        depth += (*at == '{') - (*at == '}');
        if (*at == ',' && depth == 0) return at;
    }
    return NULL;
}

bool ptx_split(Instruction *in, const char *text, size_t size)
{
    in->parts = in->operands = 0;
    if (size >= sizeof in->text) return false;
    memcpy(in->text, text, size);
    in->text[size] = 0;
    char *at = ptx_trim(in->text), *operands = at;
    while (*operands && !isspace((unsigned char)*operands)) operands++;
    if (*operands) *operands++ = 0;
    for (char *part; (part = strsep(&at, "."));) {
        if (!strcmp(part, "ftz")) continue; /* subnormal numbers are kept */
        if (in->parts == PARTS_MOST) return false;
        in->part[in->parts++] = part;
    }
    operands = ptx_trim(operands);
    while (*operands) {
        char *comma = operand_end(operands);
        if (in->operands == PARTS_MOST) return false;
        if (comma) *comma = 0;
        in->operand[in->operands++] = ptx_trim(operands);
        operands = comma ? comma + 1 : operands + strlen(operands);
    }
    return true;
}

const char *ptx_c_type(const char *ptx)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].ptx, ptx)) return types[i].c;
    return NULL;
}

bool ptx_operand(Bytes *out, const char *text, bool assigned)
{
    if (text[0] == PTX_REGISTER) return bytes_format(out, "tl_r%s", text + 1), true;
    if (text[0] == '%' && isdigit((unsigned char)text[1])) {
        char *end;
        long index = strtol(text + 1, &end, 10);
        if (*end || index >= OPERANDS_MOST) return false;
        bytes_add_char(out, PTX_OPERAND);
        bytes_add_char(out, (char)(index + 1));
        return true;
    }
    if (assigned) return false;
    while (*text == '%') {
        const char *name = text + strspn(text, "%");
        for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
            if (strcmp(registers[i].name, name)) continue;
            if (registers[i].expression) bytes_add_string(out, registers[i].expression);
            else bytes_format(out, "::tl::ptx::%s()", name);
            return true;
        }
        return false;
    }
    char *end;
    strtoll(text, &end, 0);
    if (end == text || *end) return false;
    bytes_add_string(out, text);
    return true;
}

bool ptx_place(Bytes *out, const char *text)
{
    size_t size = strlen(text);
    char inner[64];
    if (size < 3 || size >= sizeof inner || text[0] != '[' || text[size - 1] != ']') return false;
    memcpy(inner, text + 1, size - 2);
    inner[size - 2] = 0;
    char *plus = strchr(inner, '+');
    if (plus) *plus++ = 0;
    bytes_add_string(out, "((unsigned long long)");
    if (!ptx_operand(out, ptx_trim(inner), true)) return false;
    if (plus) {
        bytes_add_string(out, " + ");
        if (!ptx_operand(out, ptx_trim(plus), false)) return false;
    }
    bytes_add_char(out, ')');
    return true;
}

static bool address(Bytes *out, const char *text, const char *qualifier, const char *type,
                    bool shared)
{
    bytes_format(out, "*(%s %s *)%s", qualifier, type, shared ? "::tl::ptx::shared(" : "");
    if (!ptx_place(out, text)) return false;
    if (shared) bytes_add_char(out, ')');
    return true;
}

static bool has_part(const Instruction *in, const char *part)
{
    for (int i = 1; i < in->parts; i++)
        if (!strcmp(in->part[i], part)) return true;
    return false;
}

static bool is_part(const char *part, const char *name)
{
    size_t size = strlen(name); /* shared::cta is shared */
    return !strncmp(part, name, size) && (!part[size] || !strncmp(part + size, "::", 2));
}

static bool has_kind(const Instruction *in, const char *name)
{
    for (int i = 1; i < in->parts; i++)
        if (is_part(in->part[i], name)) return true;
    return false;
}

static bool load_or_store(const Instruction *in, Bytes *out, const char *type, bool load)
{
    /* orders and vectors need more than a plain access */
    static const char *const refused[] = {"acquire", "release", "v2",    "v4",
                                          "v8",      "param",   "const", "local"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (has_part(in, refused[i])) return false;
    const char *qualifier = has_part(in, "volatile") || has_part(in, "relaxed") ? "volatile" : "";
    bool shared = has_kind(in, "shared");
    if (in->operands != 2) return false;
    if (load) {
        if (!ptx_operand(out, in->operand[0], true)) return false;
        bytes_add_string(out, " = ");
        return address(out, in->operand[1], qualifier, type, shared);
    }
    if (!address(out, in->operand[0], qualifier, type, shared)) return false;
    bytes_format(out, " = (%s)", type);
    return ptx_operand(out, in->operand[1], false);
}

static bool arithmetic(const Instruction *in, Bytes *out, const char *type)
{
    const char *operation = NULL;
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
        if (!strcmp(binary[i].name, in->part[0])) operation = binary[i].operation;
    bool low = in->parts == 3 && !strcmp(in->part[0], "mul") && !strcmp(in->part[1], "lo");
    bool rounded = in->parts == 3 && in->part[2][0] == 'f' && !strcmp(in->part[1], "rn");
    bool wide_enough = strcmp(in->part[0], "mul") || low || in->part[in->parts - 1][0] == 'f';
    if (!operation || in->operands != 3 || !wide_enough || (in->parts != 2 && !low && !rounded))
        return false;
    if (!ptx_operand(out, in->operand[0], true)) return false;
    bytes_format(out, " = (%s)((%s)", type, type);
    if (!ptx_operand(out, in->operand[1], false)) return false;
    bytes_format(out, " %s (%s)", operation, strncmp(in->part[0], "sh", 2) ? type : "unsigned int");
    if (!ptx_operand(out, in->operand[2], false)) return false;
    bytes_add_char(out, ')');
    return true;
}

/* ---- copies and barriers in shared memory: calls of ::tl::ptx ---- */

/* name(operands from `first` on); those in brackets are addresses. */
static bool call(const Instruction *in, Bytes *out, const char *name, int first, int most)
{
    bytes_format(out, "%s(", name);
    for (int i = first; i < in->operands && i < first + most; i++) {
        if (i > first) bytes_add_string(out, ", ");
        if (in->operand[i][0] == '[' ? !ptx_place(out, in->operand[i])
                                     : !ptx_operand(out, in->operand[i], false))
            return false;
    }
    bytes_add_char(out, ')');
    return true;
}

static bool copy_async(const Instruction *in, Bytes *out)
{
    bool bulk = in->parts > 2 && !strcmp(in->part[2], "bulk");
    const char *what = in->part[bulk ? 3 : 2];
    if (in->parts < (bulk ? 4 : 3) || has_part(in, "tensor") || has_part(in, "multicast::cluster"))
        return false;
    if (!strcmp(what, "commit_group") && in->operands == 0)
        return bytes_format(out, "::threelane_%s_commit()", bulk ? "store" : "copy"), true;
    if (!strcmp(what, "wait_all") && in->operands == 0)
        return bytes_add_string(out, "::threelane_copy_wait(~0u)"), true;
    if (!strcmp(what, "wait_group") && in->operands == 1)
        return call(in, out, bulk ? "::threelane_store_wait" : "::threelane_copy_wait", 0, 1);
    if (!strcmp(what, "mbarrier") && in->operands == 1) {
        bytes_add_string(out, "::tl::ptx::cp_async_arrive(");
        if (!ptx_place(out, in->operand[0])) return false;
        bytes_add_string(out, has_part(in, "noinc") ? ", true)" : ", false)");
        return true;
    }
    if (!bulk && (in->operands == 3 || in->operands == 4) && has_kind(in, "shared") &&
        has_part(in, "global"))
        return call(in, out, "::tl::ptx::cp_async", 0, 4);
    if (bulk && in->operands == 4 && is_part(what, "shared") && has_part(in, "global"))
        return call(in, out, "::tl::ptx::cp_async_bulk", 0, 4);
    if (bulk && in->operands == 3 && !strcmp(what, "global") && has_kind(in, "shared"))
        return call(in, out, "::tl::ptx::cp_async_bulk_store", 0, 3);
    return false;
}

static bool mbarrier(const Instruction *in, Bytes *out)
{
    const char *what = in->parts > 1 ? in->part[1] : "";
    if (has_part(in, "shared::cluster") || in->operands < 1) return false; /* another block's */
    if (!strcmp(what, "init") && in->operands == 2)
        return call(in, out, "::tl::ptx::mbarrier_init", 0, 2);
    if (!strcmp(what, "inval") && in->operands == 1)
        return call(in, out, "::tl::ptx::mbarrier_inval", 0, 1);
    if (!strcmp(what, "expect_tx") && in->operands == 2)
        return call(in, out, "::tl::ptx::mbarrier_expect_tx", 0, 2);
    if (!strcmp(what, "pending_count") && in->operands == 2) {
        if (!ptx_operand(out, in->operand[0], true)) return false;
        bytes_add_string(out, " = ");
        return call(in, out, "::tl::ptx::mbarrier_pending", 1, 1);
    }
    bool drop = !strcmp(what, "arrive_drop"), expect = has_part(in, "expect_tx");
    if ((!drop && strcmp(what, "arrive")) || (drop && expect)) return false;
    int first = in->operand[0][0] == '[' ? 0 : 1; /* without a token, or with one, which may be _ */
    if (in->operands > first + 2 || in->operands <= first) return false;
    if (first && strcmp(in->operand[0], "_")) {
        if (!ptx_operand(out, in->operand[0], true)) return false;
        bytes_add_string(out, " = ");
    }
    return call(in, out,
                expect ? "::tl::ptx::mbarrier_arrive_expect_tx"
                : drop ? "::tl::ptx::mbarrier_arrive_drop"
                       : "::tl::ptx::mbarrier_arrive",
                first, 2);
}

/* ---- instructions that are a function of their operands: ::tl::ptx::NAME<type>(...) ---- */

/* Without the type at the end. Approximations are exact here (docs/tlcc.md). */
static const struct {
    const char *mnemonic, *function;
    int operands; /* with the result */
    const char *types;
} functions[] = {
    {"mul.hi", "mul_hi", 3, "u32 s32 u64 s64"},
    {"mul.wide", "mul_wide", 3, "u16 s16 u32 s32"},
    {"mul24.lo", "mul24_lo", 3, "u32 s32"},
    {"mad.lo", "mad_lo", 4, "u16 s16 u32 s32 u64 s64"},
    {"mad.hi", "mad_hi", 4, "u32 s32 u64 s64"},
    {"mad.wide", "mad_wide", 4, "u16 s16 u32 s32"},
    {"mad.rn", "fused", 4, "f32 f64"},
    {"fma.rn", "fused", 4, "f32 f64"},
    {"sad", "sad", 4, "u32 s32 u64 s64"},
    {"div", "quotient", 3, "u16 s16 u32 s32 u64 s64"},
    {"rem", "remainder", 3, "u16 s16 u32 s32 u64 s64"},
    {"div.rn", "quotient", 3, "f32 f64"},
    {"div.full", "quotient", 3, "f32"},
    {"div.approx", "quotient", 3, "f32"},
    {"min", "least", 3, "u16 s16 u32 s32 u64 s64 f32 f64"},
    {"max", "most", 3, "u16 s16 u32 s32 u64 s64 f32 f64"},
    {"abs", "absolute", 2, "s16 s32 s64 f32 f64"},
    {"neg", "negated", 2, "s16 s32 s64 f32 f64"},
    {"not", "inverted", 2, "b16 b32 b64"},
    {"popc", "popc", 2, "b32 b64"},
    {"clz", "clz", 2, "b32 b64"},
    {"brev", "brev", 2, "b32 b64"},
    {"shl", "shift_left", 3, "b16 b32 b64"},
    {"shr", "shift_right", 3, "b16 b32 b64 u16 u32 u64 s16 s32 s64"},
    {"bmsk.clamp", "bmsk_clamp", 3, "b32"},
    {"bmsk.wrap", "bmsk_wrap", 3, "b32"},
    {"bfe", "bfe", 4, "u32 s32 u64 s64"},
    {"bfi", "bfi", 5, "b32 b64"},
    {"prmt", "prmt", 4, "b32"},
    {"lop3", "lop3", 5, "b32"},
    {"shf.l.wrap", "shf_l_wrap", 4, "b32"},
    {"shf.r.wrap", "shf_r_wrap", 4, "b32"},
    {"shf.l.clamp", "shf_l_clamp", 4, "b32"},
    {"shf.r.clamp", "shf_r_clamp", 4, "b32"},
    {"sqrt.rn", "root", 2, "f32 f64"},
    {"sqrt.approx", "root", 2, "f32"},
    {"rsqrt.approx", "one_over_root", 2, "f32 f64"},
    {"rcp.rn", "one_over", 2, "f32 f64"},
    {"rcp.approx", "one_over", 2, "f32 f64"},
    {"ex2.approx", "ex2", 2, "f32"},
    {"lg2.approx", "lg2", 2, "f32"},
    {"sin.approx", "sine", 2, "f32"},
    {"cos.approx", "cosine", 2, "f32"},
    {"tanh.approx", "tangent", 2, "f32"},
    {"activemask", "activemask", 1, "b32"},
    {"shfl.sync.idx", "shfl_idx", 5, "b32"},
    {"shfl.sync.up", "shfl_up", 5, "b32"},
    {"shfl.sync.down", "shfl_down", 5, "b32"},
    {"shfl.sync.bfly", "shfl_bfly", 5, "b32"},
    {"match.any.sync", "match_any", 3, "b32 b64"},
    {"redux.sync.add", "redux_add", 3, "u32 s32"},
    {"redux.sync.min", "redux_min", 3, "u32 s32"},
    {"redux.sync.max", "redux_max", 3, "u32 s32"},
    {"redux.sync.and", "redux_and", 3, "b32"},
    {"redux.sync.or", "redux_or", 3, "b32"},
    {"redux.sync.xor", "redux_xor", 3, "b32"},
    {"cvta.to.global", "same", 2, "u64"},
    {"cvta.global", "same", 2, "u64"},
    {"cvta.to.local", "same", 2, "u64"},
};

static bool is_among(const char *word, const char *words)
{
    size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += size)
        if ((at == words || at[-1] == ' ') && (!at[size] || at[size] == ' ')) return true;
    return false;
}

static bool function(const Instruction *in, Bytes *out, const char *type)
{
    char name[64] = "";
    size_t size = 0;
    for (int i = 0; i < in->parts - 1; i++) {
        int more = snprintf(name + size, sizeof name - size, "%s%s", i ? "." : "", in->part[i]);
        if (more < 0 || (size += (size_t)more) >= sizeof name) return false;
    }

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].mnemonic, name) || functions[i].operands != in->operands ||
            !is_among(in->part[in->parts - 1], functions[i].types))
            continue;
        if (!ptx_operand(out, in->operand[0], true)) return false;
        bytes_format(out, " = ::tl::ptx::%s<%s>(", functions[i].function, type);
        for (int k = 1; k < in->operands; k++) {
            if (k > 1) bytes_add_string(out, ", ");
            if (!ptx_operand(out, in->operand[k], false)) return false;
        }
        bytes_add_char(out, ')');
        return true;
    }
    return false;
}

/* cvt.rn.f32.s32 %0, %1: to an integer in one of four ways, which clamps; to a float to nearest. */
static bool convert(const Instruction *in, Bytes *out)
{
    static const struct {
        const char *mode, *whole;
    } modes[] = {{"rni", "__builtin_rint"},
                 {"rzi", "__builtin_trunc"},
                 {"rmi", "__builtin_floor"},
                 {"rpi", "__builtin_ceil"}};
    const char *to = in->parts > 2 ? ptx_c_type(in->part[in->parts - 2]) : NULL,
               *from = in->parts > 2 ? ptx_c_type(in->part[in->parts - 1]) : NULL, *mode = "",
               *rounding = NULL;

    if (!to || !from || in->operands != 2) return false;
    for (int i = 1; i < in->parts - 2; i++) {
        if (*mode) return false;
        mode = in->part[i];
    }
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].mode, mode)) rounding = modes[i].whole;
    bool from_float = in->part[in->parts - 1][0] == 'f',
         to_float = in->part[in->parts - 2][0] == 'f';
    bool narrower = to_float && (!from_float || strcmp(to, from));
    if ((from_float && !to_float) != (rounding != NULL)) return false;
    if (!rounding && *mode && (!narrower || strcmp(mode, "rn"))) return false;

    if (!ptx_operand(out, in->operand[0], true)) return false;
    bytes_format(out, " = (%s)%s", to, rounding ? "(::tl::To<" : "");
    if (rounding) bytes_format(out, "%s>)%s", to, rounding);
    bytes_format(out, "((%s)", from);
    if (!ptx_operand(out, in->operand[1], false)) return false;
    bytes_add_char(out, ')');
    return true;
}

/* atom.global.add.u32 %0, [%1], %2; red is the same without a result */
static bool atomic(const Instruction *in, Bytes *out, const char *type)
{
    static const struct {
        const char *operation, *call, *types;
    } calls[] = {
        {"add", "atomicAdd", "u32 s32 u64 f32 f64"},
        {"min", "atomicMin", "u32 s32 u64 s64"},
        {"max", "atomicMax", "u32 s32 u64 s64"},
        {"inc", "atomicInc", "u32"},
        {"dec", "atomicDec", "u32"},
        {"and", "atomicAnd", "b32 b64"},
        {"or", "atomicOr", "b32 b64"},
        {"xor", "atomicXor", "b32 b64"},
        {"exch", "atomicExch", "b32 b64"},
        {"cas", "atomicCAS", "b16 b32 b64"},
    };
    bool result = !strcmp(in->part[0], "atom");
    const char *name = NULL;

    for (int i = 1; i < in->parts - 1; i++) {
        bool found = is_part(in->part[i], "shared") ||
                     is_among(in->part[i], "global relaxed gpu sys cta cluster");
        for (size_t k = 0; k < sizeof calls / sizeof *calls && !found; k++) {
            if (strcmp(calls[k].operation, in->part[i]) ||
                !is_among(in->part[in->parts - 1], calls[k].types))
                continue;
            name = calls[k].call;
            found = true;
        }
        if (!found) return false;
    }
    bool exchange = name && !strcmp(name, "atomicCAS");
    if (!name || in->operands != 2 + result + exchange) return false;

    if (result) {
        if (!ptx_operand(out, in->operand[0], true)) return false;
        bytes_add_string(out, " = ");
    }
    bytes_format(out, "::%s((%s *)%s", name, type,
                 has_kind(in, "shared") ? "::tl::ptx::shared(" : "(");
    if (!ptx_place(out, in->operand[result])) return false;
    bytes_add_char(out, ')');
    for (int i = result + 1; i < in->operands; i++) {
        bytes_format(out, ", (%s)", type);
        if (!ptx_operand(out, in->operand[i], false)) return false;
    }
    bytes_add_char(out, ')');
    return true;
}

/* A predicate register and what it stands for, of which there is one in the text: the result of a
 * comparison or of looking at a barrier. That one is written where it is used. */
typedef struct Predicate {
    char name[32];
    Bytes before, after; /* of a barrier: what stands around how to look at it */
    bool set, barrier;
} Predicate;

static bool names_predicate(const Predicate *p, const char *text)
{
    return p->set && !strcmp(text, p->name);
}

static void predicate_value(const Predicate *p, Bytes *out, const char *how)
{
    bytes_add(out, p->before.data, p->before.size);
    if (p->barrier) bytes_add_string(out, how);
    bytes_add(out, p->after.data, p->after.size);
}

/* setp.ne.b32 p, %0, 0 and mbarrier.try_wait p, [%0], %1 */
static bool set_predicate(const Instruction *in, Predicate *p)
{
    static const struct {
        const char *name, *operation;
    } compare[] = {{"eq", "=="}, {"ne", "!="}, {"lt", "<"},
                   {"le", "<="}, {"gt", ">"},  {"ge", ">="}};
    bool looks = !strcmp(in->part[0], "mbarrier") && in->parts > 1 &&
                 (!strcmp(in->part[1], "try_wait") || !strcmp(in->part[1], "test_wait"));
    bool sets = !strcmp(in->part[0], "setp") && in->parts == 3 && in->operands == 3;
    if ((!looks && !sets) || in->operands < 3 || strlen(in->operand[0]) >= sizeof p->name)
        return false;
    p->before.size = p->after.size = 0;
    bytes_add_string(&p->after, "");
    p->set = true;
    p->barrier = looks;
    strcpy(p->name, in->operand[0]);
    if (looks) {
        if (has_part(in, "shared::cluster")) return false;
        bytes_format(&p->before, "::tl::ptx::mbarrier_passed%s(",
                     has_part(in, "parity") ? "_parity" : "");
        bytes_add_string(&p->after, ", ");
        if (!ptx_place(&p->after, in->operand[1])) return false;
        bytes_add_string(&p->after, ", ");
        if (!ptx_operand(&p->after, in->operand[2], false)) return false;
        bytes_add_char(&p->after, ')');
        return true;
    }
    const char *type = ptx_c_type(in->part[2]), *operation = NULL;
    for (size_t i = 0; i < sizeof compare / sizeof *compare; i++)
        if (!strcmp(compare[i].name, in->part[1])) operation = compare[i].operation;
    if (!type || !operation) return false;
    bytes_format(&p->before, "((%s)", type);
    if (!ptx_operand(&p->before, in->operand[1], false)) return false;
    bytes_format(&p->before, " %s (%s)", operation, type);
    if (!ptx_operand(&p->before, in->operand[2], false)) return false;
    bytes_add_char(&p->before, ')');
    return true;
}

/* selp.b32 %0, 1, 0, p */
static bool select_by(const Instruction *in, const Predicate *p, Bytes *out)
{
    if (strcmp(in->part[0], "selp") || in->operands != 4 || !names_predicate(p, in->operand[3]))
        return false;
    if (!ptx_operand(out, in->operand[0], true)) return false;
    bytes_add_string(out, " = ");
    predicate_value(p, out, "TL_BARRIER_TRY");
    bytes_add_string(out, " ? ");
    if (!ptx_operand(out, in->operand[1], false)) return false;
    bytes_add_string(out, " : ");
    return ptx_operand(out, in->operand[2], false);
}

/* barrier.cluster.arrive.release.aligned, barrier.cluster.wait.acquire */
static bool cluster_barrier(const Instruction *in, Bytes *out)
{
    bool arrive = in->parts > 2 && !strcmp(in->part[2], "arrive");
    if (in->operands || (!arrive && (in->parts < 3 || strcmp(in->part[2], "wait")))) return false;
    bytes_format(out, "::__cluster_barrier_%s()", arrive ? "arrive" : "wait");
    return true;
}

/* mapa.shared::cluster.u32 %0, %1, %2 and getctarank.shared::cluster.u32 %0, %1: of addresses in
 * shared memory, or, without that word, of any. */
static bool map_address(const Instruction *in, Bytes *out, const char *type)
{
    bool map = !strcmp(in->part[0], "mapa"), shared = has_kind(in, "shared");
    if (!type || in->operands != (map ? 3 : 2) || !ptx_operand(out, in->operand[0], true))
        return false;
    bytes_format(out, " = (%s)", type);
    if (map && !shared) return call(in, out, "::tl::ptx::mapa_generic", 1, 2);
    return call(in, out, map ? "::tl::ptx::mapa" : "::tl::ptx::getctarank", 1, map ? 2 : 1);
}

bool ptx_instruction(const Instruction *in, const char *mnemonic, Bytes *out)
{
    const char *type = in->parts > 1 ? ptx_c_type(in->part[in->parts - 1]) : NULL;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        if (in->operands == 0 && !strcmp(whole[i].instruction, mnemonic)) {
            bytes_add_string(out, whole[i].expression);
            return true;
        }
    }
    bool barrier = !strcmp(in->part[0], "bar") || !strcmp(in->part[0], "barrier");
    if (barrier && in->parts > 1 && !strcmp(in->part[1], "cluster"))
        return cluster_barrier(in, out);
    if (!strcmp(in->part[0], "mapa") || !strcmp(in->part[0], "getctarank"))
        return map_address(in, out, type);
    if (barrier && in->operands == 1 && !strcmp(in->operand[0], "0") && has_part(in, "sync") &&
        !has_part(in, "warp")) {
        bytes_add_string(out, "::__syncthreads()");
        return true;
    }
    if (barrier && in->operands == 2 && !has_part(in, "warp") && !has_part(in, "cluster") &&
        (has_part(in, "sync") || has_part(in, "arrive")))
        return call(in, out, has_part(in, "sync") ? "::tl::ptx::bar_sync" : "::tl::ptx::bar_arrive",
                    0, 2);
    if (!strcmp(in->part[0], "cp") && in->parts > 1 && !strcmp(in->part[1], "async"))
        return copy_async(in, out);
    if (!strcmp(in->part[0], "mbarrier")) return mbarrier(in, out);
    if (!strncmp(in->part[0], "prefetch", 8) && in->operands == 1) /* caches are not simulated */
        return bytes_add_string(out, "((void)0)"), true;
    if (!strncmp(mnemonic, "fence.proxy.async", 17) ||
        !strncmp(mnemonic, "fence.mbarrier_init.", 20))
        return bytes_add_string(out, "((void)0)"), in->operands == 0;
    if (!strcmp(mnemonic, "bar.warp.sync") || !strcmp(mnemonic, "nanosleep.u32")) {
        if (in->operands != 1) return false;
        bytes_add_string(out, in->part[0][0] == 'b' ? "::__syncwarp(" : "::__nanosleep(");
        if (!ptx_operand(out, in->operand[0], false)) return false;
        bytes_add_char(out, ')');
        return true;
    }
    if (!strcmp(in->part[0], "mov") && in->parts == 2 && type && in->operands == 2) {
        if (!ptx_operand(out, in->operand[0], true)) return false;
        bytes_add_string(out, " = ");
        return ptx_operand(out, in->operand[1], false);
    }
    if (!type) return false;
    if (!strcmp(in->part[0], "ld")) return load_or_store(in, out, type, true);
    if (!strcmp(in->part[0], "st")) return load_or_store(in, out, type, false);
    if (!strcmp(in->part[0], "cvt")) return convert(in, out);
    if (!strcmp(in->part[0], "atom") || !strcmp(in->part[0], "red")) return atomic(in, out, type);
    return function(in, out, type) || arithmetic(in, out, type);
}

static bool is_instruction(const char *at)
{
    size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (!size) return false;
    if (at[size] != '.')
        return (size == 4 && (!memcmp(at, "trap", 4) || !memcmp(at, "exit", 4))) ||
               (size == 6 && !memcmp(at, "brkpt", 5) && at[5] == ';');
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (strlen(instructions[i]) == size && !memcmp(instructions[i], at, size)) return true;
    return false;
}

static const char *skip_label(const char *at, size_t size)
{
    size_t name = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$%=");
    if (!name || name >= size || at[name] != ':' || at[name + 1] == ':') return at;
    at += name + 1;
    return at + strspn(at, " \t\r\n");
}

/* Branches are known around a look at a barrier: "again: try_wait p ...; @!p bra again;" or "@p bra
 * done; bra again; done:", which wait until its phase is over. */
static bool branches(const char *at, size_t size, const Predicate *p, bool *waits, Bytes *out)
{
    char text[96], *word = text, *name = NULL;
    if (size >= sizeof text) return false;
    memcpy(text, at, size);
    text[size] = 0;
    if (*word == '@') {
        name = word + 1 + (word[1] == '!');
        word += strcspn(word, " \t\r\n");
        if (*word) *word++ = 0;
        word = ptx_trim(word);
    }
    if (strncmp(word, "bra", 3) || (word[3] != ' ' && word[3] != '.' && word[3] != '\t'))
        return false;
    if (*waits) return true;
    if (!name || !names_predicate(p, name) || !p->barrier) return false;
    predicate_value(p, out, "TL_BARRIER_WAIT");
    *waits = true;
    return true;
}

static bool one_instruction(const char *at, size_t size, Predicate *p, Bytes *out)
{
    Instruction in;
    char mnemonic[64];
    if (*at == '@') { /* only if the predicate says so */
        char name[40];
        size_t n = strcspn(at, " \t\r\n");
        bool no = at[1] == '!';
        if (n >= size || n >= sizeof name) return false;
        snprintf(name, sizeof name, "%.*s", (int)(n - 1 - no), at + 1 + no);
        if (!names_predicate(p, name) || p->barrier) return false;
        at += n;
        size -= n;
        bytes_add_string(out, no ? "(!" : "(");
        predicate_value(p, out, "");
        bytes_add_string(out, " ? (void)(");
        while (size && isspace((unsigned char)*at)) at++, size--;
        if (!one_instruction(at, size, p, out)) return false;
        bytes_add_string(out, ") : (void)0)");
        return true;
    }
    size_t name = strcspn(at, " \t\r\n;");
    if (name > size) name = size;
    snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)(name < 63 ? name : 63), at);
    if (!ptx_split(&in, at, size)) return false;
    return set_predicate(&in, p) || select_by(&in, p, out) || ptx_instruction(&in, mnemonic, out);
}

/* Adds the text without its comments, so that what remains is instructions. */
static void without_comments(const char *text, Bytes *clean)
{
    bytes_add_string(clean, "");
    for (const char *c = text; *c;) {
        if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n");
        } else if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            c = end ? end + 2 : c + strlen(c);
        } else {
            bytes_add_char(clean, *c++);
        }
    }
}

PtxKind ptx_translate(const char *text, Bytes *expression, char *instruction,
                      size_t instruction_size)
{
    Bytes clean = {0};
    without_comments(text, &clean);
    const char *at = clean.data;
    at += strspn(at, " \t\r\n{;");
    bool ptx = is_instruction(at) || !strncmp(at, ".reg", 4) ||
               (*at == '@' && strchr("%p!", at[1]) && at[1]);
    PtxKind kind = ptx ? PTX_KNOWN : PTX_NONE;
    size_t begin = expression->size;
    Predicate predicate = {0};
    bool waits = false; /* in a loop around a barrier, which has been written */
    for (at = clean.data; kind == PTX_KNOWN && *at;) {
        at += strspn(at, " \t\r\n;{}");
        size_t size = strcspn(at, ";}");
        if (at[size] == '}' && memchr(at, '{', size)) size = strcspn(at, ";"); /* a vector */
        if (!size) break;
        const char *rest = skip_label(at, size);
        size -= (size_t)(rest - at);
        at = rest;
        Bytes one = {0};
        bool done = size == 0 || !strncmp(at, ".reg", 4);
        if (!done) done = branches(at, size, &predicate, &waits, &one);
        if (!done) done = one_instruction(at, size, &predicate, &one);
        if (done && one.size) {
            if (expression->size > begin) bytes_add_string(expression, ", ");
            bytes_add(expression, one.data, one.size);
        } else if (!done) {
            kind = PTX_UNKNOWN;
            snprintf(instruction, instruction_size, "%.*s",
                     (int)(size < 60 ? strcspn(at, ";\n") : 60), at);
        }
        bytes_release(&one);
        at += size;
    }
    if (kind == PTX_KNOWN && expression->size == begin) bytes_add_string(expression, "(void)0");
    bytes_release(&predicate.before);
    bytes_release(&predicate.after);
    if (kind == PTX_UNKNOWN) {
        expression->size = begin;
        if (ptx_block(clean.data, expression)) kind = PTX_KNOWN;
    }
    if (kind != PTX_KNOWN) {
        expression->size = begin;
        if (expression->data) expression->data[begin] = 0;
    }
    bytes_release(&clean);
    return kind;
}
