#!/bin/sh
# Installs what the integration tests drive and the machine lacks: web servers, PostgreSQL, wrk for the load test,
# and for the status a browser and a reader of OpenMetrics.
# Needs Debian's or Ubuntu's apt, and root. Does nothing, quietly, when everything is there.
set -eu

# Each line: the command or file, perhaps as a pattern, that must exist, and the package that brings it.
missing=$(
    while read -r command package; do
        ls $command >/dev/null 2>&1 || PATH="$PATH:/usr/sbin" command -v "$command" >/dev/null 2>&1 || echo "$package"
    done <<LIST
nginx nginx
apache2 apache2-bin
/usr/lib/apache2/modules/mod_xsendfile.so libapache2-mod-xsendfile
/usr/lib/apache2/modules/mod_fcgid.so libapache2-mod-fcgid
lighttpd lighttpd
/usr/lib/lighttpd/mod_openssl.so lighttpd-mod-openssl
haproxy haproxy
caddy caddy
h2o h2o
wrk wrk
chromium chromium
chromedriver chromium-driver
cgi-fcgi libfcgi-bin
/usr/lib/python3/dist-packages/prometheus_client python3-prometheus-client
perl perl-base
memcached memcached
/usr/sbin/php-fpm* php-fpm
systemd-analyze systemd
/usr/lib/postgresql/*/bin/initdb postgresql
LIST
)
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" -ne 0 ]; then
    echo "missing: $(echo $missing); only root can install them, and only with apt" >&2
    exit 1
fi

# No package may start a service of its own while it is installed.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
failed=
for package in $missing; do
    apt-get install -qq -y --no-install-recommends "$package" >/dev/null || failed="$failed $package"
done
[ -z "$failed" ] || { echo "can't be installed:$failed" >&2; exit 1; }
