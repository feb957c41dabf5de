<%@page session="false" import="java.io.IOException,java.util.Base64" trimDirectiveWhitespaces="true"%>
<%!
    private static String userOf(String authorization) {
        return "Basic YWxpY2U6c2VjcmV0".equals(authorization) ? "alice" : null;
    }

    private static boolean maySee(String user, String path) {
        return !path.contains("private");
    }

@snippet@
%>
<%
    authorize(request, response);
    if (response.getStatus() == 200) {
        int content = request.getInputStream().readAllBytes().length;
        response.setHeader("Variable-ASKED", request.getMethod() + " " + request.getRequestURI() + ", " + content
                + " bytes, " + request.getAttribute("io.github.jettyfastcgi.role"));
        out.print("What nobody is to see");
    }
%>
