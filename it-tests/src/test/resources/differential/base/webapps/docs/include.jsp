<%@ page contentType="text/plain; charset=UTF-8" session="false" %>before
<jsp:include page="target.jsp"><jsp:param name="from" value="include"/></jsp:include>
after
