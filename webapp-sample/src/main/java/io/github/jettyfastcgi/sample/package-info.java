/** A small web application that shows what a server tells its applications, and how it takes what they answer. */
package io.github.jettyfastcgi.sample;
