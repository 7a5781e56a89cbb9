import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InstalledProgram, useInstalled } from '../installed-program.ts'
import { CHROOT, ROOT, debianArchive, isHere, runHere } from './here.ts'
import { IDLE_MS, bytesOf, printMeasures } from './measures.ts'

/**
 * The image, built by buildah on a Debian with the pinned Node. No container engine is needed: the image's own
 * command runs with its user and its environment in a chroot of its files.
 */

const BUILDAH = { BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' }
const BASE = 'localhost/tollgate-test-base'
const IMAGE = 'localhost/tollgate-test'
const ARGUMENTS = ['--build-arg', `BASE=${BASE}`, '--build-arg', 'BUNDLE=folder']

interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly WorkingDir: string
  readonly Volumes: Readonly<Record<string, object>>
  readonly StopSignal: string
  readonly Labels: Readonly<Record<string, string>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

function buildah(...args: readonly string[]): string {
  return runHere('buildah', args, BUILDAH).trim()
}

describe.skipIf(!isHere('root', 'chroot', 'mmdebstrap', 'buildah'))('the image', () => {
  let folder: string
  let system: string
  let container: string
  let image: ImageConfig
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'))
    runHere('cp', [debianArchive(), join(folder, 'debian.tar')])
    runHere('cp', [process.execPath, join(folder, 'node')])
    writeFileSync(
      join(folder, 'Dockerfile'),
      'FROM scratch\nADD debian.tar /\nCOPY node /usr/local/bin/node\nENV PATH=/usr/local/bin:/usr/bin:/bin\n',
    )
    buildah('build', '--format=docker', '--tag', BASE, folder)
    buildah(
      'build',
      '--format=docker',
      '--tag',
      IMAGE,
      '--file',
      join(ROOT, 'deploy/Dockerfile'),
      ...ARGUMENTS,
      ROOT,
    )
    container = buildah('from', '--pull-never', IMAGE)
    system = buildah('mount', container)
    image = JSON.parse(buildah('inspect', '--type=image', IMAGE)).Docker.config
  }, 600_000)
  afterAll(() => {
    if (container) buildah('rm', container)
    buildah('rmi', '--force', IMAGE, BASE)
    rmSync(folder, { recursive: true, force: true })
  })

  test('it names its user, volume, health check, stop signal and labels', () => {
    expect(image).toMatchObject({
      User: '1000:1000',
      WorkingDir: '/data',
      Volumes: { '/data': {} },
      StopSignal: 'SIGTERM',
      Cmd: ['start'],
      Labels: { 'org.opencontainers.image.title': 'Tollgate', 'org.opencontainers.image.licenses': 'MIT' },
    })
    expect(image.Healthcheck.Test[0]).toBe('CMD')
  })

  const place = { first: '/data', second: '/data/second' } as const

  /** Nothing but `/data` can be written, because the files belong to root and the program does not run as root. */
  function inside(args: readonly string[], site: keyof typeof place) {
    const own = Object.fromEntries(
      image.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    const second = { SQLITE_PATH: '/data/second/tollgate.db' }
    const options = [`--userspec=${image.User}`, system, '/usr/bin/env', '--chdir', image.WorkingDir]
    return {
      file: CHROOT,
      args: [...options, ...args],
      env: { ...own, PORT: '0', ...(site === 'second' && second) },
    }
  }

  const program: InstalledProgram = {
    command: (args, site) => {
      if (site === 'second')
        runHere('install', ['-d', '-o', '1000', '-g', '1000', join(system, place.second)])
      return inside([...image.Entrypoint, ...(args.length > 0 ? args : image.Cmd)], site)
    },
    path: (site, name) => `${place[site]}/${name}`,
  }

  test('its command bills a call, and its backup is restored and used in another folder', async () => {
    printMeasures(
      'image',
      await useInstalled(program, { idleMs: IDLE_MS }),
      bytesOf(join(system, 'opt/tollgate')),
    )
  })

  test('its health check fails while nothing listens', () => {
    const { file, args, env } = inside(image.Healthcheck.Test.slice(1), 'first')
    expect(() => runHere(file, args, { ...env, PORT: '1' })).toThrow('ended with 1')
  })

  test('its command runs in a container', () => {
    expect(buildah('run', container, '--', '/usr/local/bin/tollgate', '--version')).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
