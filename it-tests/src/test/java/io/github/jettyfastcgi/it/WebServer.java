package io.github.jettyfastcgi.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The web servers in front of Jetty: how the example of each is made to run in a test. */
enum WebServer {
    NGINX("nginx", "nginx", "nginx.conf", true, "-v") {
        @Override
        void edit(ExampleConfiguration example, WebServerSettings settings) {
            example.replace("listen 80;", "listen 127.0.0.1:" + settings.port() + ";")
                    .enable("listen 443 ssl", "ssl_client_certificate")
                    .replace("listen 443 ssl", "listen 127.0.0.1:" + settings.tlsPort() + " ssl")
                    .enable("fastcgi_param FASTCGI_SECRET");
            replaceCertificate(example, settings);
            replaceClientAuthority(example, settings);
            if (settings.transport() == Transport.TCP) {
                example.disable("server unix:").enable("server 127.0.0.1:");
            }
        }

        @Override
        List<String> arguments(Path directory, Path configuration) {
            return List.of("-p", directory + "/", "-e", "stderr", "-c", configuration.toString());
        }
    },

    APACHE("Apache httpd", "apache2", "apache.conf", true, "-v") {
        @Override
        void edit(ExampleConfiguration example, WebServerSettings settings) {
            example.replace("<VirtualHost *:80>", "<VirtualHost 127.0.0.1:" + settings.port() + ">")
                    .enable("<VirtualHost *:443>", "</VirtualHost>")
                    .replace("<VirtualHost *:443>", "<VirtualHost 127.0.0.1:" + settings.tlsPort() + ">")
                    .enable("SetEnv FASTCGI_SECRET");
            replaceCertificate(example, settings);
            replaceClientAuthority(example, settings);
            if (settings.transport() == Transport.TCP) {
                example.disable("Define JETTY unix:").enable("Define JETTY fcgi:");
            }
        }

        @Override
        List<String> arguments(Path directory, Path configuration) {
            return List.of("-DFOREGROUND", "-f", configuration.toString());
        }
    },

    LIGHTTPD("lighttpd", "lighttpd", "lighttpd.conf", true, "-v") {
        @Override
        void edit(ExampleConfiguration example, WebServerSettings settings) {
            example.enable("server.modules += ( \"mod_openssl\" )", "}")
                    .replace("\":443\"", "\"127.0.0.1:" + settings.tlsPort() + "\"")
                    .enable("server.modules += ( \"mod_setenv\" )", "setenv.add-environment");
            replaceCertificate(example, settings);
            replaceClientAuthority(example, settings);
            if (settings.transport() == Transport.TCP) {
                example.disable("\"socket\" =>").enable("\"host\" =>");
            }
        }

        @Override
        List<String> arguments(Path directory, Path configuration) {
            return List.of("-D", "-f", configuration.toString());
        }
    },

    HAPROXY("HAProxy", "haproxy", "haproxy.cfg", false, "-v") {
        @Override
        void edit(ExampleConfiguration example, WebServerSettings settings) {
            String pem = "/etc/ssl/private/www.example.com.pem";
            example.replace("bind :80", "bind 127.0.0.1:" + settings.port())
                    .enable("bind :443 ssl crt " + pem + " alpn h2,http/1.1 ca-file")
                    .replace("bind :443", "bind 127.0.0.1:" + settings.tlsPort())
                    .replace(pem, settings.certificateAndKey().toString())
                    .enable("set-param FASTCGI_SECRET");
            replaceClientAuthority(example, settings);
            if (settings.transport() == Transport.TCP) {
                example.disable("server jetty /").enable("server jetty 127.0.0.1:");
            }
        }

        @Override
        List<String> arguments(Path directory, Path configuration) {
            return List.of("-db", "-f", configuration.toString());
        }
    },

    CADDY("Caddy", "caddy", "Caddyfile", true, "version") {
        @Override
        void edit(ExampleConfiguration example, WebServerSettings settings) {
            example.enable("tls ", "}")
                    .enable("http://www.example.com {", "}")
                    .enable("env FASTCGI_SECRET")
                    .replace("http://www.example.com {", "http://:" + settings.port() + " {\n\tbind 127.0.0.1")
                    .replace("\nwww.example.com {", "\nhttps://:" + settings.tlsPort() + " {\n\tbind 127.0.0.1");
            replaceCertificate(example, settings);
            replaceClientAuthority(example, settings);
            if (settings.transport() == Transport.TCP) {
                example.disable("reverse_proxy unix/").enable("reverse_proxy 127.0.0.1:");
            }
        }

        @Override
        List<String> command(Path program, Path directory, Path configuration) {
            List<String> command = new ArrayList<>();
            // What Caddy remembers, it keeps under these, and not in the home of who runs the tests.
            command.addAll(List.of("env", "XDG_DATA_HOME=" + directory, "XDG_CONFIG_HOME=" + directory));
            command.addAll(super.command(program, directory, configuration));
            return command;
        }

        @Override
        List<String> arguments(Path directory, Path configuration) {
            return List.of("run", "--config", configuration.toString(), "--adapter", "caddyfile");
        }
    },

    H2O("h2o", "h2o", "h2o.conf", true, "--version") {
        @Override
        void edit(ExampleConfiguration example, WebServerSettings settings) {
            example.replace("  port: 80", "  host: 127.0.0.1\n  port: " + settings.port())
                    .enable("listen:", "key-file:")
                    .replace("  port: 443", "  host: 127.0.0.1\n  port: " + settings.tlsPort())
                    .enable("setenv:");
            replaceCertificate(example, settings);
            if (settings.transport() == Transport.TCP) {
                example.disable("fastcgi.connect: { port:").enable("fastcgi.connect: { host:");
            }
        }

        @Override
        List<String> arguments(Path directory, Path configuration) {
            return List.of("-c", configuration.toString());
        }
    };

    private final String title;
    private final String program;
    private final String file;
    private final boolean wrapped;
    private final String versionArgument;

    WebServer(String title, String program, String file, boolean wrapped, String versionArgument) {
        this.title = title;
        this.program = program;
        this.file = file;
        this.wrapped = wrapped;
        this.versionArgument = versionArgument;
    }

    /** The name of the program. */
    String program() {
        return program;
    }

    /** The name of the example's file. */
    String file() {
        return file;
    }

    /** Whether the example is a part of a configuration, for the test resource of the same name to include. */
    boolean isWrapped() {
        return wrapped;
    }

    /** The argument that makes the program tell its version. */
    String versionArgument() {
        return versionArgument;
    }

    /** Makes the example listen on the settings' ports, with TLS, and reach Jetty in the settings' way. */
    abstract void edit(ExampleConfiguration example, WebServerSettings settings);

    /** How the program is started in the foreground. */
    List<String> command(Path program, Path directory, Path configuration) {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(arguments(directory, configuration));
        return command;
    }

    abstract List<String> arguments(Path directory, Path configuration);

    private static void replaceCertificate(ExampleConfiguration example, WebServerSettings settings) {
        example.replace(
                        "/etc/ssl/certs/www.example.com.pem",
                        settings.certificate().toString())
                .replace("/etc/ssl/private/www.example.com.key", settings.key().toString());
    }

    private static void replaceClientAuthority(ExampleConfiguration example, WebServerSettings settings) {
        example.replace("/etc/ssl/certs/clients.pem", settings.clientAuthority().toString());
    }

    @Override
    public String toString() {
        return title;
    }
}
