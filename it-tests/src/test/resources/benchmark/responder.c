/*
 * The least that a FastCGI application can do: one thread, epoll, kept connections of a Unix-domain socket, nothing
 * checked that nginx does right anyway. What nginx reaches with it is the practical limit for any application.
 *
 * Answers /download/N with N bytes and any other request with "Hello, world!", once STDIN has ended.
 *
 * Usage: responder PATH_OF_SOCKET
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BEGIN_REQUEST = 1,
    END_REQUEST = 3,
    PARAMS = 4,
    STDIN = 5,
    STDOUT = 6,
    HEADER = 8,
    KEEP_CONN = 1,
    MAX_CONTENT = 65528,
    INPUT = 128 * 1024
};

static const char URI[] = "REQUEST_URI/download/"; /* a name, and the beginning of its value */
static char content[MAX_CONTENT];
static int epoll;

struct connection {
    int fd;
    int keep;
    int answering;
    int writable_wanted;
    /* input */
    size_t have;     /* bytes in the buffer */
    size_t skip;     /* bytes to drop before the next record */
    size_t download; /* bytes that the request asks for */
    /* output: first the frame, then bytes of a record's content, then what is left of the response */
    char frame[512];
    size_t frame_length;
    size_t frame_sent;
    size_t content_left;
    size_t download_left;
    int end_framed;
    unsigned char input[INPUT];
};

static void check(long result, const char *what) {
    if (result < 0) {
        perror(what);
        exit(1);
    }
}

static void watch(struct connection *c, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = c};
    check(epoll_ctl(epoll, operation, c->fd, &event), "epoll_ctl");
}

static void put_header(struct connection *c, int type, size_t length) {
    char header[HEADER] = {1, (char)type, 0, 1, (char)(length >> 8), (char)length, 0, 0};
    memcpy(c->frame + c->frame_length, header, HEADER);
    c->frame_length += HEADER;
}

static void put_end(struct connection *c) {
    put_header(c, STDOUT, 0);
    put_header(c, END_REQUEST, HEADER);
    memset(c->frame + c->frame_length, 0, HEADER);
    c->frame_length += HEADER;
    c->end_framed = 1;
}

static void put_download(struct connection *c) {
    c->content_left = c->download_left < MAX_CONTENT ? c->download_left : MAX_CONTENT;
    c->download_left -= c->content_left;
    put_header(c, STDOUT, c->content_left);
}

static void answer(struct connection *c) {
    static const char hello[] = "Hello, world!";
    char text[256];
    size_t size = c->download ? c->download : strlen(hello);
    int length = snprintf(text, sizeof text, "Content-Type: text/plain\r\nContent-Length: %zu\r\nStatus: 200 OK\r\n\r\n%s",
                          size, c->download ? "" : hello);
    c->answering = 1;
    c->frame_length = c->frame_sent = c->end_framed = 0;
    put_header(c, STDOUT, (size_t)length);
    memcpy(c->frame + c->frame_length, text, (size_t)length);
    c->frame_length += (size_t)length;
    c->download_left = c->download;
    if (c->download) put_download(c);
    else put_end(c);
}

/* Returns 0 once the response is written, 1 when the socket takes no more, -1 when the peer is gone. */
static int flush(struct connection *c) {
    while (1) {
        struct iovec parts[2] = {{c->frame + c->frame_sent, c->frame_length - c->frame_sent}, {content, c->content_left}};
        ssize_t sent = writev(c->fd, parts, c->content_left ? 2 : 1);
        if (sent < 0) return errno == EAGAIN ? 1 : -1;
        size_t of_frame = (size_t)sent < parts[0].iov_len ? (size_t)sent : parts[0].iov_len;
        c->frame_sent += of_frame;
        c->content_left -= (size_t)sent - of_frame;
        if (c->frame_sent < c->frame_length || c->content_left) continue;
        if (c->end_framed) return 0;
        c->frame_length = c->frame_sent = 0;
        if (c->download_left) put_download(c);
        else put_end(c);
    }
}

/* Takes whole records from the input until a request is complete; returns whether one is. */
static int parse(struct connection *c) {
    size_t at = 0;
    int complete = 0;
    while (!complete) {
        size_t dropped = c->have - at < c->skip ? c->have - at : c->skip;
        at += dropped;
        c->skip -= dropped;
        if (c->skip || c->have - at < HEADER) break;
        unsigned char *record = c->input + at;
        size_t length = (size_t)record[4] << 8 | record[5];
        if (record[1] == STDIN) {
            complete = length == 0;
        } else if (c->have - at < HEADER + length) {
            break;
        } else if (record[1] == BEGIN_REQUEST) {
            c->keep = record[HEADER + 2] & KEEP_CONN;
            c->download = 0;
        } else if (record[1] == PARAMS) {
            char *found = memmem(record + HEADER, length, URI, strlen(URI));
            if (found) c->download = strtoul(found + strlen(URI), NULL, 10);
        }
        c->skip = HEADER + length + record[6];
    }
    c->have -= at;
    memmove(c->input, c->input + at, c->have);
    return complete;
}

/* Goes as far as the socket lets it; returns whether the connection is over. */
static int serve(struct connection *c) {
    while (1) {
        if (c->answering) {
            int blocked = flush(c);
            if (blocked < 0) return 1;
            if (blocked != c->writable_wanted) {
                c->writable_wanted = blocked;
                watch(c, EPOLL_CTL_MOD, blocked ? EPOLLOUT : EPOLLIN);
            }
            if (blocked) return 0;
            c->answering = 0;
            if (!c->keep) return 1;
        }
        if (c->have && parse(c)) {
            answer(c);
            continue;
        }
        ssize_t received = read(c->fd, c->input + c->have, INPUT - c->have);
        if (received <= 0) return received == 0 || errno != EAGAIN;
        int full = (size_t)received == INPUT - c->have;
        c->have += (size_t)received;
        if (parse(c)) answer(c);
        else if (!full) return 0;
    }
}

static void accept_all(int listener) {
    while (1) {
        int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (fd < 0) return;
        struct connection *c = calloc(1, sizeof *c);
        if (!c) exit(1);
        c->fd = fd;
        watch(c, EPOLL_CTL_ADD, EPOLLIN);
    }
}

int main(int argc, char **argv) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path) {
        fprintf(stderr, "usage: responder PATH_OF_SOCKET\n");
        return 2;
    }
    strcpy(address.sun_path, argv[1]);
    unlink(argv[1]);
    signal(SIGPIPE, SIG_IGN); /* a peer that is gone is an error of the write */
    memset(content, 'x', sizeof content);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    check(listener, "socket");
    check(bind(listener, (struct sockaddr *)&address, sizeof address), "bind");
    check(listen(listener, 511), "listen");
    epoll = epoll_create1(0);
    check(epoll, "epoll_create1");
    struct epoll_event accepting = {.events = EPOLLIN, .data.ptr = NULL};
    check(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &accepting), "epoll_ctl");
    puts("ready");
    fflush(stdout);

    struct epoll_event events[64];
    while (1) {
        int count = epoll_wait(epoll, events, 64, -1);
        if (count < 0 && errno != EINTR) check(count, "epoll_wait");
        for (int i = 0; i < count; i++) {
            struct connection *c = events[i].data.ptr;
            if (!c) {
                accept_all(listener);
            } else if (serve(c)) {
                close(c->fd);
                free(c);
            }
        }
    }
}
