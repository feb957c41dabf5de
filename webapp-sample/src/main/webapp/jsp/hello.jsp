<%@ page contentType="text/html; charset=UTF-8" pageEncoding="UTF-8" session="false" trimDirectiveWhitespaces="true"
    import="io.github.jettyfastcgi.sample.Html" %>
<%
    String name = request.getParameter("name");
    Html greeting = Html.of("Hello, %s!", name == null || name.isBlank() ? "world" : name);
%>
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><%= greeting %> - Jetty FastCGI sample</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../style.css">
</head>
<body>
<header><a href="../index.html">Jetty FastCGI sample</a></header>
<main>
<h1><%= greeting %></h1>
<p>A JSP, which the build compiled to the servlet <code><%= Html.of("%s", getClass().getName()) %></code>.</p>
<form>
<p><label>Name <input name="name"></label> <button>Greet</button></p>
</form>
</main>
</body>
</html>
