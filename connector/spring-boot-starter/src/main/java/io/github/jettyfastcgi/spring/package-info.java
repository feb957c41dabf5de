/** FastCGI for Spring Boot applications on Jetty. */
package io.github.jettyfastcgi.spring;
