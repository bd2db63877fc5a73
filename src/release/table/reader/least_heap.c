/* The k least records. */
#include "least_heap.h"

#include <string.h>

void least_push(int64_t *records, size_t n, const int64_t *record,
    const struct least_order *order)
{
    size_t width = order->width, bytes = width * sizeof *record, i = n;
    while (i > 0) {
        size_t parent = (i - 1) / 2;
        const int64_t *above = records + parent * width;
        if (order->compare(order->context, above, record) >= 0)
            break;
        memcpy(records + i * width, above, bytes);
        i = parent;
    }
    memcpy(records + i * width, record, bytes);
}

void least_replace(int64_t *records, size_t n, const int64_t *record,
    const struct least_order *order)
{
    size_t width = order->width, bytes = width * sizeof *record, i = 0;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        const int64_t *below = records + child * width;
        if (child + 1 < n &&
            order->compare(order->context, below, below + width) < 0)
            below += width;
        if (order->compare(order->context, record, below) >= 0)
            break;
        memcpy(records + i * width, below, bytes);
        i = (size_t)(below - records) / width;
    }
    memcpy(records + i * width, record, bytes);
}
