/* SPDX-License-Identifier: MIT */
/* What a bot in C or C++ needs for docs/protocol.md: lines from standard input without blocking a search, and the
 * values of a JSON object. POSIX; messages are ASCII. */
#ifndef BOT_LINES_H
#define BOT_LINES_H

#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Values in JSON that is known to be valid. */

/* The place behind the value that begins here. */
static const char* json_behind(const char* at) {
    int depth = 0;
    for (; *at != '\0'; ++at) {
        if (*at == '"') {
            for (++at; *at != '"' && *at != '\0'; ++at) {
                if (*at == '\\' && at[1] != '\0') ++at;
            }
            if (*at == '\0') break;
        } else if (strchr("[{", *at) != NULL) {
            ++depth;
        } else if (strchr("]}", *at) != NULL) {
            if (--depth < 0) break;
        } else if (depth == 0 && *at == ',') {
            break;
        }
    }
    return at;
}
/* Without the blanks, commas and colons before it. */
static const char* json_from(const char* at) { return at + strspn(at, " \t\r\n,:"); }

/* The next name of an object and its value; begins with the place behind the bracket. 0 at the end. */
static int json_next(const char** at, const char** name, size_t* length, const char** value) {
    *name = json_from(*at);
    if (**name != '"') return 0;
    const char* end = ++*name;
    while (*end != '"' && *end != '\0') end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    if (*end == '\0') return 0;
    *length = (size_t)(end - *name);
    *value = json_from(end + 1);
    *at = json_behind(*value);
    return 1;
}
/* The value that an object has under a name, or null. */
static const char* json_find(const char* object, const char* wanted) {
    const char *at = object, *name = NULL, *value = NULL;
    size_t length = 0;
    if (at == NULL || *at++ != '{') return NULL;
    while (json_next(&at, &name, &length, &value)) {
        if (length == strlen(wanted) && memcmp(name, wanted, length) == 0) return value;
    }
    return NULL;
}
/* Copies a text without its quotation marks, or any other value as it is written; 0 if it is null or too long. */
static int json_copy(const char* value, char* out, size_t capacity) {
    size_t size = 0;
    if (value == NULL) return 0;
    const int text = *value == '"';
    const char* const end = text ? value + strlen(value) : json_behind(value);
    for (value += text; value < end && !(text && *value == '"'); ++value) {
        if (text && *value == '\\' && value[1] != '\0') ++value;
        if (size + 1 >= capacity) return 0;
        out[size++] = *value;
    }
    out[size] = '\0';
    return 1;
}
static double json_number(const char* value, double otherwise) {
    return value == NULL ? otherwise : strtod(value, NULL);
}

/* The bytes of a text in base64, to be freed; null if there is none. */
static unsigned char* json_bytes(const char* value, size_t* size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (value == NULL || *value != '"') return NULL;
    unsigned char* const bytes = (unsigned char*)malloc(strlen(value) + 1);
    uint32_t bits = 0;
    int count = 0;
    *size = 0;
    for (++value; bytes != NULL && *value != '"' && *value != '\0'; ++value) {
        const char* const digit = strchr(digits, *value);
        if (digit == NULL) continue; /* = at the end, \ before / */
        bits = bits << 6 | (uint32_t)(digit - digits);
        count += 6;
        if (count >= 8) bytes[(*size)++] = (unsigned char)(bits >> (count -= 8));
    }
    return bytes;
}

/* ---- Lines of standard input. */

typedef struct bot_lines {
    char* data; /* what was read and not yet taken, from `begin` on, with a zero behind it */
    size_t begin, end, capacity;
    int over;
} bot_lines;

/* Reads what there is, or if `wait` waits for it. */
static void bot_read(bot_lines* in, int wait) {
    struct pollfd ready;
    ready.fd = STDIN_FILENO;
    ready.events = POLLIN;
    ready.revents = 0;
    if (in->over || poll(&ready, 1, wait ? -1 : 0) <= 0) return;
    if (in->end + 1 >= in->capacity) {
        char* const more = (char*)realloc(in->data, in->capacity = 2 * in->capacity + 65536);
        if (more == NULL) abort();
        in->data = more;
    }
    const ssize_t size = read(STDIN_FILENO, in->data + in->end, in->capacity - in->end - 1);
    if (size <= 0) in->over = 1;
    if (size > 0) in->end += (size_t)size;
    in->data[in->end] = '\0';
}
/* The next line, good until the next call; null at the end of the input. */
static const char* bot_line(bot_lines* in) {
    if (in->data != NULL) memmove(in->data, in->data + in->begin, in->end - in->begin + 1);
    in->end -= in->begin;
    in->begin = 0;
    for (;;) {
        char* const end = in->data == NULL ? NULL : strchr(in->data, '\n');
        if (end != NULL) {
            *end = '\0';
            in->begin = (size_t)(end - in->data) + 1;
            return in->data;
        }
        if (in->over) return NULL;
        bot_read(in, 1);
    }
}
/* Whether the referee has said stop, or will say nothing more. */
static int bot_stopped(bot_lines* in) {
    bot_read(in, 0);
    const char* const waiting = in->data + in->begin;
    return in->over || strstr(waiting, "\"type\":\"stop\"") != NULL || strstr(waiting, "\"type\": \"stop\"") != NULL;
}

#endif
