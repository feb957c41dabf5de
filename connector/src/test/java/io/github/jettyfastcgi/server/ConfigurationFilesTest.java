package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.sendfile.SendFileHandler;
import io.github.jettyfastcgi.session.BoundedSessionCacheFactory;
import io.github.jettyfastcgi.status.StatusHandler;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What is set in XML can be set, with the default that the module tells of, and the README. */
class ConfigurationFilesTest {
    private static final Path CONFIG = Path.of("src/main/config");
    private static final Pattern TEMPLATE_LINE = Pattern.compile("# (jetty\\.fastcgi\\.[A-Za-z.]+)=(.*)");
    private static final Pattern README_LINE = Pattern.compile("\\| (`jetty\\.fastcgi\\.[^|]+) \\| ([^|]+) \\|.*");

    /** What the README says to be as for Jetty's own connectors. */
    private static final Pattern AS_ELSEWHERE = Pattern.compile(".*\\.(accept\\w*|selectors|reuse\\w*)");

    /**
     * A property that is set.
     *
     * @param property its name
     * @param type the class that it is a setting of
     * @param setting the name of the setting
     */
    private record Setting(String property, Class<?> type, String setting) {}

    private final Map<String, String> defaults = new TreeMap<>();
    private final List<Setting> settings = new ArrayList<>();
    private final Server server = new Server();
    private final List<Object> configured = List.of(
            new FastCGIHttpConfiguration(),
            new FastCGIConnectionFactory(),
            new FastCGIUnixConnector(server, new FastCGIConnectionFactory()),
            new FastCGITCPConnector(server, new FastCGIConnectionFactory()),
            new StatusHandler(),
            new SendFileHandler(),
            new BoundedSessionCacheFactory());

    @BeforeEach
    void readFiles() throws Exception {
        for (Path module : files("modules"))
            for (String line : Files.readAllLines(module)) {
                var matcher = TEMPLATE_LINE.matcher(line);
                if (matcher.matches()) defaults.put(matcher.group(1), matcher.group(2));
            }
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        DocumentBuilder builder = factory.newDocumentBuilder();
        for (Path xml : files("etc")) {
            NodeList elements = builder.parse(xml.toFile()).getElementsByTagName("Set");
            for (int i = 0; i < elements.getLength(); i++) add((Element) elements.item(i));
        }
        assertThat(settings).hasSizeGreaterThan(20);
    }

    private static List<Path> files(String directory) throws Exception {
        try (Stream<Path> files = Files.list(CONFIG.resolve(directory))) {
            return files.filter(file -> file.getFileName().toString().startsWith("fastcgi")
                            || file.getFileName().toString().startsWith("jetty-fastcgi"))
                    .toList();
        }
    }

    private void add(Element set) throws Exception {
        NodeList nested = set.getElementsByTagName("Property");
        Node property = set.getAttributeNode("property");
        for (int i = 0; property == null && i < nested.getLength(); i++) {
            Node name = ((Element) nested.item(i)).getAttributeNode("name");
            if (name.getNodeValue().startsWith("jetty.fastcgi.")) property = name;
        }
        String type = ((Element) set.getParentNode()).getAttribute("class");
        if (property != null
                && property.getNodeValue().startsWith("jetty.fastcgi.")
                && type.startsWith("io.github.jettyfastcgi."))
            settings.add(new Setting(property.getNodeValue(), Class.forName(type), set.getAttribute("name")));
    }

    @Test
    void everySettingHasASetter() {
        assertThat(settings)
                .allSatisfy(setting -> assertThat(
                                Arrays.stream(setting.type().getMethods()).map(Method::getName))
                        .contains("set" + capitalized(setting.setting())));
    }

    @Test
    void everyPropertyIsInTheTemplateOfItsModule() {
        assertThat(settings.stream().map(Setting::property))
                .allSatisfy(name -> assertThat(defaults).containsKey(name));
    }

    @Test
    void everyPropertyIsInTheReadmeWithItsDefault() throws Exception {
        Map<String, String> told = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../README.md"))) {
            var matcher = README_LINE.matcher(line);
            if (!matcher.matches()) continue;
            String[] names = matcher.group(1).replace("`", "").split(", ");
            for (String name : names) {
                String prefix = name.startsWith(".") ? names[0].substring(0, names[0].lastIndexOf('.')) : "";
                told.put(prefix + name, matcher.group(2).replace("`", ""));
            }
        }

        defaults.keySet().removeIf(name -> AS_ELSEWHERE.matcher(name).matches());
        assertThat(told.keySet()).containsExactlyInAnyOrderElementsOf(defaults.keySet());
        assertThat(defaults).allSatisfy((name, value) -> {
            String text = told.get(name);
            if (!value.isEmpty()) assertThat(text.split("[ ,:]")).as(name).contains(value);
        });
    }

    @Test
    void defaultsAreWhatTheTemplatesTell() {
        assertThat(settings).allSatisfy(setting -> {
            String told = defaults.get(setting.property());
            assertThat(actualDefault(setting)).as(setting.property()).isEqualTo(told);
        });
    }

    private String actualDefault(Setting setting) throws ReflectiveOperationException {
        String told = defaults.get(setting.property());
        Object object = configured.stream()
                .filter(setting.type()::isInstance)
                .findFirst()
                .orElseThrow();
        for (String prefix : List.of("get", "is")) {
            String getter = prefix + capitalized(setting.setting());
            List<Method> methods = Arrays.stream(setting.type().getMethods())
                    .filter(method -> method.getName().equals(getter) && method.getParameterCount() == 0)
                    .collect(Collectors.toList());
            if (!methods.isEmpty()) {
                Object value = methods.get(0).invoke(object);
                // What isn't set is decided by the start, as the template tells in words
                return Objects.toString(value, told);
            }
        }
        return told;
    }

    private static String capitalized(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
