<%@ page contentType="text/plain; charset=utf-8" session="false" trimDirectiveWhitespaces="true" %>
<%-- Response fields of every kind; "long" is the length of one, "many" the number of further ones. --%>
<%
    response.addHeader("Set-Cookie", "first=1; Path=/");
    response.addHeader("Set-Cookie", "second=2; Path=/");
    response.addHeader("X-Twice", "one");
    response.addHeader("X-Twice", "two");
    response.addHeader("X-Empty", "");
    response.addHeader("X-Latin", "caf\u00e9");
    response.addHeader("X-Quoted", "a,b;c=\"d\" (e) %41");
    String length = request.getParameter("long");
    if (length != null) {
        response.addHeader("X-Long", "0123456789".repeat(Integer.parseInt(length) / 10));
    }
    String count = request.getParameter("many");
    for (int i = 0; count != null && i < Integer.parseInt(count); i++) {
        response.addHeader("X-Many-" + i, "value " + i);
    }
%>
fields
