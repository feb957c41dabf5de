<%@ page contentType="text/plain; charset=UTF-8" session="false" %><% response.setStatus(Integer.parseInt(request.getParameter("code"))); %>
