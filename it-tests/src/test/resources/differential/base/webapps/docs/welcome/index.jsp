<%@ page contentType="text/plain; charset=UTF-8" session="false" %>A JSP as welcome file.
