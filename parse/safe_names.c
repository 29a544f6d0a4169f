/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/safe_names.h"

#include <ctype.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/memory.h"

#define LENGTH_MAX 100

static const char *const reserved[] = {"index", "missing", "overview", "plots", "report", "tidy"};

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* One '_' for a character of several bytes. */
static bool continues(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Devices of Windows, whatever extension they have, and in any case: no file can be called so there. */
static bool is_device(const char *name)
{
    static const struct {
        const char *name;
        bool has_number; /* COM1 */
    } devices[] = {{"con", false}, {"prn", false}, {"aux", false}, {"nul", false}, {"com", true}, {"lpt", true}};
    size_t length = strcspn(name, ".");
    bool has_number = length == 4 && isdigit((unsigned char)name[3]);
    if (length != 3 && !has_number)
        return false;
    for (size_t i = 0; i < COUNT_OF(devices); i++)
        if (devices[i].has_number == has_number && strncasecmp(name, devices[i].name, 3) == 0)
            return true;
    return false;
}

static char *plain_name(const char *text)
{
    char name[LENGTH_MAX + 1] = "";
    size_t length = 0;
    for (const char *c = text; *c && length < LENGTH_MAX; c++) {
        if (continues(*c))
            continue;
        if (length == 0 && !is_plain(*c))
            name[length++] = 'x';
        name[length++] = is_plain(*c) || strchr("._-", *c) ? *c : '_';
    }
    name[length] = '\0';
    return is_device(name) ? memory_printf("x_%s", name) : memory_strdup(length ? name : "x");
}

static int by_letters(const void *a, const void *b)
{
    return strcasecmp(a, b);
}

/* Whether it was new; the tree lends `name`. */
static bool add(void **tree, const char *name)
{
    if (tfind(name, tree, by_letters))
        return false;
    if (!tsearch(name, tree, by_letters))
        abort();
    return true;
}

static char *unique_name(void **tree, const char *text)
{
    char *plain = plain_name(text), *name = memory_strdup(plain);
    for (unsigned number = 2; !add(tree, name); number++) {
        free(name);
        name = memory_printf("%s-%u", plain, number);
    }
    free(plain);
    return name;
}

static void lend_nothing(void *name)
{
    (void)name;
}

char **safe_names_make(const struct pairing *pairing)
{
    void *tree = NULL;
    char **names = memory_zeroed(pairing->count + 1, sizeof *names);
    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        add(&tree, reserved[i]);
    for (size_t i = 0; i < pairing->count; i++)
        names[i] = unique_name(&tree, pairing_any(pairing, &pairing->rows[i])->name);
    tdestroy(tree, lend_nothing);
    return names;
}

void safe_names_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}
