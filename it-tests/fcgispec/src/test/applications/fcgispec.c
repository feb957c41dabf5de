/*
 * The application that fcgispec tests, with libfcgi. README.md says what each query has to answer.
 *
 * Usage: fcgispec PATH|:PORT
 * Build: cc -o fcgispec fcgispec.c -lfcgi
 *
 * Processes that each serve one connection at a time, as spawn-fcgi -F starts them.
 */
#include <fcgiapp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES 40

static const char *value(FCGX_Request *request, const char *name)
{
    const char *found = FCGX_GetParam(name, request->envp);
    return found ? found : "";
}

static void begin(FCGX_Request *request, const char *status, const char *type)
{
    FCGX_FPrintF(request->out, "Status: %s\r\nContent-Type: %s\r\n\r\n", status, type);
}

static void variables(FCGX_Request *request)
{
    FCGX_FPrintF(request->out, "REQUEST_METHOD=%s\n", value(request, "REQUEST_METHOD"));
    for (char **variable = request->envp; *variable; variable++) {
        if (!strncmp(*variable, "FCGISPEC_", 9) || !strncmp(*variable, "HTTP_FCGISPEC_", 14)) {
            FCGX_PutS(*variable, request->out);
            FCGX_PutChar('\n', request->out);
        }
    }
}

static void size(FCGX_Request *request, long length)
{
    if (!strcmp(value(request, "REQUEST_METHOD"), "HEAD")) {
        return;
    }
    for (long i = 0; i < length; i++) {
        FCGX_PutChar('a' + i % 26, request->out);
    }
}

/* No further than CONTENT_LENGTH, where there is one. */
static void copy(FCGX_Request *request, FCGX_Stream *out)
{
    const char *content_length = value(request, "CONTENT_LENGTH");
    long left = *content_length ? atol(content_length) : -1;
    char buffer[8192];
    while (left != 0) {
        int wanted = left < 0 || left > (long)sizeof buffer ? (int)sizeof buffer : (int)left;
        int length = FCGX_GetStr(buffer, wanted, request->in);
        if (length <= 0) {
            return;
        }
        if (out) {
            FCGX_PutStr(buffer, length, out);
        }
        if (left > 0) {
            left -= length;
        }
    }
}

static void wait_for(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void answer(FCGX_Request *request)
{
    const char *text = "text/plain; charset=iso-8859-1";
    const char *query = value(request, "QUERY_STRING");
    const char *equals = strchr(query, '=');
    const char *argument = equals ? equals + 1 : "";
    long number = atol(argument);
    size_t length = equals ? (size_t)(equals - query) : strlen(query);
#define ACTION(name) (length == strlen(name) && !strncmp(query, name, length))

    if (ACTION("variables")) {
        begin(request, "200 OK", text);
        variables(request);
    } else if (ACTION("echo")) {
        begin(request, "200 OK", "application/octet-stream");
        copy(request, request->out);
    } else if (ACTION("size")) {
        begin(request, "200 OK", text);
        size(request, number);
    } else if (ACTION("ignore")) {
        begin(request, "200 OK", text);
        FCGX_PutS("ignored\n", request->out);
    } else if (ACTION("status")) {
        FCGX_FPrintF(request->out, "Status: %d Any Reason\r\n\r\n", (int)number);
    } else if (ACTION("location")) {
        FCGX_FPrintF(request->out, "Status: 302 Found\r\nLocation: %s\r\n\r\n", argument);
    } else if (ACTION("cookies")) {
        FCGX_PutS("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n", request->out);
        begin(request, "200 OK", text);
    } else if (ACTION("sleep")) {
        wait_for(number);
        begin(request, "200 OK", text);
        FCGX_PutS("slept\n", request->out);
    } else if (ACTION("flush")) {
        begin(request, "200 OK", text);
        FCGX_PutS("first\n", request->out);
        FCGX_FFlush(request->out);
        wait_for(number);
        copy(request, NULL);
        FCGX_PutS("second\n", request->out);
    } else if (ACTION("stderr")) {
        FCGX_PutS("fcgispec-error\n", request->err);
        begin(request, "200 OK", text);
        FCGX_PutS("written\n", request->out);
    } else if (ACTION("exit")) {
        begin(request, "200 OK", text);
        FCGX_SetExitStatus((int)number, request->out);
    } else {
        begin(request, "501 Not Implemented", text);
    }
}

static void serve(int socket)
{
    FCGX_Request request;
    FCGX_InitRequest(&request, socket, 0);
    while (FCGX_Accept_r(&request) == 0) {
        answer(&request);
        FCGX_Finish_r(&request);
    }
}

static void spawn(int socket)
{
    pid_t parent = getpid();
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() == parent) {
            serve(socket);
        }
        _exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2 || FCGX_Init() != 0) {
        return 2;
    }
    int socket = FCGX_OpenSocket(argv[1], 128);
    if (socket < 0) {
        return 2;
    }
    for (int i = 0; i < PROCESSES; i++) {
        spawn(socket);
    }
    puts("ready");
    fflush(stdout);
    /* Who ends is replaced, as a process manager would do. */
    for (int status; wait(&status) > 0; spawn(socket)) {
        fprintf(stderr, "a process ended: %x\n", status);
    }
    return 1;
}
