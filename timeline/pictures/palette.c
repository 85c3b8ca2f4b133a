#include "timeline/pictures/palette.h"

/* clang-format off */
const PaletteColour palette[PALETTE_KINDS] = {
    [PALETTE_H2D] = {"h2d", "copy to the device (H2D)", "H2D", ">",
                     0x5f87ff, 0x000000, 69, 16, 6, 0, "rail_response"},
    [PALETTE_KERNEL] = {"kernel", "kernel (K)", "kernel", "K",
                        0x00875f, 0x000000, 29, 16, 2, 0, "good"},
    [PALETTE_D2H] = {"d2h", "copy to the host (D2H)", "D2H", "<",
                     0xff5f00, 0x000000, 202, 16, 3, 0, "bad"},
    [PALETTE_MEMSET] = {"memset", "memset", "memset", "0",
                        0xaf00af, 0xffffff, 127, 231, 5, 7, "vsync_highlight_color"},
    [PALETTE_COPY] = {"copy", "other copy", "other copy", "=",
                      0xaf87af, 0x000000, 139, 16, 4, 7, "rail_load"},
    [PALETTE_HOSTFN] = {"hostfn", "host function (CB)", "host fn", "f",
                        0x8700ff, 0xffffff, 93, 231, 1, 7, "rail_animation"},
    [PALETTE_RANGE] = {"range", "host: range", "range", "r",
                       0x949494, 0x000000, 246, 16, 7, 0, "grey"},
    [PALETTE_CALL] = {"call", "host: CUDA call", "call", "c",
                      0x6c6c6c, 0xffffff, 242, 231, 7, 0, "generic_work"},
    [PALETTE_GRAPH] = {"graph", "launch of a graph (G)", "graph", "G",
                       0x767676, 0x000000, 243, 16, 7, 0, "generic_work"},
};
/* clang-format on */

PaletteKind palette_of_op(const TraceOp *op)
{
    switch (op->kind) {
    case TRACE_H2D: return PALETTE_H2D;
    case TRACE_D2H: return PALETTE_D2H;
    case TRACE_KERNEL: return PALETTE_KERNEL;
    case TRACE_MEMSET: return PALETTE_MEMSET;
    case TRACE_HOSTFN: return PALETTE_HOSTFN;
    case TRACE_GRAPH: return PALETTE_GRAPH;
    default: return PALETTE_COPY;
    }
}

PaletteKind palette_of_item(const Trace *t, const LayoutItem *item)
{
    return item->what == LAYOUT_RANGE  ? PALETTE_RANGE
           : item->what == LAYOUT_CALL ? PALETTE_CALL
                                       : palette_of_op(&t->ops[item->id]);
}

void palette_write_css(FILE *out)
{
    for (int i = 0; i < PALETTE_KINDS; i++)
        fprintf(out, "--%s:#%06x;--%s-ink:#%06x;", palette[i].id, palette[i].rgb, palette[i].id,
                palette[i].ink);
}
