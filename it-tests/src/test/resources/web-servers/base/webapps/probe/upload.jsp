<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
<%-- A POST tells the length of its content; a GET tells whether the POST of the same id has begun. --%>
<%
    String upload = "upload " + request.getParameter("id");
    if (request.getMethod().equals("POST")) {
        application.setAttribute(upload, true);
        out.print(request.getInputStream().readAllBytes().length);
    } else {
        out.print(application.getAttribute(upload) == null ? "not begun" : "begun");
    }
%>
