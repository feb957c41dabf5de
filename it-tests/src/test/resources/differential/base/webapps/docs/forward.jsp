<%@ page session="false" %><jsp:forward page="target.jsp"><jsp:param name="from" value="forward"/></jsp:forward>
