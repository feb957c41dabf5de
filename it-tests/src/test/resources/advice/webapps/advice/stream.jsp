<%@ page session="false" %><%
    // Answers as soon as the first part of the content is there. nginx sends no more of it then.
    request.getInputStream().readNBytes(40000);
    response.getOutputStream().print("stream");
    response.flushBuffer();
%>
