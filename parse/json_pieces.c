/* SPDX-License-Identifier: Apache-2.0 */
#include "parse/json_pieces.h"

#include <string.h>

#include "base/memory.h"

struct cursor {
    const char *start, *at, *end;
    struct json_thinning thinning;
};

static bool fail_at(const struct cursor *cursor, const char *at, const char *what, struct error *err)
{
    unsigned long line = 1;
    const char *line_start = cursor->start;
    for (const char *c = cursor->start; (c = memchr(c, '\n', (size_t)(at - c))); line_start = ++c)
        line++;
    error_set(err, "line %lu, column %lu: %s", line, (unsigned long)(at - line_start) + 1, what);
    return false;
}

static char next(struct cursor *cursor)
{
    while (cursor->at < cursor->end && *cursor->at && strchr(" \t\r\n", *cursor->at))
        cursor->at++;
    return cursor->at < cursor->end ? *cursor->at : '\0';
}

static bool take(struct cursor *cursor, char c)
{
    if (next(cursor) != c || cursor->at == cursor->end)
        return false;
    cursor->at++;
    return true;
}

/* NULL with an error. */
static json_t *take_value(struct cursor *cursor, struct error *err)
{
    json_error_t problem;
    size_t length;
    next(cursor);
    json_t *value = json_scan(cursor->at, (size_t)(cursor->end - cursor->at), &cursor->thinning, &length);
    if (value) {
        cursor->at += length;
        return value;
    }
    value = json_loadb(cursor->at, (size_t)(cursor->end - cursor->at),
                       JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &problem);
    size_t offset = problem.position > 0 ? (size_t)problem.position : 0;
    const char *behind = offset < (size_t)(cursor->end - cursor->at) ? cursor->at + offset : cursor->end;
    if (!value)
        fail_at(cursor, behind, problem.text, err);
    cursor->at = behind;
    return value;
}

static bool read_elements(struct cursor *cursor, struct json_pieces_reader *reader, struct error *err)
{
    if (take(cursor, ']'))
        return true;
    for (size_t index = 0;; index++) {
        json_t *value = take_value(cursor, err);
        bool ok = value && reader->element(reader->context, index, value, err);
        json_decref(value);
        if (!ok)
            return false;
        if (take(cursor, ']'))
            return true;
        if (!take(cursor, ','))
            return fail_at(cursor, cursor->at, "expected a comma or ] behind an element", err);
    }
}

static bool read_value(struct cursor *cursor, const char *name, struct json_pieces_reader *reader, struct error *err)
{
    if (strcmp(name, reader->array) == 0 && take(cursor, '[')) {
        reader->array_found = true;
        return read_elements(cursor, reader, err);
    }
    json_t *value = take_value(cursor, err);
    bool ok = value && reader->member(reader->context, name, value, err);
    json_decref(value);
    return ok;
}

static bool read_member(struct cursor *cursor, struct json_pieces_reader *reader, json_t *seen, struct error *err)
{
    next(cursor);
    const char *start = cursor->at;
    if (next(cursor) != '"')
        return fail_at(cursor, start, "expected the name of a member in double quotes", err);
    json_t *name = take_value(cursor, err);
    if (!name)
        return false;
    const char *text = json_string_value(name);
    bool ok = true;
    if (json_object_get(seen, text))
        ok = fail_at(cursor, start, "this member stands twice", err);
    else if (!take(cursor, ':'))
        ok = fail_at(cursor, cursor->at, "expected a colon behind the name of a member", err);
    json_object_set_new(seen, text, json_true());
    ok = ok && read_value(cursor, text, reader, err);
    json_decref(name);
    return ok;
}

static bool read_members(struct cursor *cursor, struct json_pieces_reader *reader, struct error *err)
{
    json_t *seen = json_object();
    bool ok = true, is_open = !take(cursor, '}');
    while (ok && is_open) {
        ok = read_member(cursor, reader, seen, err);
        is_open = ok && !take(cursor, '}');
        if (is_open && !take(cursor, ','))
            ok = fail_at(cursor, cursor->at, "expected a comma or } behind a member", err);
    }
    json_decref(seen);
    return ok;
}

bool json_pieces_read(const char *text, size_t size, struct json_pieces_reader *reader, struct error *err)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    struct cursor cursor = {text, text, text + size, reader->thinning};
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0)
        cursor.at += 3;
    if (!take(&cursor, '{'))
        return fail_at(&cursor, cursor.at, "expected a JSON object", err);
    if (!read_members(&cursor, reader, err))
        return false;
    char behind = next(&cursor);
    if (cursor.at == cursor.end)
        return true;
    return fail_at(&cursor, cursor.at,
                   behind == '{' ? "another JSON object begins here; put each into a file of its own"
                                 : "expected nothing behind the JSON object",
                   err);
}
