package io.github.jettyfastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API changes on purpose only: all that users can see of the exported packages, or of all where no module
 * exports some, is written down in {@code public-api.txt}. {@code -Dapi.update=true} writes it again. The Spring Boot
 * starter compiles and runs this test, too.
 */
class PublicApiTest {
    private static final String ROOT = "io.github.jettyfastcgi";
    private static final Path CLASSES = Path.of("target", "classes");
    private static final Path WRITTEN = Path.of("src", "test", "resources", "public-api.txt");

    @Test
    void isWhatIsWrittenDown() throws IOException {
        Set<String> actual = exportedPackages()
                .flatMap(PublicApiTest::visibleTypes)
                .flatMap(PublicApiTest::declarations)
                .collect(Collectors.toCollection(TreeSet::new));

        if (Boolean.getBoolean("api.update")) Files.write(WRITTEN, actual);

        Set<String> written = new TreeSet<>(Files.readAllLines(WRITTEN));
        assertThat(difference(actual, written)).as("not in " + WRITTEN).isEmpty();
        assertThat(difference(written, actual)).as("only in " + WRITTEN).isEmpty();
    }

    private static Set<String> difference(Set<String> some, Set<String> others) {
        Set<String> difference = new TreeSet<>(some);
        difference.removeAll(others);
        return difference;
    }

    private static Stream<String> exportedPackages() {
        return ModuleFinder.of(CLASSES)
                .find(ROOT)
                .map(module -> module.descriptor().exports().stream()
                        .filter(exported -> !exported.isQualified())
                        .map(ModuleDescriptor.Exports::source))
                .orElseGet(PublicApiTest::packages);
    }

    private static Stream<String> packages() {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files
                    .filter(file -> file.toString().endsWith(".class"))
                    .map(file -> CLASSES.relativize(file.getParent()).toString().replace('/', '.'))
                    .distinct()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Class<?>> visibleTypes(String exportedPackage) {
        try (Stream<Path> files = Files.list(CLASSES.resolve(exportedPackage.replace('.', '/')))) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class"))
                    .<Class<?>>map(name -> load(exportedPackage + "." + name.replace(".class", "")))
                    .filter(PublicApiTest::isVisible)
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** {@return a line for the type, and one for each of its members, inherited ones of hidden types included} */
    private static Stream<String> declarations(Class<?> type) {
        String supertypes = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(Object::toString)
                .collect(Collectors.joining(", "));
        Stream<String> members = Stream.empty();
        for (Class<?> each = type; each != null && each.getName().startsWith(ROOT); each = each.getSuperclass())
            members = Stream.concat(members, members(each, each == type));
        return Stream.concat(
                Stream.of(type.getName() + ": " + type.toGenericString() + " : " + supertypes),
                members.map(member -> type.getName() + ": " + member));
    }

    private static Stream<String> members(Class<?> type, boolean withConstructors) {
        Stream<Member> constructors = withConstructors ? Arrays.stream(type.getDeclaredConstructors()) : Stream.empty();
        return Stream.of(
                        constructors, Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredFields()))
                .flatMap(members -> members)
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .map(member -> text(member).replace(type.getName() + "." + member.getName(), member.getName()));
    }

    private static String text(Member member) {
        return member instanceof Executable executable
                ? executable.toGenericString()
                : ((Field) member).toGenericString();
    }
}
