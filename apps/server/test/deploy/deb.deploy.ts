import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InstalledProgram, useInstalled } from '../installed-program.ts'
import { CHROOT, ROOT, builtWrapper, debianArchive, isHere, runHere } from './here.ts'
import { IDLE_MS, bytesOf, printMeasures } from './measures.ts'

/** The Debian package, installed in the files of a Debian. systemd does not run there, so its unit's command is run. */

const UNIT = join(ROOT, 'deploy/systemd/tollgate.service')
/** Debian's `nobody` stands for the user that systemd invents. */
const file = builtWrapper('.deb') ?? ''
const SERVICE_USER = '65534:65534'

test.skipIf(!isHere('systemd-analyze'))('systemd finds nothing to complain about in the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-unit-'))
  // The program of the unit is not installed on this machine.
  const unit = join(folder, 'tollgate.service')
  writeFileSync(unit, readFileSync(UNIT, 'utf8').replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
  const printed = runHere('systemd-analyze', ['verify', '--man=no', unit])
  rmSync(folder, { recursive: true })
  expect(printed.split('\n').filter((line) => line.includes('tollgate'))).toEqual([])
  const exposure = runHere('systemd-analyze', ['security', '--offline=true', UNIT])
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(exposure)?.[1])).toBeLessThan(2)
})

/** The command of the unit. */
function service(): readonly string[] {
  const [, line = ''] = /^ExecStart=(.+)$/m.exec(readFileSync(UNIT, 'utf8')) ?? []
  return line.split(' ')
}

describe.skipIf(file === '' || !isHere('root', 'chroot', 'mmdebstrap', 'dpkg-deb'))(
  'the package in a chroot',
  () => {
    let folder: string
    let system: string
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'tollgate-deb-'))
      system = join(folder, 'system')
      mkdirSync(system)
      runHere('tar', ['--extract', '--file', debianArchive(), '--directory', system])
      runHere('cp', [file, join(system, 'tollgate.deb')])
      runHere(CHROOT, [system, 'dpkg', '--install', '/tollgate.deb'])
    }, 600_000)
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('its unit is the one in the repository', () => {
      expect(readFileSync(join(system, 'lib/systemd/system/tollgate.service'), 'utf8')).toBe(
        readFileSync(UNIT, 'utf8'),
      )
    })

    const state = { first: '/var/lib/tollgate', second: '/var/lib/second' } as const

    const program: InstalledProgram = {
      command: (args, site) => {
        const place = join(system, state[site])
        mkdirSync(place, { recursive: true, mode: 0o700 })
        runHere('chown', [SERVICE_USER, place])
        const environment = {
          SQLITE_PATH: `${state[site]}/tollgate.db`,
          PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
        }
        if (args.length > 0)
          return { file: CHROOT, args: [system, '/usr/bin/tollgate', ...args], env: environment }
        // The first commands ran as root; what they wrote belongs to the service by now.
        if (site === 'second') runHere('chown', ['-R', SERVICE_USER, place])
        return { file: CHROOT, args: [`--userspec=${SERVICE_USER}`, system, ...service()], env: environment }
      },
      path: (site, name) => `${state[site]}/${name}`,
    }

    test('it bills a call, and its backup is restored and used in another folder', async () => {
      printMeasures('Debian package', await useInstalled(program, { idleMs: IDLE_MS }), bytesOf(file))
    })

    test('what root writes with the commands belongs to the service', () => {
      const owners = runHere(CHROOT, [system, 'find', state.first, '-printf', '%u %p\n'])
      for (const line of owners.trim().split('\n')) expect(line).toMatch(/^nobody /)
    })

    test('removing the package keeps the data', () => {
      runHere(CHROOT, [system, 'dpkg', '--purge', 'tollgate'])
      expect(runHere(CHROOT, [system, 'ls', state.first])).toContain('tollgate.db')
    })
  },
)
