/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/census.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "engine/address.h"
#include "engine/condition.h"
#include "engine/peer.h"
#include "engine/reach.h"
#include "engine/settings.h"

/* How long the others may still answer after one has said that it is the primary: perhaps it was, and another is. */
#define SECOND_CLAIM_NS (200 * CLOCK_NS_PER_MS)
/* While a silent one is waited for, another may have been elected: those who have answered are asked again. */
#define AGAIN_NS (250 * CLOCK_NS_PER_MS)

struct survey;

/* One server that is asked. */
struct inquiry {
    struct survey *survey;
    char *host;
    mongoc_uri_t *uri;
    bool is_answered; /* under the survey's lock; from then on the rest is there */
    int64_t answered_ns;
    struct member member;
};

/* Shared by who takes the census and the threads that ask: the last of them frees it. */
struct survey {
    const struct census_plan *plan; /* not for the threads */
    struct inquiry **inquiries;     /* likewise */
    size_t count;
    bool is_patient;
    struct condition changed; /* one more answer */
    unsigned answers;         /* so far, under its lock */
    atomic_int owners;
    atomic_bool is_over; /* who still asks is to stop */
};

bool census_list_has(const char *list, const char *name)
{
    bool found = false;
    char *item;
    while (!found && list && (item = census_list_next(&list))) {
        found = strcasecmp(item, name) == 0;
        free(item);
    }
    return found;
}

char *census_list_next(const char **list)
{
    *list += strspn(*list, ",");
    size_t size = strcspn(*list, ",");
    char *name = size > 0 ? memory_printf("%.*s", (int)size, *list) : NULL;
    *list += size;
    return name;
}

static void drop(struct survey *survey)
{
    if (atomic_fetch_sub(&survey->owners, 1) > 1)
        return;
    for (size_t i = 0; i < survey->count; i++) {
        struct inquiry *inquiry = survey->inquiries[i];
        member_release(&inquiry->member);
        if (inquiry->uri)
            mongoc_uri_destroy(inquiry->uri);
        free(inquiry->host);
        free(inquiry);
    }
    condition_release(&survey->changed);
    free(survey->inquiries);
    free(survey);
}

/* "HOST: CAUSE"; the caller frees. */
static char *describe_cause(const char *host, const char *reason, bool with_tls)
{
    char *cause = reach_explain(reason, with_tls);
    if (strncmp(cause, host, strcspn(host, ":")) == 0)
        return cause;
    char *longer = memory_printf("%s: %s", host, cause);
    free(cause);
    return longer;
}

static void greet(const struct inquiry *inquiry, struct member *member)
{
    struct wait_terms terms = {.is_patient = inquiry->survey->is_patient, .cut = &inquiry->survey->is_over};
    struct error err = {0};
    bson_error_t reason = {0};
    struct peer *peer = peer_new(inquiry->uri, &terms, &err);
    mongoc_server_description_t *server = peer ? peer_greet(peer, &reason) : NULL;
    member_init(member, inquiry->host, server ? mongoc_server_description_hello_response(server) : NULL);
    if (server)
        mongoc_server_description_destroy(server);
    else
        member->cause =
            describe_cause(inquiry->host, err.is_set ? err.message : reason.message, mongoc_uri_get_tls(inquiry->uri));
    peer_free(peer);
}

static void ask(void *context)
{
    struct inquiry *inquiry = context;
    struct survey *survey = inquiry->survey;
    struct member member;
    greet(inquiry, &member);
    pthread_mutex_lock(&survey->changed.lock);
    inquiry->member = member;
    inquiry->is_answered = true;
    inquiry->answered_ns = clock_mono_ns();
    survey->answers++;
    pthread_cond_broadcast(&survey->changed.changed);
    pthread_mutex_unlock(&survey->changed.lock);
    drop(survey);
}

/* One server, whatever set it is in. */
static mongoc_uri_t *make_uri(const struct census_plan *plan, const char *host, struct error *err)
{
    char *address = address_for_hosts(plan->address, host, true);
    mongoc_uri_t *uri = settings_make_uri(address, plan->options, plan->app_name, err);
    memory_erase(address);
    if (uri && mongoc_uri_get_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, 0) > CENSUS_ASK_MS)
        mongoc_uri_set_option_as_int32(uri, MONGOC_URI_CONNECTTIMEOUTMS, CENSUS_ASK_MS);
    return uri;
}

static bool is_asked(const struct survey *survey, const char *host)
{
    for (size_t i = 0; i < survey->count; i++)
        if (strcasecmp(survey->inquiries[i]->host, host) == 0)
            return true;
    return false;
}

/* Where no thread can be started, it is asked by this one. */
static void send_out(struct inquiry *inquiry)
{
    atomic_fetch_add(&inquiry->survey->owners, 1);
    if (!crew_start(inquiry->survey->plan->crew, ask, inquiry))
        ask(inquiry);
}

static void begin_asking(struct survey *survey, char *host)
{
    struct error err = {0};
    struct inquiry *inquiry = memory_zeroed(1, sizeof *inquiry);
    *inquiry = (struct inquiry){.survey = survey, .host = host, .uri = make_uri(survey->plan, host, &err)};
    survey->inquiries = memory_resize(survey->inquiries, survey->count + 1, sizeof *survey->inquiries);
    survey->inquiries[survey->count++] = inquiry;
    if (!inquiry->uri) {
        member_init(&inquiry->member, host, NULL);
        inquiry->member.cause = memory_printf("%s: %s", host, err.message);
        inquiry->is_answered = true;
        return;
    }
    send_out(inquiry);
}

static void ask_all(struct survey *survey, const char *hosts)
{
    char *host;
    while ((host = census_list_next(&hosts))) {
        if (is_asked(survey, host))
            free(host);
        else
            begin_asking(survey, host);
    }
}

static bool is_answered(struct survey *survey, const struct inquiry *inquiry)
{
    pthread_mutex_lock(&survey->changed.lock);
    bool is_answered = inquiry->is_answered;
    pthread_mutex_unlock(&survey->changed.lock);
    return is_answered;
}

struct hearing {
    size_t open; /* not answered yet */
    bool has_primary;
};

/* Goes on to those who are named: they follow those who name them. */
static struct hearing hear(struct survey *survey)
{
    struct hearing hearing = {0};
    for (size_t i = 0; i < survey->count; i++) {
        const struct inquiry *inquiry = survey->inquiries[i];
        if (!is_answered(survey, inquiry)) {
            hearing.open++;
            continue;
        }
        const struct member *member = &inquiry->member;
        hearing.has_primary = hearing.has_primary || member->state == MEMBER_PRIMARY;
        if (survey->plan->asks_named && member->hosts)
            ask_all(survey, member->hosts);
        if (survey->plan->asks_named && member->primary)
            ask_all(survey, member->primary);
    }
    return hearing;
}

static unsigned count_answers(struct survey *survey)
{
    pthread_mutex_lock(&survey->changed.lock);
    unsigned answers = survey->answers;
    pthread_mutex_unlock(&survey->changed.lock);
    return answers;
}

/* For one more than those, a slice at most. */
static void wait_for_answer(struct survey *survey, unsigned answers, int64_t until_ns)
{
    int64_t slice_ns = clock_mono_ns() + WAIT_SLICE_MS * CLOCK_NS_PER_MS;
    pthread_mutex_lock(&survey->changed.lock);
    if (survey->answers == answers)
        condition_wait(&survey->changed, until_ns < slice_ns ? until_ns : slice_ns);
    pthread_mutex_unlock(&survey->changed.lock);
}

static void ask_again(struct survey *survey, int64_t now_ns)
{
    for (size_t i = 0; i < survey->count; i++) {
        struct inquiry *inquiry = survey->inquiries[i];
        if (!inquiry->uri || !is_answered(survey, inquiry) || now_ns - inquiry->answered_ns < AGAIN_NS)
            continue;
        member_release(&inquiry->member);
        inquiry->is_answered = false;
        send_out(inquiry);
    }
}

static void hear_all(struct survey *survey)
{
    bool is_hurried = survey->plan->is_hurried, had_primary = false;
    int64_t until_ns = clock_mono_ns() + (is_hurried ? CENSUS_HURRY_MS : CENSUS_LONGEST_MS) * CLOCK_NS_PER_MS;
    for (;;) {
        unsigned answers = count_answers(survey);
        struct hearing hearing = hear(survey);
        int64_t now_ns = clock_mono_ns();
        if (hearing.open == 0 || now_ns >= until_ns || (!survey->is_patient && interrupt_signal()))
            return;
        if (is_hurried && hearing.has_primary && !had_primary && now_ns + SECOND_CLAIM_NS < until_ns)
            until_ns = now_ns + SECOND_CLAIM_NS;
        had_primary = hearing.has_primary;
        /* Not so late that there is no time left to answer. */
        if (is_hurried && !hearing.has_primary && now_ns + 2 * AGAIN_NS < until_ns)
            ask_again(survey, now_ns);
        wait_for_answer(survey, answers, until_ns);
    }
}

/* Whoever has not answered cannot be reached. */
static void collect(struct survey *survey, struct census *census)
{
    *census = (struct census){memory_zeroed(survey->count, sizeof *census->members), survey->count};
    pthread_mutex_lock(&survey->changed.lock);
    for (size_t i = 0; i < survey->count; i++) {
        struct inquiry *inquiry = survey->inquiries[i];
        if (inquiry->is_answered) {
            census->members[i] = inquiry->member;
            inquiry->member = (struct member){0};
            continue;
        }
        member_init(&census->members[i], inquiry->host, NULL);
        census->members[i].cause = memory_printf("%s: it does not answer", inquiry->host);
    }
    pthread_mutex_unlock(&survey->changed.lock);
}

void census_take(struct census *census, const struct census_plan *plan)
{
    struct survey *survey = memory_zeroed(1, sizeof *survey);
    survey->plan = plan;
    survey->is_patient = plan->is_hurried;
    condition_init(&survey->changed);
    atomic_init(&survey->owners, 1);
    atomic_init(&survey->is_over, false);
    ask_all(survey, plan->hosts);
    hear_all(survey);
    atomic_store(&survey->is_over, true);
    collect(survey, census);
    drop(survey);
}

void census_release(struct census *census)
{
    for (size_t i = 0; i < census->count; i++)
        member_release(&census->members[i]);
    free(census->members);
    *census = (struct census){0};
}
