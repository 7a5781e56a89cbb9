// Finds programs on this machine, and installs Debian's packages of missing ones where that is allowed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Where packages put programs that may not be on the PATH. */
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
/** Debian keeps each version of PostgreSQL in its own folder. */
const VERSIONS = '/usr/lib/postgresql'

/**
 * The path of a program, or `undefined`. The newest of several versions of PostgreSQL is chosen.
 * @param {string} name
 * @param {{ path?: string, folders?: string[], versions?: string }} [places]
 */
export function findProgram(
  name,
  { path = process.env['PATH'], folders = FOLDERS, versions = VERSIONS } = {},
) {
  return [...listVersions(versions), ...(path ?? '').split(':').filter(Boolean), ...folders]
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

/**
 * Installs the packages of the programs that are missing, and returns the names of those that still are.
 * @param {Record<string, string>} packages the package of each program
 */
export async function ensurePrograms(packages, find = findProgram) {
  const findMissing = () => Object.keys(packages).filter((name) => !find(name))
  await installPackages([...new Set(findMissing().map((name) => packages[name]))].map((name) => [name]))
  return findMissing()
}

/** Why packages cannot be installed here, or `undefined` where they can. */
export function findInstallObstacle() {
  if (!existsSync('/etc/debian_version') || !findProgram('apt-get')) return 'this is not Debian or Ubuntu'
  return process.getuid?.() === 0 ? undefined : 'only root may install it'
}

/**
 * Installs the first available package of each list, and returns whether everything went well. The packages stay;
 * none of their services is started, and no cluster of PostgreSQL is created.
 * @param {string[][]} alternatives
 */
export async function installPackages(alternatives) {
  if (alternatives.length === 0) return true
  if (findInstallObstacle()) return false
  process.stdout.write(`Installing ${alternatives.map(([first]) => first).join(', ')} …\n`)
  const child = spawn('/bin/sh', ['-c', buildScript(alternatives)], {
    stdio: 'ignore',
    // In a group of its own, so that Ctrl-C does not leave packages half installed.
    detached: true,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1', RUNLEVEL: '1' },
  })
  const [code] = await once(child, 'close')
  return code === 0
}

const APT_INSTALL =
  'timeout 900 apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold'

/**
 * One run installs at a time: others wait for the lock on a folder that every Debian has. What the script writes
 * outside the packages is restored when it ends, and what a killed script left is replaced by the next.
 */
function buildScript(alternatives) {
  const one = alternatives.map(
    (names) => `{ ${names.map((name) => `${APT_INSTALL} ${name}`).join(' || ')}; }`,
  )
  return `
exec 9</var/lib/dpkg && flock 9
policy=/usr/sbin/policy-rc.d
cluster=/etc/postgresql-common/createcluster.conf
template=/usr/share/postgresql-common/createcluster.conf
mark='# written while the tests of Tollgate install packages'
restore() {
  grep -qs "$mark" $policy && rm -f $policy
  if grep -qs "$mark" $cluster; then
    rm -f $cluster $cluster.ucf-dist
    if [ -n "$before" ]; then printf '%s\\n' "$before" > $cluster
    elif [ -e $template ]; then cp $template $cluster
    else rmdir /etc/postgresql-common 2>/dev/null
    fi
  fi
}
before=
restore
trap restore EXIT
trap 'exit 1' INT TERM HUP
if [ ! -e $policy ]; then
  printf '#!/bin/sh\\n%s\\nexit 101\\n' "$mark" > $policy && chmod 755 $policy
fi
[ -e $cluster ] && before=$(cat $cluster)
mkdir -p /etc/postgresql-common
printf '%s\\ncreate_main_cluster = false\\n' "$mark" > $cluster
timeout 300 apt-get update -q -o Acquire::Retries=0
${APT_INSTALL} ${alternatives.map(([first]) => first).join(' ')} && exit 0
failed=0
${one.map((command) => `${command} || failed=1`).join('\n')}
exit $failed
`
}

function listVersions(folder) {
  let names
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.sort((a, b) => Number(b) - Number(a)).map((name) => join(folder, name, 'bin'))
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
