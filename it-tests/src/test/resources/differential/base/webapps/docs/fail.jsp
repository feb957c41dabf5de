<%@ page session="false" %><% if (true) { throw new IllegalStateException("This page fails on purpose: <&>"); } %>
