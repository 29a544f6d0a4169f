/* SPDX-License-Identifier: Apache-2.0 */
/* The floor with one blocking thread a connection. */
#include "floor.h"

#include <pthread.h>

struct floor_thread {
    pthread_t thread;
    const struct floor_options *options;
    pthread_barrier_t *gate;
    int fd;
    uint64_t operations;
    int64_t cpu_ns;
};

static void *run(void *context)
{
    struct floor_thread *self = context;
    pthread_barrier_wait(self->gate);
    int64_t end_ns = floor_clock(CLOCK_MONOTONIC) + self->options->time_ns;
    int64_t cpu_ns = floor_clock(CLOCK_THREAD_CPUTIME_ID);
    while (floor_clock(CLOCK_MONOTONIC) < end_ns) {
        floor_send(self->options, self->fd, 0);
        floor_receive(self->fd, 0);
        self->operations++;
    }
    self->cpu_ns = floor_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
    return NULL;
}

int main(int argc, char **argv)
{
    static struct floor_options options;
    floor_parse(&options, argc, argv);
    struct floor_thread *threads = calloc(options.sessions, sizeof *threads);
    pthread_barrier_t gate;
    pthread_barrier_init(&gate, NULL, options.sessions);
    for (unsigned i = 0; i < options.sessions; i++) {
        threads[i].options = &options;
        threads[i].gate = &gate;
        threads[i].fd = floor_connect(options.port);
        if (pthread_create(&threads[i].thread, NULL, run, &threads[i]) != 0)
            floor_die("pthread_create");
    }
    uint64_t operations = 0;
    int64_t cpu_ns = 0;
    for (unsigned i = 0; i < options.sessions; i++) {
        pthread_join(threads[i].thread, NULL);
        operations += threads[i].operations;
        cpu_ns += threads[i].cpu_ns;
    }
    floor_print(operations, cpu_ns);
    free(threads);
    return 0;
}
