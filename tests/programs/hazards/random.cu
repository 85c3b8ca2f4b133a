// Random programs against an independent count of what is ordered. SEEDS=n (default 600) of them, from FIRST on.
//
// A seed makes a script: streams of every kind, events, copies, sets, kernels on arbitrary elements, host functions,
// accesses of the host, graphs of a few of these that were captured and are launched, and between them just the waits, of every kind, that order what conflicts. The order is counted
// here, by CUDA's rules, with sets of operations and none of the checker's means. Each script runs twice, in a process
// of its own: complete, when nothing but waits that this count calls useless may be reported; and with one of its waits
// or records left out, when exactly the pairs that lost their order are reported, less those that another one's fix
// would order as well; every third on another legal schedule, every fourth with streams, memory and graphs on two devices.
// Places are given to the calls by number, so that a report says which operations it means.
// out: programs as expected
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

enum { ELEMENTS = 64, BYTES = ELEMENTS * 4, MOST = 96, STREAMS = 6, EVENTS = 8, BUFFERS = 6, HOSTS = 40, NODES = 4 };

/* ---- host code: each has a line of its own ---- */


#define TOUCH(K) __attribute__((noinline)) static void touch##K(int *p, uint64_t r, uint64_t w) { for (int i = 0; i < ELEMENTS; i++) { if (r >> i & 1) sum[K] += p[i]; if (w >> i & 1) p[i] = i; } }
static int sum[HOSTS];
typedef void Touch(int *, uint64_t, uint64_t);
enum { FIRST_TOUCH = __LINE__ + 1 };
TOUCH(0)
TOUCH(1)
TOUCH(2)
TOUCH(3)
TOUCH(4)
TOUCH(5)
TOUCH(6)
TOUCH(7)
TOUCH(8)
TOUCH(9)
TOUCH(10)
TOUCH(11)
TOUCH(12)
TOUCH(13)
TOUCH(14)
TOUCH(15)
TOUCH(16)
TOUCH(17)
TOUCH(18)
TOUCH(19)
TOUCH(20)
TOUCH(21)
TOUCH(22)
TOUCH(23)
TOUCH(24)
TOUCH(25)
TOUCH(26)
TOUCH(27)
TOUCH(28)
TOUCH(29)
TOUCH(30)
TOUCH(31)
TOUCH(32)
TOUCH(33)
TOUCH(34)
TOUCH(35)
TOUCH(36)
TOUCH(37)
TOUCH(38)
TOUCH(39)
static Touch *const touches[HOSTS] = {
    touch0, touch1, touch2, touch3, touch4, touch5, touch6, touch7, touch8, touch9, touch10, touch11, touch12, touch13,
    touch14, touch15, touch16, touch17, touch18, touch19, touch20, touch21, touch22, touch23, touch24, touch25, touch26,
    touch27, touch28, touch29, touch30, touch31, touch32, touch33, touch34, touch35, touch36, touch37, touch38, touch39};

/* ---- scripts ---- */

typedef enum What {
    H2D, D2H, D2D, COPY2D, SET, KERNEL, HOST_FUNCTION, SYNC_H2D, SYNC_D2H, SYNC_D2D, SYNC_SET, HOST,     /* touch memory */
    RECORD, WAIT, STREAM_SYNC, STREAM_QUERY, EVENT_SYNC, EVENT_QUERY, DEVICE_SYNC                        /* order */
} What;

typedef struct Use { int buffer; uint64_t read, write; } Use;
typedef struct Step {
    What what;
    int stream, event;
    Use use[2];                       /* copies: from, to */
    int first, width, height, pitch;  /* copies and sets, in elements; to: the same place in the other buffer, shifted */
    int shift, host;                  /* host: which of the functions above */
    int nodes, node, after;           /* one of so many nodes of a graph, the last of which launches it; this one, and a bit
                                         for each of them that it comes after */
} Step;
typedef struct Script {
    int n_streams, n_events, n_device, n_pinned, n_managed, n, hosts;
    int flavour[STREAMS];             /* 0: the default stream, 1: blocking, 2: non-blocking */
    int devices, device[STREAMS];     /* with two, stream 1 is the default stream of the second; event e is of e % 2 */
    Step step[4 * MOST];
} Script;

static uint64_t state;
static uint64_t draw(void)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}
static int below(int n) { return (int)(draw() % (uint64_t)n); }

/* ---- what is ordered: sets of steps, by number ---- */

typedef struct Set { uint64_t word[4 * MOST / 64]; } Set;
static void put(Set *s, int i) { s->word[i / 64] |= 1ull << i % 64; }
static bool has(const Set *s, int i) { return s->word[i / 64] >> i % 64 & 1; }
static bool join(Set *s, const Set *more)         /* did it learn something? */
{
    bool learnt = false;
    for (size_t i = 0; i < sizeof s->word / 8; i++) {
        learnt |= (more->word[i] & ~s->word[i]) != 0;
        s->word[i] |= more->word[i];
    }
    return learnt;
}

typedef struct World {
    Set host, stream[STREAMS], event[EVENTS], before[4 * MOST];
    bool recorded[EVENTS], useless[4 * MOST];
    int submitted[4 * MOST];          /* how many operations the step makes; a graph's launch is one, too */
} World;

/* What comes before the next thing in a stream. */
static Set ahead(const Script *script, const World *w, int s)
{
    Set set = w->stream[s];
    join(&set, &w->host);
    for (int i = 0; i < script->n_streams; i++)
        if (script->device[s] == script->device[i] && script->flavour[s] + script->flavour[i] == 1)
            join(&set, &w->stream[i]);
    return set;
}

/* What a wait for a stream waits for. */
static Set held(const Script *script, const World *w, int s)
{
    Set set = w->stream[s];
    for (int i = 0; i < script->n_streams; i++)
        if (script->flavour[s] == 0 && script->flavour[i] == 1 && script->device[s] == script->device[i])
            join(&set, &w->stream[i]);
    return set;
}

/* A launch: each node comes after what the launch comes after, and after those before it in the graph. */
static void launched(const Script *script, World *w, int last)
{
    int nodes = script->step[last].nodes, first = last - nodes + 1, s = script->step[last].stream;
    Set begin = ahead(script, w, s);
    w->stream[s] = begin;
    for (int k = 0; k < nodes; k++) {
        int i = first + k;
        w->before[i] = begin;
        for (int m = 0; m < k; m++)
            if (script->step[i].after >> m & 1) join(&w->before[i], &w->before[first + m]), put(&w->before[i], first + m);
        w->submitted[i] = k ? 1 : 2;
        put(&w->stream[s], i);
    }
}

static void happens(const Script *script, World *w, int i)
{
    const Step *step = &script->step[i];
    Set set = {};
    if (step->nodes) {
        if (step->node == step->nodes - 1) launched(script, w, i);
        return;
    }
    w->submitted[i] = step->what <= SYNC_SET || step->what == RECORD || (step->what == WAIT && w->recorded[step->event]);
    switch (step->what) {
    case HOST:
        w->before[i] = w->host;
        put(&w->host, i);
        return;
    case RECORD:
        w->event[step->event] = w->stream[step->stream] = ahead(script, w, step->stream);
        w->recorded[step->event] = true;
        return;
    case WAIT:
        set = ahead(script, w, step->stream);
        w->useless[i] = !join(&set, &w->event[step->event]);
        if (w->recorded[step->event]) w->stream[step->stream] = set;
        return;
    case STREAM_SYNC: case STREAM_QUERY:
        set = held(script, w, step->stream);
        w->useless[i] = !join(&w->host, &set);
        return;
    case EVENT_SYNC: case EVENT_QUERY:
        w->useless[i] = !join(&w->host, &w->event[step->event]);
        return;
    case DEVICE_SYNC:
        for (int s = 0; s < script->n_streams; s++)
            if (script->device[s] == script->device[step->stream]) join(&set, &w->stream[s]);
        w->useless[i] = !join(&w->host, &set);
        return;
    default:
        break;
    }
    w->before[i] = set = ahead(script, w, step->stream);
    put(&set, i);
    w->stream[step->stream] = set;
    if (step->what == SYNC_H2D || step->what == SYNC_D2H) join(&w->host, &set);
}

/* The elements of a buffer in which two steps conflict. */
static uint64_t conflict_in(const Step *a, const Step *b, int buffer)
{
    uint64_t elements = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            if (a->what > HOST || b->what > HOST) continue;
            const Use *x = &a->use[i], *y = &b->use[k];
            if (x->buffer != buffer || y->buffer != buffer) continue;
            elements |= (x->write & (y->read | y->write)) | (x->read & y->write);
        }
    return elements;
}

static bool conflict(const Step *a, const Step *b)
{
    for (int i = 0; i < BUFFERS; i++)
        if (conflict_in(a, b, i)) return true;
    return false;
}

/* ---- making a script ---- */

static int random_buffer(const Script *s, bool device, bool host)
{
    int first = device ? 0 : s->n_device;
    int last = host ? s->n_device + s->n_pinned + s->n_managed : s->n_device;
    return first + below(last - first);
}
static bool is_pinned(const Script *s, int b) { return b >= s->n_device && b < s->n_device + s->n_pinned; }

static uint64_t random_elements(void)
{
    int first = below(ELEMENTS), n = 1 + below(ELEMENTS - first);
    uint64_t all = n == 64 ? ~0ull : ((1ull << n) - 1) << first;
    switch (below(4)) {
    case 0: return all & 0x5555555555555555ull << below(2);
    case 1: return 1ull << first;
    default: return all;
    }
}

static uint64_t rectangle(const Step *step, int shift)
{
    uint64_t elements = 0;
    for (int row = 0; row < step->height; row++)
        for (int i = 0; i < step->width; i++) elements |= 1ull << (step->first + shift + row * step->pitch + i);
    return elements;
}

static Step random_step(Script *s)
{
    static const What often[] = {H2D, D2H, KERNEL, KERNEL, KERNEL, D2D, COPY2D, SET, HOST_FUNCTION, HOST, HOST, SYNC_H2D,
                                 SYNC_D2H, SYNC_D2D, SYNC_SET};
    Step step = {};
    step.what = often[below(sizeof often / sizeof *often)];
    step.stream = below(s->n_streams);
    step.use[0].buffer = step.use[1].buffer = -1;
    int last = s->n - 1;              /* one access to a stretch of host code */
    while (last >= 0 && s->step[last].what > HOST) last--;
    if (step.what == HOST && last >= 0 && s->step[last].what == HOST) step.what = KERNEL;
    if ((step.what == HOST || step.what == HOST_FUNCTION) && s->hosts == HOSTS) step.what = KERNEL;
    switch (step.what) {
    case KERNEL:
        step.use[0] = {random_buffer(s, true, true), random_elements(), 0};
        step.use[1] = {random_buffer(s, true, true), 0, random_elements()};
        if (below(8) == 0) step.use[1].buffer = -1;
        return step;
    case HOST: case HOST_FUNCTION:
        step.host = s->hosts++;
        step.use[0] = {random_buffer(s, false, true), random_elements(), 0};
        if (below(2)) step.use[0].write = step.use[0].read, step.use[0].read = 0;    /* (one place in the code) */
        if (step.what == HOST_FUNCTION && below(2)) step.use[0].read = random_elements();
        return step;
    default:
        break;
    }
    if (step.what >= SYNC_H2D) step.stream = s->devices > 1 ? below(2) : 0;
    step.height = step.what == COPY2D ? 1 + below(6) : 1;
    step.pitch = step.what == COPY2D ? 4 + below(5) : 0;
    step.width = step.what == COPY2D ? 1 + below(step.pitch) : 1 + below(ELEMENTS / 2);
    int extent = step.pitch * (step.height - 1) + step.width;
    step.first = below(ELEMENTS - extent + 1);
    step.shift = below(ELEMENTS - extent + 1) - step.first;
    bool set = step.what == SET || step.what == SYNC_SET;
    int from = step.what == H2D || step.what == SYNC_H2D ? s->n_device + below(s->n_pinned) : random_buffer(s, true, false);
    int to = step.what == D2H || step.what == SYNC_D2H ? s->n_device + below(s->n_pinned) : random_buffer(s, true, false);
    if (from == to) step.shift = 0;
    if (from == to && !set) step.what = SET, set = true;       /* (a copy onto itself) */
    if (step.what == SET) step.pitch = 0, step.height = 1;
    if (!set) step.use[0] = {from, rectangle(&step, 0), 0};
    step.use[1] = {to, 0, rectangle(&step, step.shift)};
    return step;
}

static void add(Script *s, World *w, Step step)
{
    s->step[s->n] = step;
    happens(s, w, s->n);
    s->n++;
}

/* One that may be recorded in the stream. */
static int event_of(const Script *s, int event, int stream)
{
    if (s->devices == 1 || event % 2 == s->device[stream]) return event;
    return event + 1 < s->n_events ? event + 1 : event - 1;
}

/* Puts waits before the step, if it conflicts with something that it would not come after. False: there are too many. */
static bool order(Script *s, World *w, const Step *step)
{
    for (;;) {
        Set before = step->what == HOST ? w->host : ahead(s, w, step->stream);
        int open[4 * MOST], n = 0;
        for (int i = 0; i < s->n; i++)
            if (!has(&before, i) && conflict(&s->step[i], step)) open[n++] = i;
        if (!n) return true;
        if (s->n >= 4 * MOST - 16) return false;
        int other = open[below(n)];
        const Step *was = &s->step[other];
        Step wait = {};
        wait.stream = was->stream;
        wait.event = below(s->n_events);
        int known = -1;
        for (int e = 0; e < s->n_events; e++)
            if (has(&w->event[e], other)) known = e;
        switch (below(step->what == HOST ? 4 : 8)) {
        case 0: wait.what = below(2) ? STREAM_SYNC : STREAM_QUERY; add(s, w, wait); break;
        case 1: wait.what = DEVICE_SYNC; add(s, w, wait); break;
        case 2: case 3:
            wait.event = event_of(s, wait.event, wait.stream);
            wait.what = RECORD, add(s, w, wait);
            wait.what = below(2) ? EVENT_SYNC : EVENT_QUERY, add(s, w, wait);
            break;
        default:
            if (known >= 0 && below(2)) wait.event = known;
            else wait.event = event_of(s, wait.event, wait.stream), wait.what = RECORD, add(s, w, wait);
            wait.stream = step->stream;
            wait.what = WAIT, add(s, w, wait);
            break;
        }
    }
}

/* A few steps as the nodes of a graph; an edge between any two that conflict, and a few more. */
static bool add_graph(Script *s, World *w)
{
    Step node[NODES];
    int n = 1 + below(NODES), stream = below(s->n_streams);
    for (int k = 0; k < n; k++) {
        do node[k] = random_step(s);
        while (node[k].what > HOST_FUNCTION);
        node[k].stream = stream;
        node[k].nodes = n;
        node[k].node = k;
        for (int m = 0; m < k; m++)
            if (conflict(&node[m], &node[k]) || below(6) == 0) node[k].after |= 1 << m;
    }
    for (int k = 0; k < n; k++)
        if (!order(s, w, &node[k])) return false;
    for (int k = 0; k < n; k++) add(s, w, node[k]);
    return true;
}

static void make(Script *s, uint64_t seed)
{
    static World w;
    state = seed * 0x2545F4914F6CDD1Dull + 1;
    *s = Script();
    w = World();
    s->n_streams = 2 + below(STREAMS - 1);
    s->n_events = 1 + below(EVENTS);
    s->n_device = 1 + below(3);
    s->n_pinned = 1 + below(2);
    s->n_managed = below(2);
    for (int i = 1; i < s->n_streams; i++) s->flavour[i] = 1 + below(2);
    s->devices = seed % 4 == 2 ? 2 : 1;
    if (s->devices == 2) {
        for (int i = s->n_streams; i < 4; i++) s->flavour[i] = i - 1;
        if (s->n_streams < 4) s->n_streams = 4;
        if (s->n_events < 2) s->n_events = 2;
        s->flavour[1] = 0;
        for (int i = 0; i < s->n_streams; i++) s->device[i] = i < 2 ? i : below(2);
    }
    int most = 4 + below(below(4) ? 24 : MOST - 4), worked = 0;
    while (worked < most && s->n < 4 * MOST - 16) {
        if (below(8) == 0) {
            if (!add_graph(s, &w)) return;
            worked++;
            continue;
        }
        Step step = random_step(s);
        if (!order(s, &w, &step)) return;
        add(s, &w, step);
        worked++;
        if (below(10) == 0) {         /* and some that nobody needs */
            Step more = {};
            more.stream = below(s->n_streams);
            more.event = below(s->n_events);
            more.what = (What)(RECORD + below(DEVICE_SYNC - RECORD));
            if (more.what == RECORD) more.event = event_of(s, more.event, more.stream);
            add(s, &w, more);
        }
    }
}

/* ---- running it ---- */

__global__ void work(int *from, uint64_t reads, int *to, uint64_t writes)
{
    int i = threadIdx.x, value = 0;
    if (reads >> i & 1) value = from[i];
    if (writes >> i & 1) to[i] = value + 1;
}

typedef struct Job { Touch *touch; int *memory; uint64_t read, write; } Job;
static void CUDART_CB run_job(void *data)
{
    const Job *job = (const Job *)data;
    job->touch(job->memory, job->read, job->write);
}

static void issue(const Script *s, int i, int *const *memory, cudaStream_t on, cudaEvent_t *event)
{
    static Job jobs[HOSTS];
    const Step *step = &s->step[i];
    ThreelaneSite at = {"script", 1000 + i};
    int *from = step->use[0].buffer >= 0 ? memory[step->use[0].buffer] + step->first : NULL;
    int *to = step->use[1].buffer >= 0 ? memory[step->use[1].buffer] + step->first + step->shift : NULL;
    size_t bytes = (size_t)step->width * 4, pitch = (size_t)step->pitch * 4;
    switch (step->what) {
    case H2D: cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, on, at); break;
    case D2H: cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, on, at); break;
    case D2D: cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, on, at); break;
    case COPY2D: cudaMemcpy2DAsync(to, pitch, from, pitch, bytes, step->height, cudaMemcpyDefault, on, at); break;
    case SET: cudaMemsetAsync(to, 1, bytes, on, at); break;
    case SYNC_H2D: cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice, at); break;
    case SYNC_D2H: cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost, at); break;
    case SYNC_D2D: cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice, at); break;
    case SYNC_SET: cudaMemset(to, 1, bytes, at); break;
    case KERNEL:
        ::tl::push(1, ELEMENTS, 0, on, "script", 1000 + i) ? (void)0
            : work(memory[step->use[0].buffer], step->use[0].read, step->use[1].buffer < 0 ? NULL
                   : memory[step->use[1].buffer], step->use[1].buffer < 0 ? 0 : step->use[1].write);
        break;
    case HOST_FUNCTION:
        jobs[step->host] = {touches[step->host], memory[step->use[0].buffer], step->use[0].read, step->use[0].write};
        cudaLaunchHostFunc(on, run_job, &jobs[step->host], at);
        break;
    case HOST: touches[step->host](memory[step->use[0].buffer], step->use[0].read, step->use[0].write); break;
    case RECORD: cudaEventRecord(event[step->event], on, at); break;
    case WAIT: cudaStreamWaitEvent(on, event[step->event], 0, at); break;
    case STREAM_SYNC: cudaStreamSynchronize(on, at); break;
    case STREAM_QUERY: while (cudaStreamQuery(on, at) == cudaErrorNotReady) { } break;
    case EVENT_SYNC: cudaEventSynchronize(event[step->event], at); break;
    case EVENT_QUERY: while (cudaEventQuery(event[step->event], at) == cudaErrorNotReady) { } break;
    case DEVICE_SYNC: cudaDeviceSynchronize(at); break;
    }
}

static void make_current(const Script *s, int device)
{
    if (s->devices > 1) cudaSetDevice(device);
}

/* Captures the nodes of which this is the last, each in a stream of its own, so that nothing but what they come after orders
 * them; and launches the graph. With two devices, the nodes are of one and the other in turn. */
static void launch(const Script *s, int last, int *const *memory, cudaStream_t *capture, cudaStream_t on)
{
    int nodes = s->step[last].nodes, first = last - nodes + 1;
    cudaEvent_t forked, done[NODES];
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    for (int k = nodes - 1; k >= 0; k--) {
        make_current(s, k % s->devices);
        cudaEventCreate(&done[k]);
    }
    cudaEventCreate(&forked);
    cudaStreamBeginCapture(capture[0], cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, capture[0]);
    for (int k = 0; k < nodes; k++) {
        if (k) cudaStreamWaitEvent(capture[k], forked, 0);
        for (int m = 0; m < k; m++)
            if (s->step[first + k].after >> m & 1) cudaStreamWaitEvent(capture[k], done[m], 0);
        make_current(s, k % s->devices);
        issue(s, first + k, memory, capture[k], NULL);
        cudaEventRecord(done[k], capture[k]);
    }
    for (int k = 1; k < nodes; k++) cudaStreamWaitEvent(capture[0], done[k], 0);
    make_current(s, s->device[s->step[last].stream]);
    if (cudaStreamEndCapture(capture[0], &graph) || cudaGraphInstantiate(&exec, graph, 0) || cudaGraphLaunch(exec, on)) exit(4);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventDestroy(forked);
    for (int k = 0; k < nodes; k++) cudaEventDestroy(done[k]);
}

static void run(const Script *s, int left_out)
{
    int *memory[BUFFERS] = {}, all = s->n_device + s->n_pinned + s->n_managed;
    cudaStream_t stream[STREAMS] = {}, capture[NODES];
    cudaEvent_t event[EVENTS];
    for (int i = 0; i < all; i++) {
        make_current(s, i % 2);
        if (i < s->n_device) cudaMalloc(&memory[i], BYTES), cudaMemset(memory[i], 0, BYTES);
        else if (is_pinned(s, i)) cudaMallocHost(&memory[i], BYTES);
        else cudaMallocManaged(&memory[i], BYTES);
    }
    for (int device = s->devices - 1; device >= 0; device--) {
        make_current(s, device);
        if (s->devices > 1) cudaDeviceEnablePeerAccess(1 - device, 0);
        if (device < s->n_device) cudaDeviceSynchronize();       /* (what nobody needs is reported) */
    }
    for (int i = 1; i < s->n_streams; i++) {
        make_current(s, s->device[i]);
        if (s->flavour[i])
            cudaStreamCreateWithFlags(&stream[i], s->flavour[i] == 2 ? cudaStreamNonBlocking : cudaStreamDefault);
    }
    for (int i = 0; i < s->n_events; i++) {
        make_current(s, i % 2);
        cudaEventCreate(&event[i]);
    }
    for (int i = 0; i < NODES; i++) {
        make_current(s, i % 2);
        cudaStreamCreateWithFlags(&capture[i], cudaStreamNonBlocking);
    }
    for (int i = 0; i < s->n; i++) {
        const Step *step = &s->step[i];
        if (i == left_out) continue;
        make_current(s, s->device[step->stream]);
        if (!step->nodes) issue(s, i, memory, stream[step->stream], event);
        else if (step->node == step->nodes - 1) launch(s, i, memory, capture, stream[step->stream]);
    }
    for (int device = 0; device < s->devices; device++) {
        make_current(s, device);
        cudaDeviceSynchronize({"script", 1 + device});
    }
    for (int i = 0; i < s->n_device; i++) cudaFree(memory[i]);
    for (int i = s->n_device; i < all; i++) {
        if (is_pinned(s, i)) cudaFreeHost(memory[i]);
        else cudaFree(memory[i]);
    }
    for (int i = 1; i < s->n_streams; i++)
        if (s->flavour[i]) cudaStreamDestroy(stream[i]);
    for (int i = 0; i < NODES; i++) cudaStreamDestroy(capture[i]);
    for (int i = 0; i < s->n_events; i++) cudaEventDestroy(event[i]);
}

/* ---- what must be reported, and what is ---- */

typedef struct Found { bool race; int a, b; uint64_t elements; int buffers; } Found;      /* a < b: steps */
typedef struct Verdict { Found pair[4096]; int n; bool redundant[4 * MOST]; } Verdict;

static bool is_host(const Step *s) { return s->what == HOST || s->what == HOST_FUNCTION; }

static void expect(const Script *s, int left_out, World *w, Verdict *v)
{
    *w = World();
    v->n = 0;
    memset(v->redundant, 0, sizeof v->redundant);
    for (int i = 0; i < s->n; i++)
        if (i != left_out) happens(s, w, i);
    static Found open[4096];
    int n = 0;
    for (int b = 0; b < s->n; b++)
        for (int a = 0; a < b && n < 4096; a++) {
            if (a == left_out || b == left_out || has(&w->before[b], a) || !conflict(&s->step[a], &s->step[b])) continue;
            open[n] = {!is_host(&s->step[a]) && !is_host(&s->step[b]), a, b, 0, 0};
            for (int k = 0; k < BUFFERS; k++) {
                uint64_t in = conflict_in(&s->step[a], &s->step[b], k);
                if (in) open[n].elements = in, open[n].buffers++;
            }
            n++;
        }
    for (int i = 0; i < n; i++) {
        bool hidden = false;
        for (int k = 0; k < n && !hidden; k++) {
            const Found *p = &open[i], *q = &open[k];
            hidden = k != i && (p->a == q->a || has(&w->before[q->a], p->a)) && (q->b == p->b || has(&w->before[p->b], q->b));
        }
        if (!hidden) v->pair[v->n++] = open[i];
    }
    for (int i = 0; i < s->n; i++)
        v->redundant[i] = i != left_out && w->useless[i] && (s->step[i].what == WAIT || s->step[i].what == STREAM_SYNC ||
                                                            s->step[i].what == EVENT_SYNC || s->step[i].what == DEVICE_SYNC);
}

static long number_after(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

/* The step that an access of a report means; -1: none. */
static int step_of(const Script *s, const World *w, int left_out, const char *access)
{
    long op = number_after(access, "\"op\":"), line = number_after(access, "\"line\":"), submitted = s->n_device;
    for (int i = 0; i < s->n; i++) {
        if (i == left_out) continue;
        submitted += w->submitted[i];
        if (s->step[i].what == HOST ? !op && line == FIRST_TOUCH + s->step[i].host
            : s->step[i].what == HOST_FUNCTION ? op == submitted && line == FIRST_TOUCH + s->step[i].host
            : w->submitted[i] && op == submitted && line == 1000 + i)
            return i;
    }
    return -1;
}

static bool agrees(const Script *s, int left_out, const char *json, char *why, size_t size)
{
    static World w;
    static Verdict v;
    bool seen[4096] = {}, final_is_useless[2] = {};
    expect(s, left_out, &w, &v);
    for (int device = 0; device < s->devices; device++) {
        Set set = {};
        for (int i = 0; i < s->n_streams; i++)
            if (s->device[i] == device) join(&set, &w.stream[i]);
        final_is_useless[device] = !join(&w.host, &set);
    }
    if (!strstr(json, "\"hazards\":[")) {
        snprintf(why, size, "no report");
        return false;
    }
    for (const char *line = strstr(json, "\n{\"kind\":\""); line; line = strstr(line + 1, "\n{\"kind\":\"")) {
        const char *kind = line + strlen("\n{\"kind\":\""), *first = strstr(line, "\"accesses\":[");
        const char *second = strstr(first, "},{"), *memory = strstr(line, "],\"memory\":");
        if (!strncmp(kind, "redundant\"", 10)) {
            long at = number_after(first, "\"line\":");
            if ((at == 1 || at == 2) && final_is_useless[at - 1]) continue;
            if (at < 1000 || at >= 1000 + s->n || !v.redundant[at - 1000]) {
                snprintf(why, size, "step %ld is called redundant", at - 1000);
                return false;
            }
            v.redundant[at - 1000] = false;
            continue;
        }
        int a = step_of(s, &w, left_out, first), b = second && second < memory ? step_of(s, &w, left_out, second) : -1, i;
        if (a > b) i = a, a = b, b = i;
        bool race = !strncmp(kind, "race\"", 5), host = !strncmp(kind, "host-race\"", 10);
        for (i = 0; i < v.n; i++)
            if (v.pair[i].a == a && v.pair[i].b == b && !seen[i]) break;
        if (i == v.n || !(v.pair[i].race ? race : host)) {
            snprintf(why, size, "reported: steps %d and %d, %.400s", a, b, kind);
            return false;
        }
        long at = number_after(memory, "\"first\":");
        if (v.pair[i].buffers == 1 && at != 4 * __builtin_ctzll(v.pair[i].elements)) {
            snprintf(why, size, "steps %d and %d first meet at byte %d, not %ld", a, b, 4 * __builtin_ctzll(v.pair[i].elements), at);
            return false;
        }
        seen[i] = true;
    }
    for (int i = 0; i < v.n; i++)
        if (!seen[i]) {
            snprintf(why, size, "not reported: steps %d and %d", v.pair[i].a, v.pair[i].b);
            return false;
        }
    for (int i = 0; i < s->n; i++)
        if (v.redundant[i]) {
            snprintf(why, size, "not called redundant: step %d", i);
            return false;
        }
    return true;
}

static long schedule;                 /* THREELANE_SEED: what is ordered does not depend on it */

/* Runs it in a process of its own; what it reports. */
static char *reported(const Script *s, int left_out, bool aloud)
{
    static char json[1 << 20];
    char where[32];
    int fds[2], status = 0;
    size_t n = 0;
    fflush(NULL);
    if (pipe(fds)) exit(3);
    pid_t child = fork();
    if (child == 0) {
        close(fds[0]);
        int none = open("/dev/null", O_WRONLY);
        if (!aloud) dup2(none, 2);
        snprintf(where, sizeof where, "fd:%d", fds[1]);
        setenv("THREELANE_CHECK_JSON", where, 1);
        setenv("THREELANE_CHECK", "hazards", 1);
        if (schedule) snprintf(where, sizeof where, "%ld", schedule), setenv("THREELANE_SEED", where, 1);
        if (s->devices > 1) setenv("THREELANE_MODEL", "unit+devices=2", 1);
        run(s, left_out);
        exit(0);
    }
    close(fds[1]);
    for (ssize_t got; n < sizeof json - 1 && (got = read(fds[0], json + n, sizeof json - 1 - n)) > 0;) n += (size_t)got;
    json[n] = 0;
    close(fds[0]);
    if (child < 0 || waitpid(child, &status, 0) != child || status) snprintf(json, sizeof json, "ended with %d", status);
    return json;
}

static void print(const Script *s, int left_out)
{
    static const char *const words[] = {
        "H2D", "D2H", "D2D", "copy 2D", "set", "kernel", "host function", "cudaMemcpy H2D", "cudaMemcpy D2H",
        "cudaMemcpy D2D", "cudaMemset", "host", "record", "wait", "stream sync", "stream query", "event sync", "event query",
        "device sync"};
    static const char *const flavours[] = {"default", "blocking", "non-blocking"};
    for (int i = 1; i < s->n_streams; i++) printf("  stream %d of GPU %d: %s\n", i, s->device[i], flavours[s->flavour[i]]);
    for (int i = 0; i < s->n; i++) {
        const Step *step = &s->step[i];
        printf("  %s%3d %s", i == left_out ? "LEFT OUT " : "", i, words[step->what]);
        if (step->nodes) printf(" (node %d of %d, after %x)", step->node, step->nodes, step->after);
        if (step->what != HOST && step->what != EVENT_SYNC && step->what != EVENT_QUERY && step->what != DEVICE_SYNC)
            printf(" in %d", step->stream);
        if (step->what > HOST && step->what != DEVICE_SYNC && step->what != STREAM_SYNC && step->what != STREAM_QUERY)
            printf(" event %d", step->event);
        for (int k = 0; k < 2 && step->what <= HOST; k++)
            if (step->use[k].buffer >= 0)
                printf("  %d: r %016llx w %016llx", step->use[k].buffer, (unsigned long long)step->use[k].read,
                       (unsigned long long)step->use[k].write);
        printf("\n");
    }
}

int main()
{
    static Script s;
    static World w;
    static Verdict v;
    const char *seeds = getenv("SEEDS"), *from = getenv("FIRST");
    long n = seeds && *seeds ? atol(seeds) : 600, first = from ? atol(from) : 1, races = 0, failed = 0;
    for (long seed = first; seed < first + n && failed < 5; seed++) {
        char why[600];
        make(&s, (uint64_t)seed);
        schedule = seed % 3 ? 0 : seed;
        int removable[4 * MOST], many = 0, left_out = -1;
        for (int i = 0; i < s.n; i++)
            if (s.step[i].what > HOST) removable[many++] = i;
        /* complete, and then without one; if it can be, one that matters */
        for (int turn = 0; turn < 2; turn++) {
            if (turn == 1) {
                for (int tries = 0; many && tries < 4; tries++) {
                    left_out = removable[below(many)];
                    expect(&s, left_out, &w, &v);
                    if (v.n) break;
                }
                if (!many) break;
                races += v.n > 0;
            } else {
                expect(&s, -1, &w, &v);
                if (v.n) printf("seed %ld: the generator's own program is not correct\n", seed), failed++;
            }
            if (agrees(&s, left_out, reported(&s, left_out, false), why, sizeof why)) continue;
            printf("seed %ld: %s\n", seed, why);
            print(&s, left_out);
            failed++;
            break;
        }
    }
    if (!failed) printf("%ld programs as expected, %ld of them with an order less, on which %ld race\n", 2 * n, n, races);

    return failed != 0;
}
