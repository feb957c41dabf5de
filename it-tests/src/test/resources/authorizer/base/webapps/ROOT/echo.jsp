<%@page session="false" import="java.util.Map" trimDirectiveWhitespaces="true"%>
<%
    Map<?, ?> variables = (Map<?, ?>) request.getAttribute("io.github.jettyfastcgi.variables");
    long content = request.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    out.print(request.getMethod() + " " + request.getRequestURI() + ", " + content + " bytes\n");
    out.print("USER_ID: " + variables.get("USER_ID") + "\n");
    out.print("ASKED: " + variables.get("ASKED") + "\n");
%>
