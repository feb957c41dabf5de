<%@ page session="false" %><%= Integer.parseInt(request.getParameter("a")) / Integer.parseInt(request.getParameter("b")) %>
