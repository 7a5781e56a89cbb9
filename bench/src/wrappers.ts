import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'

/** A form in which the gateway is installed, ready to be started. */
export interface Wrapper {
  readonly key: string
  readonly name: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The folder of the database, as the program sees it. */
  readonly data: string
  readonly diskBytes?: number
  /** As it is downloaded. */
  readonly packedBytes?: number
}

interface Places {
  /** The checkout, with `release/` and `dist/`. */
  readonly root: string
  readonly work: string
}

/** Installs everything that is in `release/` below `work`. */
export function openWrappers(places: Places): readonly Wrapper[] {
  const { root } = places
  const release = join(root, 'release')
  if (!existsSync(release))
    throw new Error('There is no release/: run npm run release -- --skip-tests first.')
  const named = (pattern: RegExp): string => {
    const name = readdirSync(release).find((one) => pattern.test(one))
    if (name === undefined) throw new Error(`release/ has no file ${String(pattern)}`)
    return join(release, name)
  }
  return [
    imageTree(places),
    npmPackage(places, named(/^tollgate-\d.*\.tgz$/)),
    debianPackage(places, named(/\.deb$/)),
    singleProgram(places, named(new RegExp(`-${process.platform}-${process.arch}$`))),
    { key: 'sources', name: 'sources, `npm start`', command: startOf(root), data: folder(places, 'sources') },
  ]
}

function startOf(root: string): readonly string[] {
  return [process.execPath, join(root, 'scripts/start.mjs')]
}

/** What the image has beside its base: the bundle in a folder of its own. */
function imageTree({ root, work }: Places): Wrapper {
  const tree = join(work, 'image')
  run('cp', ['-r', join(root, 'dist'), tree])
  const archive = join(work, 'image.tar.gz')
  run('tar', ['--create', '--gzip', '--file', archive, '--directory', tree, '.'])
  return {
    key: 'image',
    name: 'image, without its base',
    command: [process.execPath, join(tree, 'bin/tollgate.mjs')],
    data: folder({ root, work }, 'image-data'),
    diskBytes: bytesOf(tree),
    packedBytes: statSync(archive).size,
  }
}

function npmPackage(places: Places, file: string): Wrapper {
  const tree = folder(places, 'npm')
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--offline', '--prefix', tree, file])
  return {
    key: 'npm',
    name: 'npm package, installed',
    command: [process.execPath, join(tree, 'node_modules/tollgate/bin/tollgate.mjs')],
    data: folder(places, 'npm-data'),
    diskBytes: bytesOf(join(tree, 'node_modules')),
    packedBytes: statSync(file).size,
  }
}

function debianPackage(places: Places, file: string): Wrapper {
  const system = folder(places, 'deb')
  const debian = join(places.root, 'node_modules/.cache/deploy/debian.tar')
  const isChroot = process.getuid?.() === 0 && existsSync(debian)
  if (isChroot) {
    run('tar', ['--extract', '--file', debian, '--directory', system])
    run('cp', [file, join(system, 'tollgate.deb')])
    run('chroot', [system, 'dpkg', '--install', '/tollgate.deb'])
    mkdirSync(join(system, 'var/lib/tollgate'), { recursive: true })
  } else run('dpkg-deb', ['--extract', file, system])
  const own = join(system, 'usr/lib/tollgate')
  return {
    key: 'deb',
    name: `Debian package, with Node${isChroot ? ', in a Debian' : ''}`,
    // As its unit starts it.
    command: isChroot
      ? ['chroot', system, '/usr/lib/tollgate/node', '/usr/lib/tollgate/bin/tollgate.mjs', 'start']
      : [join(own, 'node'), join(own, 'bin/tollgate.mjs'), 'start'],
    ...(isChroot && { env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } }),
    data: isChroot ? '/var/lib/tollgate' : folder(places, 'deb-data'),
    diskBytes: bytesOf(own),
    packedBytes: statSync(file).size,
  }
}

/** Its files are unpacked at the first start, into a cache folder that counts as part of it. */
function singleProgram(places: Places, file: string): Wrapper {
  const packed = join(places.work, 'program.gz')
  writeFileSync(packed, gzipSync(readFileSync(file)))
  return {
    key: 'program',
    name: 'single program, with Node',
    command: [file],
    env: { HOME: folder(places, 'home') },
    data: folder(places, 'program-data'),
    diskBytes: statSync(file).size + bytesOf(join(places.root, 'dist')),
    packedBytes: statSync(packed).size,
  }
}

function folder({ work }: Places, name: string): string {
  const path = join(work, name)
  mkdirSync(path, { recursive: true })
  return path
}

function bytesOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function run(file: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(file, [...args], { encoding: 'utf8' })
  if (error ?? status !== 0) throw new Error(`${file} ${args.join(' ')} failed: ${error?.message ?? stderr}`)
}
