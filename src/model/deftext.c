/* SPDX-License-Identifier: Apache-2.0 */
#include "model/deftext.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "model/real.h"

/* One text in the making. */
struct writer {
    struct defexpand *expand;
    struct deftext_numbers *numbers;
    struct buffer out;
};

/* 0 is a, 25 z, 26 aa. The caller frees. */
static char *write_letters(uint64_t number)
{
    char digits[16];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('a' + number % 26);
        number /= 26;
    } while (number-- > 0);
    return memory_strdup(digits + at);
}

/* The parameters that this value sees, for the nearest name. */
static const char *nearest_parameter(const struct defparams *params, const char *name)
{
    const char *best = NULL;
    for (size_t i = 0; i < params->count; i++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)(uintptr_t)params->rows[i], key, value) {
            const char *near = nearest_find(name, &key, 1);
            best = best ? best : near;
        }
    }
    return best;
}

static bool find_parameter(struct defexpand *expand, const char *name, const struct defref *at, struct defref *value)
{
    const struct defparams *params = at->params;
    for (size_t i = 0; i < params->count; i++) {
        struct defref row = {params->rows[i], NULL, NULL, 0, params};
        *value = defref_member(&row, name);
        if (value->value) {
            /* The iterator's key lives as long as the file; `name` does not. */
            value->key = json_object_iter_key(json_object_iter_at((json_t *)(uintptr_t)params->rows[i], name));
            return defexpand_spend(expand, at, DEFEXPAND_PARAMETER_BYTES, 1);
        }
    }
    const char *nearest = nearest_parameter(params, name);
    if (params->in_def)
        defsource_error(expand->source, at, "${%s}: a def sees no parameters", name);
    else if (nearest)
        defsource_error(expand->source, at, "no parameter is called \"%s\": did you mean \"%s\"?", name, nearest);
    else
        defsource_error(expand->source, at, "no parameter is called \"%s\"; parameters are made by \"each\"", name);
    return false;
}

bool deftext_parameter(struct defexpand *expand, const char *text, const struct defref *at, struct defref *value)
{
    *value = (struct defref){0};
    size_t length = strlen(text);
    if (expand->source->is_literal || strncmp(text, "${", 2) != 0 || strchr(text, '}') != text + length - 1)
        return true;
    char *name = memory_printf("%.*s", (int)(length - 3), text + 2);
    bool ok = find_parameter(expand, name, at, value);
    free(name);
    return ok;
}

static bool write_text(struct writer *writer, const char *text, const struct defref *at);

static bool write_value(struct writer *writer, const struct defref *ref)
{
    const json_t *value = ref->value;
    if (json_is_string(value))
        return write_text(writer, json_string_value(value), ref);
    if (json_is_integer(value)) {
        buffer_append_printf(&writer->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        char text[REAL_SIZE];
        real_format(json_real_value(value), text);
        buffer_append_printf(&writer->out, "%s", text);
    } else if (json_is_boolean(value)) {
        buffer_append_printf(&writer->out, "%s", json_is_true(value) ? "true" : "false");
    } else {
        defsource_error(writer->expand->source, ref,
                        "a parameter inside a longer text is a string, a number, true or false");
        return false;
    }
    return true;
}

/* `text` begins with "${"; *length is what the parameter takes up in it. */
static bool write_parameter(struct writer *writer, const char *text, const struct defref *at, size_t *length)
{
    const char *end = strchr(text, '}');
    if (!end) {
        defsource_error(writer->expand->source, at, "\"${\" without \"}\"");
        return false;
    }
    *length = (size_t)(end - text) + 1;
    char *name = memory_printf("%.*s", (int)(*length - 3), text + 2);
    struct defref value;
    struct defexpand *expand = writer->expand;
    bool ok = find_parameter(expand, name, at, &value) && defexpand_resolve(expand, &value);
    if (++expand->depth > DEFEXPAND_DEPTH_MAX) {
        defsource_error(expand->source, at, "parameters refer to each other in a circle");
        ok = false;
    }
    ok = ok && write_value(writer, &value);
    expand->depth--;
    free(name);
    return ok;
}

/* "{+k}" and "{+k%m}"; 0 when the text is neither. */
static size_t read_sum(const char *rest, uint64_t number, uint64_t *sum)
{
    uint64_t add, mod = 0;
    int length = 0;
    char text[32]; /* sscanf() looks for the end of its input: give it a near one */
    snprintf(text, sizeof text, "%.31s", rest);
    if (!isdigit((unsigned char)text[2]))
        return 0;
    if (sscanf(text, "{+%9" SCNu64 "}%n", &add, &length) == 1 && length) {
        *sum = number + add;
        return (size_t)length;
    }
    if (sscanf(text, "{+%9" SCNu64 "%%%9" SCNu64 "}%n", &add, &mod, &length) == 2 && length && mod) {
        *sum = (number + add) % mod;
        return (size_t)length;
    }
    return 0;
}

/* What of `text`, which begins with "{", is a placeholder; 0: nothing. */
static size_t write_placeholder(struct writer *writer, const char *text)
{
    struct deftext_numbers *numbers = writer->numbers;
    if (numbers->knows_doc && strncmp(text, "{doc}", 5) == 0)
        numbers->has_doc = true;
    if (!numbers->number)
        return 0;
    uint64_t number = *numbers->number, sum = number;
    if (strncmp(text, "{letters}", 9) == 0) {
        char *letters = write_letters(number);
        buffer_append(&writer->out, letters, strlen(letters));
        free(letters);
        return 9;
    }
    size_t length = strncmp(text, "{}", 2) == 0 ? 2 : strncmp(text, "{+", 2) == 0 ? read_sum(text, number, &sum) : 0;
    if (length)
        buffer_append_printf(&writer->out, "%" PRIu64, sum);
    return length;
}

static bool write_text(struct writer *writer, const char *text, const struct defref *at)
{
    while (*text) {
        size_t plain = strcspn(text, "${"), length = 0;
        if (!defexpand_spend(writer->expand, at, plain, 1))
            return false;
        buffer_append(&writer->out, text, plain);
        text += plain;
        if (strncmp(text, "${", 2) == 0) {
            if (!write_parameter(writer, text, at, &length))
                return false;
        } else if (*text == '{') {
            length = write_placeholder(writer, text);
        }
        if (!length && *text) {
            buffer_append(&writer->out, text, 1);
            length = 1;
        }
        text += length;
    }
    return true;
}

char *deftext_expand(struct defexpand *expand, const char *text, const struct defref *at,
                     struct deftext_numbers *numbers)
{
    struct writer writer = {expand, numbers, {0}};
    char *result = NULL;
    if (expand->source->is_literal || !strpbrk(text, "${"))
        result = defexpand_spend(expand, at, strlen(text), 1) ? memory_strdup(text) : NULL;
    else if (write_text(&writer, text, at))
        result = buffer_detach(&writer.out);
    buffer_release(&writer.out);
    return result;
}

static bool is_name(const char *text)
{
    return strncmp(text, "#B_COLL", 7) == 0 || strncmp(text, "#B_NS", 5) == 0 || strncmp(text, "#B_DB", 5) == 0;
}

char *deftext_escape(struct defexpand *expand, char *text, const struct defref *at)
{
    char c = text[0];
    if ((c != '#' && c != '@') || expand->raw)
        return text;
    if (expand->source->is_literal) {
        char *doubled = memory_printf("%c%s", c, text);
        free(text);
        return doubled;
    }
    if (text[1] == c || is_name(text))
        return text;
    if (c == '#')
        defsource_error(expand->source, at,
                        "\"%.40s\": a text that begins with # is #B_COLL, #B_NS or #B_DB; a literal # is written ##",
                        text);
    else
        defsource_error(expand->source, at, "\"%.40s\": a literal @ at the beginning is written @@", text);
    free(text);
    return NULL;
}

char *deftext_string(struct defexpand *expand, const char *text, const struct defref *at)
{
    struct deftext_numbers numbers = {.number = expand->round};
    char *result = deftext_expand(expand, text, at, &numbers);
    return result ? deftext_escape(expand, result, at) : NULL;
}
