package io.github.jettyfastcgi.server;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.EnumSet;
import java.util.Set;

/**
 * The rights of a socket's file, with owner and group known to the system.
 *
 * @param permissions the permissions
 * @param owner the owner, {@code null} for that of the process
 * @param group the group, {@code null} for that of the process
 */
record SocketRights(Set<PosixFilePermission> permissions, UserPrincipal owner, GroupPrincipal group) {
    private static final String MODE = "jetty.fastcgi.unix.mode: ";
    private static final String OWNER = "jetty.fastcgi.unix.owner: ";
    private static final String GROUP = "jetty.fastcgi.unix.group: ";

    /**
     * Reads settings.
     *
     * @param mode three octal digits, perhaps after a 0
     * @param owner the name of a user, empty or {@code null} for that of the process
     * @param group the name of a group, empty or {@code null} for that of the process
     * @throws ConfigurationException for a mode that isn't one, and unknown names
     */
    static SocketRights of(String mode, String owner, String group) throws IOException {
        UserPrincipalLookupService service = FileSystems.getDefault().getUserPrincipalLookupService();
        return new SocketRights(permissions(mode), user(service, owner), group(service, group));
    }

    /** Gives them to a file. */
    void applyTo(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        view.setPermissions(permissions); // while the file is this user's, who may not change another's
        try {
            if (group != null) view.setGroup(group);
        } catch (IOException x) {
            throw new ConfigurationException(GROUP + "no right to give the socket to group '" + group.getName() + "'");
        }
        try {
            if (owner != null) view.setOwner(owner);
        } catch (IOException x) {
            throw new ConfigurationException(OWNER + "no right to give the socket to user '" + owner.getName() + "'");
        }
    }

    private static Set<PosixFilePermission> permissions(String mode) {
        if (mode == null || !mode.matches("0?[0-7]{3}"))
            throw new ConfigurationException(MODE + "'" + mode + "' (expected: three octal digits, such as 0660)");
        int bits = Integer.parseInt(mode, 8);
        PosixFilePermission[] all = PosixFilePermission.values(); // from OWNER_READ, 0400, to OTHERS_EXECUTE, 0001
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (PosixFilePermission permission : all)
            if ((bits >> all.length - 1 - permission.ordinal() & 1) != 0) permissions.add(permission);
        return permissions;
    }

    private static UserPrincipal user(UserPrincipalLookupService service, String name) throws IOException {
        if (name == null || name.isEmpty()) return null;
        try {
            return service.lookupPrincipalByName(name);
        } catch (UserPrincipalNotFoundException x) {
            throw new ConfigurationException(OWNER + "unknown user '" + name + "'");
        }
    }

    private static GroupPrincipal group(UserPrincipalLookupService service, String name) throws IOException {
        if (name == null || name.isEmpty()) return null;
        try {
            return service.lookupPrincipalByGroupName(name);
        } catch (UserPrincipalNotFoundException x) {
            throw new ConfigurationException(GROUP + "unknown group '" + name + "'");
        }
    }
}
