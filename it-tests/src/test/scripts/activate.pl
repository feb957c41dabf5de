#!/usr/bin/perl
# What systemd does for a pair of units, socket and service: listens on a Unix-domain socket, runs a command that has it as
# standard input, and runs it again whenever it ends. It ends itself, and the command, when it is terminated.
#
#     activate.pl <path of the socket> <command> <argument> ...
use strict;
use warnings;
use POSIX ();
use Socket;

my ($path, @command) = @ARGV;
socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
bind($socket, pack_sockaddr_un($path)) or die "bind to $path: $!";
chmod(0600, $path) or die "chmod: $!";
listen($socket, SOMAXCONN) or die "listen: $!";

my $child;
$SIG{TERM} = sub {
    kill('TERM', $child);
    waitpid($child, 0);
    exit;
};
while (1) {
    $child = fork() // die "fork: $!";
    if ($child == 0) {
        $SIG{TERM} = 'DEFAULT';
        POSIX::dup2(fileno($socket), 0) or die "dup2: $!";
        exec { $command[0] } @command or die "exec: $!";
    }
    waitpid($child, 0);
}
