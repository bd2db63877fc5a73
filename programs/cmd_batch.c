/*
 * dosimeter batch: one JSON question per line, one JSON answer per line. Each
 * answer is flushed as soon as those before it are, so that another program may
 * wait for it. The exit status is the largest one that a line would have had as
 * a command.
 */
#define _POSIX_C_SOURCE 200809L
#include "jobs.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/json.h"

/* What the threads share. A thread reads a line, answers it, and waits for
 * its turn to write. */
struct batch {
    pthread_mutex_t reading, writing;
    pthread_cond_t turned;
    size_t n_read;    /* under reading */
    bool at_end;      /* under reading */
    int read_error;   /* errno, under reading */
    size_t n_written; /* and what follows: under writing */
    int status;       /* of reading and writing */
    int worst;        /* of the lines */
};

static bool is_blank(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr(" \t\r\n", line[i]) == NULL || line[i] == '\0')
            return false;
    return true;
}

/* The next line that is not blank and its rank; false at the end. */
static bool take_line(struct batch *b, char **line, size_t *capacity,
    size_t *n_bytes, size_t *rank)
{
    ssize_t n = -1;

    pthread_mutex_lock(&b->reading);
    while (!b->at_end) {
        errno = 0;
        n = getline(line, capacity, stdin);
        if (n < 0) {
            b->at_end = true;
            b->read_error = feof(stdin) ? 0 : errno;
        } else if (!is_blank(*line, (size_t)n)) {
            break;
        }
    }
    bool taken = !b->at_end;
    *n_bytes = taken ? (size_t)n : 0;
    *rank = taken ? b->n_read++ : 0;
    pthread_mutex_unlock(&b->reading);
    return taken;
}

/* No further line is read. */
static void end_reading(struct batch *b)
{
    pthread_mutex_lock(&b->reading);
    b->at_end = true;
    pthread_mutex_unlock(&b->reading);
}

/* Writes the answer when those of all lines before have been; NULL stands
 * for one that there was no memory for. False when no more can be written. */
static bool write_in_turn(
    struct batch *b, size_t rank, const char *answer, int exit_status)
{
    pthread_mutex_lock(&b->writing);
    while (b->n_written != rank)
        pthread_cond_wait(&b->turned, &b->writing);
    if (b->status == CLI_YES && answer == NULL)
        b->status = cli_no_memory();
    if (b->status == CLI_YES) {
        puts(answer);
        b->status = cli_flush();
        b->worst = exit_status > b->worst ? exit_status : b->worst;
    }
    bool good = b->status == CLI_YES;
    b->n_written++;
    pthread_cond_broadcast(&b->turned);
    pthread_mutex_unlock(&b->writing);
    return good;
}

static void answer_lines(void *context)
{
    struct batch *b = context;
    char *line = NULL;
    size_t capacity = 0, n, rank;
    bool goes_on = true;

    while (goes_on && take_line(b, &line, &capacity, &n, &rank)) {
        char *answer = NULL;
        dosi_error err;
        if (dosi_json_answer(&answer, line, n, cli_now_us, &err) != DOSI_OK)
            err.status = DOSI_ENOMEM;
        goes_on = write_in_turn(b, rank, answer, cli_exit_of(err.status));
        dosi_json_free(answer);
    }
    if (!goes_on)
        end_reading(b);
    free(line);
}

int cli_batch(const struct cli_arguments *args)
{
    struct batch b = {.reading = PTHREAD_MUTEX_INITIALIZER,
        .writing = PTHREAD_MUTEX_INITIALIZER,
        .turned = PTHREAD_COND_INITIALIZER,
        .status = CLI_YES,
        .worst = CLI_YES};
    size_t n_jobs;

    int status = cli_jobs_read(&n_jobs, args, 1);
    if (status != CLI_YES)
        return status;
    status = cli_threads_run(n_jobs, answer_lines, &b, NULL);
    if (status == CLI_YES)
        status = b.status;
    if (status == CLI_YES && b.read_error != 0) {
        cli_say("cannot read standard input: %s", strerror(b.read_error));
        status = CLI_SYSTEM;
    }
    return status != CLI_YES ? status : b.worst;
}
