// The servers and other programs that tests need: one row for each, read by the scripts and by the tests.

/**
 * @typedef {{ port: number, data: string, paths: Record<string, string> }} ServerPlace
 *   `data` is an empty folder of the server's own; `paths` has the path of each of its programs
 * @typedef {object} ServerVariant one of the programs that can play the server
 * @property {string[]} programs all have to be there; the first one is the server
 * @property {(place: ServerPlace) => string[][]} [prepare] commands that run before the first start
 * @property {(place: ServerPlace) => string[]} args
 * @typedef {object} ServerRow
 * @property {string} label
 * @property {string} [variable] names the address of a server that all tests share. Without it, each test file starts
 *   its own, because it needs one with an account or for itself.
 * @property {string} [usual] the address that is tried when the variable is not set
 * @property {(port: number) => string} url the address of one that was started here
 * @property {string[]} packages of Debian and Ubuntu; a choice of several packages together has spaces
 * @property {string[]} [users] the server refuses root, so it runs as the first of these that exists
 * @property {RegExp} ready what its log says when it answers
 * @property {NodeJS.Signals} signal ends it at once; its data are thrown away
 * @property {ServerVariant[]} variants
 */

const MYSQL_ARGS = ['--bind-address=127.0.0.1', '--socket=own.sock', '--skip-log-bin']

/** @type {Record<'postgres' | 'mysql' | 'redis' | 'nats', ServerRow>} */
export const SERVERS = {
  postgres: {
    label: 'PostgreSQL',
    variable: 'TOLLGATE_TEST_POSTGRES',
    usual: 'postgres://postgres@127.0.0.1:5432/postgres',
    url: (port) => `postgres://postgres@127.0.0.1:${port}/postgres`,
    packages: ['postgresql'],
    users: ['postgres', 'nobody'],
    ready: /ready to accept connections/,
    signal: 'SIGQUIT',
    variants: [
      {
        programs: ['postgres', 'initdb'],
        prepare: ({ data, paths }) => [
          [
            paths['initdb'],
            '-D',
            data,
            '--username=postgres',
            '--auth=trust',
            '--encoding=UTF8',
            '--locale=C.UTF-8',
            '--no-sync',
            '--no-instructions',
          ],
        ],
        // It can be reached by TCP only: the path of a socket in a deep folder would be too long.
        args: ({ port, data }) => [
          '-D',
          data,
          '-p',
          String(port),
          '-c',
          'listen_addresses=127.0.0.1',
          '-c',
          'unix_socket_directories=',
        ],
      },
    ],
  },
  mysql: {
    label: 'MariaDB or MySQL',
    variable: 'TOLLGATE_TEST_MYSQL',
    usual: 'mysql://root@127.0.0.1:3306/mysql',
    url: (port) => `mysql://root@127.0.0.1:${port}/mysql`,
    // The packages named "core" bring no service.
    packages: ['mariadb-server-core mariadb-client-core', 'mariadb-server', 'mysql-server-core-8.0'],
    users: ['mysql', 'nobody'],
    ready: /ready for connections/,
    signal: 'SIGKILL',
    variants: [
      {
        // The last one is called by the second one.
        programs: ['mariadbd', 'mariadb-install-db', 'my_print_defaults'],
        prepare: ({ data, paths }) => [
          [
            paths['mariadb-install-db'],
            '--no-defaults',
            `--datadir=${data}`,
            '--auth-root-authentication-method=normal',
            '--skip-test-db',
            // Otherwise it ends where no name server knows the name of this machine.
            '--force',
          ],
        ],
        args: ({ port, data }) => [
          '--no-defaults',
          `--datadir=${data}`,
          `--port=${port}`,
          ...MYSQL_ARGS,
          '--character-set-server=utf8mb4',
          '--collation-server=utf8mb4_general_ci',
        ],
      },
      {
        programs: ['mysqld'],
        prepare: ({ data, paths }) => [
          [paths['mysqld'], '--no-defaults', `--datadir=${data}`, '--initialize-insecure'],
        ],
        args: ({ port, data }) => [
          '--no-defaults',
          `--datadir=${data}`,
          `--port=${port}`,
          ...MYSQL_ARGS,
          '--mysqlx=OFF',
        ],
      },
    ],
  },
  redis: {
    label: 'Redis',
    variable: 'TOLLGATE_TEST_REDIS',
    usual: 'redis://127.0.0.1:6379',
    url: (port) => `redis://127.0.0.1:${port}`,
    packages: ['redis-server', 'valkey-server'],
    ready: /[Rr]eady to accept connections/,
    signal: 'SIGKILL',
    variants: ['redis-server', 'valkey-server'].map((program) => ({
      programs: [program],
      args: ({ port, data }) => [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        data,
        '--save',
        '',
        '--appendonly',
        'no',
      ],
    })),
  },
  nats: {
    label: 'NATS',
    url: (port) => `nats://gateway:a%20password@127.0.0.1:${port}`,
    packages: ['nats-server'],
    ready: /Server is ready/,
    signal: 'SIGKILL',
    variants: [
      {
        programs: ['nats-server'],
        args: ({ port, data }) => [
          '-js',
          '-sd',
          data,
          '-a',
          '127.0.0.1',
          '-p',
          String(port),
          '--user',
          'gateway',
          '--pass',
          'a password',
        ],
      },
    ],
  },
}

/** Debian's packages of the other programs that tests start, by the command that runs those tests. */
export const PROGRAM_PACKAGES = {
  deploy: {
    nginx: 'nginx-light',
    haproxy: 'haproxy',
    caddy: 'caddy',
    pgbouncer: 'pgbouncer',
    buildah: 'buildah',
    mmdebstrap: 'mmdebstrap',
    'dpkg-deb': 'dpkg',
    chroot: 'coreutils',
    unzip: 'unzip',
    'systemd-analyze': 'systemd',
  },
  ops: {
    promtool: 'prometheus',
    prometheus: 'prometheus',
    'prometheus-alertmanager': 'prometheus-alertmanager',
  },
}
