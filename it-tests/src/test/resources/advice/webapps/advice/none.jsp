<%@ page session="false" %>none
