/*
 * Threads that take one piece of work after the other. The thread of the
 * program waits for them and tells the person on the terminal how far they
 * are; it is the only one that writes.
 */
#define _POSIX_C_SOURCE 200809L
#include "jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MOST_JOBS 256
#define STACK_BYTES ((size_t)8 << 20) /* that of a first thread on Linux */
#define TICK_NS 50000000L

struct thread_set {
    void (*run)(void *context);
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    size_t n_at_work;
};

struct queue {
    void (*work)(void *context, size_t i);
    void *context;
    const char *what;
    size_t n;
    atomic_size_t next, n_done;
};

int cli_jobs_read(
    size_t *out, const struct cli_arguments *args, size_t fallback)
{
    long n;
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    int status = cli_whole(&n, args, OPTION_JOBS, 1, MOST_JOBS,
        fallback > 0         ? (long)fallback
        : online < 1         ? 1
        : online > MOST_JOBS ? MOST_JOBS
                             : online);
    *out = (size_t)n;
    return status;
}

static void *thread_main(void *context)
{
    struct thread_set *set = context;

    set->run(set->context);
    pthread_mutex_lock(&set->lock);
    set->n_at_work--;
    pthread_cond_signal(&set->ended);
    pthread_mutex_unlock(&set->lock);
    return NULL;
}

/* How many of n threads could be started. */
static size_t start(pthread_t *threads, size_t n, struct thread_set *set)
{
    pthread_attr_t attributes;
    size_t n_started = 0;

    if (pthread_attr_init(&attributes) != 0)
        return 0;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    set->n_at_work = n;
    while (n_started < n && pthread_create(&threads[n_started], &attributes,
                                thread_main, set) == 0)
        n_started++;
    pthread_attr_destroy(&attributes);
    pthread_mutex_lock(&set->lock);
    set->n_at_work -= n - n_started;
    pthread_mutex_unlock(&set->lock);
    return n_started;
}

/* Until all have ended. */
static void await(struct thread_set *set, void (*tick)(void *context))
{
    pthread_mutex_lock(&set->lock);
    while (set->n_at_work > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += TICK_NS;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&set->ended, &set->lock, &until);
        if (tick != NULL)
            tick(set->context);
    }
    pthread_mutex_unlock(&set->lock);
}

int cli_threads_run(size_t n, void (*run)(void *context), void *context,
    void (*tick)(void *context))
{
    struct thread_set set = {.run = run,
        .context = context,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .ended = PTHREAD_COND_INITIALIZER};
    pthread_t *threads = n > 1 ? calloc(n, sizeof *threads) : NULL;
    size_t n_started = threads != NULL ? start(threads, n, &set) : 0;

    if (n_started == 0)
        run(context);
    else
        await(&set, tick);
    for (size_t i = 0; i < n_started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return cli_interrupted() ? CLI_INTERRUPTED : CLI_YES;
}

static void show(void *context)
{
    struct queue *queue = context;

    cli_progress_of(queue->what, atomic_load(&queue->n_done), queue->n);
    cli_progress_tick(cli_now_us());
}

static void work_off(void *context)
{
    struct queue *queue = context;
    size_t i;

    while (!cli_interrupted() &&
           (i = atomic_fetch_add(&queue->next, 1)) < queue->n) {
        queue->work(queue->context, i);
        atomic_fetch_add(&queue->n_done, 1);
    }
}

/* The same work in one thread, which then also shows how far it is. */
static void work_alone(void *context)
{
    struct queue *queue = context;

    for (size_t i = 0; i < queue->n && !cli_interrupted(); i++) {
        show(queue);
        queue->work(queue->context, i);
        atomic_fetch_add(&queue->n_done, 1);
    }
}

int cli_jobs_run(size_t n_jobs, size_t n, void (*work)(void *context, size_t i),
    void *context, const char *what)
{
    struct queue queue = {
        .work = work, .context = context, .what = what, .n = n};
    size_t n_threads = n_jobs < n ? n_jobs : n;

    int status = cli_threads_run(
        n_threads, n_threads > 1 ? work_off : work_alone, &queue, show);
    cli_progress_clear();
    return status;
}
