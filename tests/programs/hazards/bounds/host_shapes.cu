// All of these copies fit: blocks from every way to get one, their ends and insides, rows, blocks that grew, and blocks
// that have been somewhere else before.
// check: all
#include "../hazards.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

static int *d;
static void in_and_out(void *h, size_t bytes)
{
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
}
struct Pair { int a[3]; std::array<int, 5> b; };
static Pair pairs[7];
static int on_the_stack(int n)
{
    int few[5] = {n}, many[N] = {n}, one = n;
    std::array<Pair, 3> three = {};
    in_and_out(few, sizeof few);
    in_and_out(many + 1, sizeof many - sizeof *many);
    in_and_out(&one, sizeof one);
    in_and_out(&three, sizeof three);
    in_and_out(three[1].b.data(), sizeof(Pair) * 2 - sizeof pairs[0].a);
    int *more = (int *)__builtin_alloca(n * sizeof(int));
    for (int i = 0; i < n; i++) more[i] = i;
    in_and_out(more, n * sizeof *more);
    return few[0] + many[1] + one + more[n - 1];
}

int main(int argc, char **)
{
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    for (int bytes = 1; bytes < 600; bytes += 1 + bytes / 8) {
        char *h = (char *)calloc(1, bytes);
        in_and_out(h, bytes);
        in_and_out(h + bytes - 1, 1);
        in_and_out(h + bytes / 2, bytes - bytes / 2);
        h = (char *)realloc(h, 3 * bytes);
        in_and_out(h, 3 * bytes);
        h = (char *)realloc(h, 40000);
        cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
        free(h);
    }
    std::vector<int> v(1);
    for (int i = 0; i < 100; i++) {
        v.push_back(i);
        in_and_out(v.data(), v.size() * sizeof(int));
    }
    std::string text(77, 'x'), brief = "abc";
    in_and_out(&text[0], text.size() + 1);
    in_and_out(&brief[0], brief.size() + 1);
    auto owned = std::make_unique<Pair[]>(9);
    in_and_out(owned.get(), 9 * sizeof(Pair));
    auto shared = std::make_shared<Pair>();
    in_and_out(shared.get(), sizeof(Pair));
    void *aligned = NULL;
    if (posix_memalign(&aligned, 4096, 1000)) return 1;
    in_and_out(aligned, 1000);
    free(aligned);
    free(malloc(1000));
    aligned = aligned_alloc(64, 640);
    in_and_out(aligned, 640);
    free(aligned);
    in_and_out(pairs, sizeof pairs);
    in_and_out(pairs + 3, sizeof *pairs * 4);
    in_and_out(pairs[2].b.data(), sizeof pairs[2].b);
    int *rows = (int *)malloc(10 * 20 * sizeof *rows);
    for (int i = 0; i < 200; i++) rows[i] = i;
    cudaMemcpy2D(d, 12, rows + 3, 20 * sizeof *rows, 12, 10, cudaMemcpyHostToDevice);
    cudaMemcpy2D(rows + 17, 20 * sizeof *rows, d, 12, 12, 10, cudaMemcpyDeviceToHost);
    free(rows);
    char *line = NULL;
    size_t room = 0;
    FILE *self = fmemopen((void *)"a line of text\n", 15, "r");
    if (getline(&line, &room, self) < 0) return 1;
    in_and_out(line, 16);
    free(line);
    fclose(self);
    on_the_stack(argc + 40);
    cudaFree(d);
    return 0;
}
