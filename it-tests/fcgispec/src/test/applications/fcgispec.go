// The application that fcgispec tests, with net/http/fcgi. README.md says what each query has to answer.
//
// Usage: fcgispec unix PATH | fcgispec tcp HOST:PORT
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/fcgi"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	listener, err := net.Listen(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ready")
	log.Fatal(fcgi.Serve(listener, http.HandlerFunc(serve)))
}

func serve(w http.ResponseWriter, r *http.Request) {
	action, argument, _ := strings.Cut(r.URL.RawQuery, "=")
	number, _ := strconv.Atoi(argument)
	w.Header().Set("Content-Type", "text/plain; charset=iso-8859-1")
	switch action {
	case "variables":
		writeVariables(w, r)
	case "echo":
		w.Header().Set("Content-Type", "application/octet-stream")
		if _, err := io.Copy(w, r.Body); err != nil {
			log.Print(err)
		}
	case "size":
		letters := strings.Repeat("abcdefghijklmnopqrstuvwxyz", number/26+1)
		io.WriteString(w, letters[:number])
	case "ignore":
		io.WriteString(w, "ignored\n")
	case "status":
		w.WriteHeader(number)
	case "location":
		w.Header().Set("Location", argument)
		w.WriteHeader(http.StatusFound)
	case "cookies":
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
	case "injection":
		w.Header().Set("X-Value", "a\r\nX-Injected: b")
	case "hop":
		w.Header().Set("Connection", "close")
		w.Header().Set("Transfer-Encoding", "chunked")
	case "sleep":
		time.Sleep(time.Duration(number) * time.Millisecond)
		io.WriteString(w, "slept\n")
	case "flush":
		io.WriteString(w, "first\n")
		w.(http.Flusher).Flush()
		time.Sleep(time.Duration(number) * time.Millisecond)
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "second\n")
	default:
		w.WriteHeader(http.StatusNotImplemented)
	}
}

func writeVariables(w io.Writer, r *http.Request) {
	fmt.Fprintf(w, "REQUEST_METHOD=%s\n", r.Method)
	for name, value := range fcgi.ProcessEnv(r) {
		if strings.HasPrefix(name, "FCGISPEC_") {
			fmt.Fprintf(w, "%s=%s\n", name, value)
		}
	}
	for name, values := range r.Header {
		if strings.HasPrefix(name, "Fcgispec-") {
			variable := "HTTP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
			for _, value := range values {
				fmt.Fprintf(w, "%s=%s\n", variable, value)
			}
		}
	}
}
