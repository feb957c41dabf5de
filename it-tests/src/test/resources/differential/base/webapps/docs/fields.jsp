<%@ page contentType="text/plain; charset=UTF-8" session="false" import="jakarta.servlet.http.Cookie" %><%
    response.addHeader("X-Twice", "one");
    response.addHeader("X-Twice", "two");
    response.addHeader("X-Empty", "");
    response.addHeader("X-Latin-1", "caf\u00e9");
    response.addHeader("Link", "<a>; rel=preload");
    response.addHeader("Vary", "Accept");
    response.addHeader("Vary", "Accept-Language");
    response.addHeader("Keep-Alive", "timeout=5");
    response.addHeader("Upgrade", "h2c");
    response.addHeader("X-Accel-Expires", "10");
    response.addIntHeader("X-Number", -1);
    response.addDateHeader("Last-Modified", 1_000_000_000_000L);
    response.setLocale(java.util.Locale.GERMANY);
    Cookie cookie = new Cookie("colour", "green");
    cookie.setPath("/docs");
    cookie.setMaxAge(3600);
    cookie.setSecure(true);
    cookie.setHttpOnly(true);
    cookie.setAttribute("SameSite", "Strict");
    response.addCookie(cookie);
    response.addCookie(new Cookie("shape", "round"));
%>Fields of every kind.
