// A user object lives as long as somebody holds it: its maker, graphs, what was instantiated of them; its destructor
// runs once, when the last has let go. Nobody lets go more than they hold.
// run: THREELANE_MODEL=unit
// out: destroyed once, by the last
#include <cstdio>

static int destroyed, wrong;

static void destroy(void *what) { destroyed += *(int *)what; }

static void is(const char *what, cudaError_t got, cudaError_t wanted)
{
    if (got != wanted) printf("%s: %s, not %s\n", what, cudaGetErrorName(got), cudaGetErrorName(wanted)), wrong++;
}

static void lives(const char *what, bool still)
{
    if (still != (destroyed == 0)) printf("%s: destroyed %d\n", what, destroyed), wrong++;
}

int main()
{
    int one = 1;
    cudaUserObject_t object;
    cudaGraph_t graph, other;
    is("create", cudaUserObjectCreate(&object, &one, destroy, 2, cudaUserObjectNoDestructorSync), cudaSuccess);
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&other, 0);
    is("retain", cudaGraphRetainUserObject(graph, object, 3, 0), cudaSuccess);
    is("retain none", cudaGraphRetainUserObject(graph, object, 0, 0), cudaErrorInvalidValue);
    is("another graph's", cudaGraphReleaseUserObject(other, object, 1), cudaErrorInvalidValue);
    is("more than it has", cudaGraphReleaseUserObject(graph, object, 4), cudaErrorInvalidValue);
    is("none", cudaGraphReleaseUserObject(graph, object, 0), cudaErrorInvalidValue);
    is("release", cudaGraphReleaseUserObject(graph, object, 2), cudaSuccess);
    is("one is left", cudaGraphReleaseUserObject(graph, object, 2), cudaErrorInvalidValue);
    is("moved", cudaGraphRetainUserObject(other, object, 1, cudaGraphUserObjectMove), cudaSuccess);
    is("the maker's", cudaUserObjectRelease(object, 1), cudaSuccess);
    lives("two graphs have it", true);
    cudaGraphDestroy(other);
    lives("one graph has it", true);
    is("the last", cudaGraphReleaseUserObject(graph, object, 1), cudaSuccess);
    lives("nobody has it", false);
    cudaGraphDestroy(graph);
    if (destroyed != 1) printf("destroyed %d times\n", destroyed), wrong++;
    if (!wrong) puts("destroyed once, by the last");
    return wrong > 0;
}
