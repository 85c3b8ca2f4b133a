// Buffers from functions that allocate for others have the names of the callers: by result, by pointer, by reference,
// handed on, in a constructor, two on a line.
// err:   b: 400 bytes of device memory, cudaMalloc at helper-bad.cu:15 for the caller at helper-bad.cu:56
// err:   d: 404 bytes of device memory, cudaMalloc at helper-bad.cu:20 for the caller at helper-bad.cu:58
// err:   f: 408 bytes of device memory, cudaMalloc at helper-bad.cu:25 for the caller at helper-bad.cu:60
// err:   rows[i]: 412 bytes of device memory, cudaMalloc at helper-bad.cu:15 for the caller at helper-bad.cu:62
// err:   h.data: 416 bytes of device memory, cudaMalloc at helper-bad.cu:33 for the caller at helper-bad.cu:64
// err:   k: 420 bytes of device memory, cudaMalloc at helper-bad.cu:15 for the caller at helper-bad.cu:65
// err:   p: 424 bytes of device memory, cudaMalloc at helper-bad.cu:39 for the caller at helper-bad.cu:67
// not: writes p[0..400]
// flags: -O2
__attribute__((noinline)) int *dev(size_t bytes)
{
    int *p;
    cudaMalloc(&p, bytes);
    return p;
}
void out(int **p, size_t bytes)
{
    cudaMalloc((void **)p, bytes);
}
template <class T>
void by_reference(T *&p, size_t bytes)
{
    cudaMalloc(&p, bytes);
}
int *twice_removed(size_t bytes) { return dev(bytes); }
struct Buffer {
    int *data;

    explicit Buffer(size_t bytes)
    {
        cudaMalloc(&data, bytes);
    }
};
int error_of(size_t bytes, int **kept)
{
    int *p;
    cudaError_t error = cudaMalloc(&p, bytes);
    *kept = p;
    return error;
}

__global__ void fill(int *p) { p[threadIdx.x] = 1; }
cudaStream_t s, t;
void wait()
{
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
}
int main()
{
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    int *a = dev(400);
    int *b = dev(400);
    int *c, *d;
    out(&c, 404), out(&d, 404);
    int *e, *f;
    by_reference(e, 408), by_reference(f, 408);
    int *rows[2];
    for (int i = 0; i < 2; i++) rows[i] = twice_removed(412);
    Buffer g(416);
    Buffer h(416);
    int *j = dev(420), *k = dev(420);
    int *l, *m;
    int error = error_of(424, &l) + error_of(424, &m);

    fill<<<1, 32, 0, s>>>(b); wait(); fill<<<1, 32, 0, t>>>(b);     // on b
    cudaDeviceSynchronize();
    fill<<<1, 32, 0, s>>>(d); wait(); fill<<<1, 32, 0, t>>>(d);     // on d
    cudaDeviceSynchronize();
    fill<<<1, 32, 0, s>>>(f); wait(); fill<<<1, 32, 0, t>>>(f);     // on f
    cudaDeviceSynchronize();
    fill<<<1, 32, 0, s>>>(rows[1]); wait(); fill<<<1, 32, 0, t>>>(rows[1]);     // on r
    cudaDeviceSynchronize();
    fill<<<1, 32, 0, s>>>(h.data); wait(); fill<<<1, 32, 0, t>>>(h.data);     // on h
    cudaDeviceSynchronize();
    fill<<<1, 32, 0, s>>>(k); wait(); fill<<<1, 32, 0, t>>>(k);     // on k
    cudaDeviceSynchronize();
    fill<<<1, 32, 0, s>>>(m); wait(); fill<<<1, 32, 0, t>>>(m);     // on m
    cudaDeviceSynchronize();
    int *const all[] = {a, b, c, d, e, f, rows[0], rows[1], g.data, h.data, j, k, l, m};
    for (int *p : all) cudaFree(p);
    cudaStreamDestroy(s), cudaStreamDestroy(t);
    return error;
}
// hazard: race 69 69
// hazard: race 71 71
// hazard: race 73 73
// hazard: race 75 75
// hazard: race 77 77
// hazard: race 79 79
// hazard: race 81 81
// right: -DRIGHT
