import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { obstacleTo } from './release-obstacles.mjs'

/** Each obstacle is one line, and is found before anything is built. */

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-obstacles-'))
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
})
afterEach(() => rmSync(folder, { recursive: true }))

const look = (changes = {}) =>
  obstacleTo({ options: [], env: { PATH: process.env['PATH'] }, platform: 'any', from: folder, ...changes })
const withKey = (key) => look({ env: { PATH: process.env['PATH'], MINISIGN_KEY: key } })

it('a clean checkout has none', () => {
  expect(look()).toBeUndefined()
  expect(look({ options: ['--skip-tests'] })).toBeUndefined()
})

it('an option that does not exist is named', () => {
  expect(look({ options: ['--skip-test'] })).toBe('--skip-test is no option; --skip-tests is the only one.')
})

it('changes that are not committed are named', () => {
  writeFileSync(join(folder, 'a file'), '')
  writeFileSync(join(folder, 'second'), '')
  expect(look()).toBe('A release is made of a commit: "a file" and 1 more changed. Commit or stash first.')
})

it('a time that is no number of seconds is refused', () => {
  expect(look({ env: { SOURCE_DATE_EPOCH: 'today' } })).toBe(
    'SOURCE_DATE_EPOCH=today is no time in seconds since 1970.',
  )
})

it('a tool that is missing is named with its package', () => {
  expect(look({ env: { PATH: folder }, platform: 'linux' })).toBe(
    'dpkg-deb is missing (Debian: apt-get install dpkg).',
  )
  expect(look({ env: { PATH: folder, MINISIGN_KEY: 'key' } })).toBe(
    'minisign is missing (Debian: apt-get install minisign).',
  )
})

const hasMinisign = spawnSync('minisign', ['--version'], { stdio: 'ignore' }).error === undefined
it.skipIf(!hasMinisign)('a key that is none is refused, and a real one is taken', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'tollgate-key-'))
  const key = join(elsewhere, 'key')
  expect(withKey(key)).toBe(`MINISIGN_KEY=${key} names no file.`)
  writeFileSync(key, 'no key')
  expect(withKey(key)).toBe(`MINISIGN_KEY=${key} is no secret key of minisign.`)
  spawnSync('minisign', ['-G', '-f', '-W', '-s', key, '-p', join(elsewhere, 'key.pub')])
  expect(withKey(key)).toBeUndefined()
  rmSync(elsewhere, { recursive: true })
})
