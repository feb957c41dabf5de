<%@ page contentType="text/plain; charset=UTF-8" %><%
    request.setCharacterEncoding("UTF-8");
%>
URL ${pageContext.request.requestURL}
Query ${pageContext.request.queryString}
Parameter ${param.name}
Remote ${pageContext.request.remoteAddr} ${pageContext.request.remoteHost}
Server ${pageContext.request.serverName} ${pageContext.request.serverPort} ${pageContext.request.scheme}
User ${pageContext.request.remoteUser}
Session <%= session.isNew() %> <%= session.getId() %>
Encoded <%= response.encodeURL("request.jsp") %> <%= response.encodeRedirectURL("sub/") %>
