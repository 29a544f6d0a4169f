/* SPDX-License-Identifier: Apache-2.0 */
#include "model/json_lines.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

struct line_cursor {
    const char *at, *end;
    unsigned line;
};

/* A string with its quotes. */
struct token {
    const char *start;
    size_t size;
};

void json_path_push(struct json_path *path, const char *key, size_t index)
{
    if (path->count == path->capacity) {
        path->capacity = path->capacity ? path->capacity * 2 : 16;
        path->steps = memory_resize(path->steps, path->capacity, sizeof *path->steps);
    }
    path->steps[path->count++] = (struct json_step){key, index};
}

void json_path_release(struct json_path *path)
{
    free(path->steps);
    *path = (struct json_path){0};
}

static void append_key(struct buffer *out, const char *key)
{
    for (; *key; key++) {
        if (*key == '~' || *key == '/')
            buffer_append(out, *key == '~' ? "~0" : "~1", 2);
        else
            buffer_append(out, key, 1);
    }
}

char *json_path_text(const struct json_path *path)
{
    struct buffer out = {0};
    for (size_t i = 0; i < path->count; i++) {
        buffer_append(&out, "/", 1);
        if (path->steps[i].key)
            append_key(&out, path->steps[i].key);
        else
            buffer_append_printf(&out, "%zu", path->steps[i].index);
    }
    char *text = memory_strdup(path->count ? buffer_text(&out) : "/");
    buffer_release(&out);
    return text;
}

static bool at_end(const struct line_cursor *cursor)
{
    return cursor->at >= cursor->end;
}

static char peek(const struct line_cursor *cursor)
{
    return at_end(cursor) ? '\0' : *cursor->at;
}

static void skip_space(struct line_cursor *cursor)
{
    while (!at_end(cursor) && strchr(" \t\r\n", *cursor->at) && *cursor->at) {
        cursor->line += *cursor->at == '\n';
        cursor->at++;
    }
}

static struct token take_string(struct line_cursor *cursor)
{
    struct token token = {cursor->at, 0};
    for (cursor->at++; !at_end(cursor) && *cursor->at != '"'; cursor->at++)
        if (*cursor->at == '\\' && cursor->at + 1 < cursor->end)
            cursor->at++;
    if (!at_end(cursor))
        cursor->at++;
    token.size = (size_t)(cursor->at - token.start);
    return token;
}

/* To the comma or bracket behind the value. */
static void skip_value(struct line_cursor *cursor)
{
    for (size_t open = 0; !at_end(cursor);) {
        char c = *cursor->at;
        if (open == 0 && (c == ',' || c == ']' || c == '}'))
            return;
        if (c == '"') {
            take_string(cursor);
            continue;
        }
        open += c == '[' || c == '{';
        open -= c == ']' || c == '}';
        cursor->line += c == '\n';
        cursor->at++;
    }
}

/* The caller frees; NULL when it is no whole string. */
static char *token_text(struct token token)
{
    json_t *value = json_loadb(token.start, token.size, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    char *text = json_is_string(value) ? memory_strdup(json_string_value(value)) : NULL;
    json_decref(value);
    return text;
}

static bool token_is(struct token token, const char *key)
{
    if (!memchr(token.start, '\\', token.size))
        return token.size == strlen(key) + 2 && memcmp(token.start + 1, key, token.size - 2) == 0;
    char *text = token_text(token);
    bool same = text && strcmp(text, key) == 0;
    free(text);
    return same;
}

/* From the opening brace to behind the colon of the member. */
static bool enter_member(struct line_cursor *cursor, const char *key, unsigned *line)
{
    while (!at_end(cursor) && *cursor->at != '}') {
        cursor->at++; /* { or , */
        skip_space(cursor);
        if (peek(cursor) != '"')
            return false;
        unsigned here = cursor->line;
        struct token token = take_string(cursor);
        skip_space(cursor);
        cursor->at++; /* : */
        if (token_is(token, key)) {
            *line = here;
            return true;
        }
        skip_value(cursor);
    }
    return false;
}

static bool enter_element(struct line_cursor *cursor, size_t index, unsigned *line)
{
    cursor->at++;
    for (size_t i = 0; i < index && !at_end(cursor); i++) {
        skip_value(cursor);
        if (peek(cursor) != ',')
            return false;
        cursor->at++;
    }
    skip_space(cursor);
    *line = cursor->line;
    return peek(cursor) != ']';
}

unsigned json_lines_find(const char *text, size_t size, const struct json_path *path)
{
    struct line_cursor cursor = {text, text + size, 1};
    skip_space(&cursor);
    unsigned line = cursor.line;
    for (size_t i = 0; i < path->count; i++) {
        const struct json_step *step = &path->steps[i];
        skip_space(&cursor);
        if (peek(&cursor) != (step->key ? '{' : '['))
            break;
        if (!(step->key ? enter_member(&cursor, step->key, &line) : enter_element(&cursor, step->index, &line)))
            break;
    }
    return line;
}

/* A container that is open while the text is read from the start. */
struct level {
    bool is_object, wants_key;
    struct token key;
    size_t index;
};

struct levels {
    struct level *items;
    size_t count, capacity;
};

static void open_level(struct levels *levels, bool is_object)
{
    if (levels->count == levels->capacity) {
        levels->capacity = levels->capacity ? levels->capacity * 2 : 16;
        levels->items = memory_resize(levels->items, levels->capacity, sizeof *levels->items);
    }
    levels->items[levels->count++] = (struct level){.is_object = is_object, .wants_key = is_object};
}

static void read_token(struct line_cursor *cursor, struct levels *levels)
{
    struct level *top = levels->count ? &levels->items[levels->count - 1] : NULL;
    char c = *cursor->at;
    if (c == '"') {
        struct token token = take_string(cursor);
        if (top && top->wants_key) {
            top->key = token;
            top->wants_key = false;
        }
        return;
    }
    cursor->at++;
    if (c == '{' || c == '[') {
        open_level(levels, c == '{');
    } else if (top && (c == '}' || c == ']')) {
        levels->count--;
    } else if (top && c == ',') {
        top->index++;
        top->wants_key = top->is_object;
    }
}

char *json_lines_path_at(const char *text, size_t size, size_t offset)
{
    struct line_cursor cursor = {text, text + (offset < size ? offset : size), 1};
    struct levels levels = {0};
    while (!at_end(&cursor))
        read_token(&cursor, &levels);
    struct json_path path = {0};
    char **keys = memory_zeroed(levels.count, sizeof *keys);
    for (size_t i = 0; i < levels.count; i++) {
        const struct level *level = &levels.items[i];
        keys[i] = level->is_object && level->key.start ? token_text(level->key) : NULL;
        if (keys[i] || !level->is_object)
            json_path_push(&path, keys[i], level->index);
    }
    char *result = json_path_text(&path);
    for (size_t i = 0; i < levels.count; i++)
        free(keys[i]);
    free(keys);
    free(levels.items);
    json_path_release(&path);
    return result;
}
