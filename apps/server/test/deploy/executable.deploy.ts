import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InstalledProgram, type Site, useInstalled } from '../installed-program.ts'
import { builtWrapper, runHere } from './here.ts'
import { IDLE_MS, bytesOf, printMeasures } from './measures.ts'

/** The single program, in a folder with nothing else. */

let folder: string
const file = builtWrapper(`-${process.platform}-${process.arch}`) ?? ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-executable-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function programWith(environment: Record<string, string> = {}): InstalledProgram {
  const folderOf = (site: Site): string => {
    const path = join(folder, `site-${site}-${environment['WORKERS'] ?? 1}`)
    mkdirSync(path, { recursive: true })
    return path
  }
  return {
    command: (args, site) => ({
      file,
      args,
      cwd: folderOf(site),
      env: { PATH: '/nowhere', HOME: join(folder, 'home'), ...environment },
    }),
    path: (site, name) => join(folderOf(site), name === 'secrets.json' ? 'data' : '.', name),
  }
}

test.skipIf(file === '')(
  'the single program bills a call, and its backup is restored and used in another folder',
  async () => {
    printMeasures('single program', await useInstalled(programWith(), { idleMs: IDLE_MS }), bytesOf(file))
  },
)

test.skipIf(file === '')('the single program runs several workers', async () => {
  const { readyMs } = await useInstalled(programWith({ WORKERS: '2' }))
  expect(readyMs).toBeGreaterThan(0)
})

test.skipIf(file === '')('an unpacked file that was changed is replaced before the program runs', () => {
  const cache = join(folder, 'home/.cache/tollgate')
  const [id = ''] = readdirSync(cache).filter((name) => /^[0-9a-f]{16}$/.test(name))
  writeFileSync(join(cache, id, 'program/program.js'), 'process.stdout.write("changed")')
  const printed = runHere(file, ['--version'], { HOME: join(folder, 'home') })
  expect(printed).toMatch(/^\d+\.\d+\.\d+\n$/)
})
