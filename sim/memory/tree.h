/* tree.h - an intrusive ordered tree (treap) keyed by two integers. Deterministic: the shape
 * depends only on the order of insertions. Private to memory.c.
 */
#ifndef THREELANE_TREE_H
#define THREELANE_TREE_H
#include <stddef.h>
#include <stdint.h>

typedef struct TreeNode {
    struct TreeNode *left, *right;
    uint64_t key, key2;
    uint32_t priority;
} TreeNode;

static inline int tree_less(uint64_t a, uint64_t a2, const TreeNode *node)
{
    return a != node->key ? a < node->key : a2 < node->key2;
}

static inline void tree_split(TreeNode *root, uint64_t key, uint64_t key2, TreeNode **below,
                              TreeNode **rest)
{
    while (root) {
        if (tree_less(key, key2, root) || (key == root->key && key2 == root->key2)) {
            *rest = root;
            rest = &root->left;
            root = root->left;
        } else {
            *below = root;
            below = &root->right;
            root = root->right;
        }
    }
    *below = *rest = NULL;
}

/* The node's keys must not be in the tree yet. */
static inline void tree_insert(TreeNode **root, TreeNode *node, uint64_t key, uint64_t key2)
{
    static uint32_t random = 2463534242u;
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    node->key = key;
    node->key2 = key2;
    node->priority = random;
    while (*root && (*root)->priority >= node->priority)
        root = tree_less(key, key2, *root) ? &(*root)->left : &(*root)->right;
    TreeNode *whole = *root;
    *root = node;
    tree_split(whole, key, key2, &node->left, &node->right);
}

/* The node must be in the tree. */
static inline void tree_remove(TreeNode **root, TreeNode *node)
{
    while (*root != node)
        root = tree_less(node->key, node->key2, *root) ? &(*root)->left : &(*root)->right;
    TreeNode *a = node->left, *b = node->right;
    while (a && b) {
        if (a->priority >= b->priority) {
            *root = a;
            root = &a->right;
            a = a->right;
        } else {
            *root = b;
            root = &b->left;
            b = b->left;
        }
    }
    *root = a ? a : b;
}

/* The last node at or before the keys, and the first at or after them. */
static inline TreeNode *tree_at_or_before(TreeNode *root, uint64_t key, uint64_t key2)
{
    TreeNode *found = NULL;
    while (root) {
        if (tree_less(key, key2, root)) root = root->left;
        else {
            found = root;
            root = root->right;
        }
    }
    return found;
}
static inline TreeNode *tree_at_or_after(TreeNode *root, uint64_t key, uint64_t key2)
{
    TreeNode *found = NULL;
    while (root) {
        if (root->key != key ? root->key > key : root->key2 >= key2) {
            found = root;
            root = root->left;
        } else root = root->right;
    }
    return found;
}
#endif
