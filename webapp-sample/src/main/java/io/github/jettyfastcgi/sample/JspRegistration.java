package io.github.jettyfastcgi.sample;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

/**
 * Maps the JSP that the build compiled. It can't stand in web.xml: its superclass comes with the server's JSP support,
 * and where that is missing, a declared servlet whose class can't be loaded would fail the whole application.
 */
public final class JspRegistration implements ServletContextListener {
    private static final String PATH = "/jsp/hello.jsp";
    private static final String COMPILED_CLASS = "io.github.jettyfastcgi.sample.jsp.hello_jsp";

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        context.addServlet(PATH, servletClass(context)).addMapping(PATH);
    }

    private static Class<? extends Servlet> servletClass(ServletContext context) {
        try {
            return Class.forName(COMPILED_CLASS, false, JspRegistration.class.getClassLoader())
                    .asSubclass(Servlet.class);
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            context.log("No JSP support: " + PATH + " only says so");
            return NoJspServlet.class;
        }
    }
}
