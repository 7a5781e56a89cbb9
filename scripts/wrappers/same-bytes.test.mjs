import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyConsole } from '../bundle/build.mjs'
import { root } from '../install.mjs'
import { signRelease, writeChecksums } from './checksums.mjs'
import { packChart } from './chart.mjs'
import { buildDeb } from './deb.mjs'
import { programBlob } from './executable.mjs'
import { packNpm } from './npm-package.mjs'

/** A small bundle in two folders, whose files have other times: what is made of it has the same bytes. */

const EPOCH = 1_700_000_000
const has = (file) => spawnSync(file, ['--version'], { stdio: 'ignore' }).error === undefined

let work
let checkouts
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'tollgate-same-bytes-'))
  checkouts = ['first', 'second/and deeper'].map((name, index) =>
    makeBundle(join(work, name), EPOCH + 1000 * index),
  )
})
afterEach(() => rmSync(work, { recursive: true }))

function makeBundle(folder, seconds) {
  const files = {
    'package.json': '{"name":"tollgate","version":"1.2.3","bin":{"tollgate":"bin/tollgate.mjs"}}',
    'bin/tollgate.mjs': '#!/usr/bin/env node\n',
    'program/program.js': 'export {}\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
    utimesSync(join(folder, name), seconds, seconds)
  }
  chmodSync(join(folder, 'bin/tollgate.mjs'), 0o755)
  return folder
}

/** The hashes of what `make` puts into a folder for each of the two bundles. */
async function hashesOf(make) {
  const hashes = []
  for (const [index, from] of checkouts.entries()) {
    const folder = join(work, `made ${index}`)
    mkdirSync(folder)
    const made = await make({ from, folder })
    hashes.push(createHash('sha256').update(readFileSync(made)).digest('hex'))
  }
  return hashes
}

async function expectSame(make) {
  const [first, second] = await hashesOf(make)
  expect(first).toBe(second)
}

it('the npm package', () => expectSame(({ from, folder }) => packNpm(folder, from)))

const packOurChart = ({ from, folder }) => packChart({ from, folder, version: '1.2.3', epoch: EPOCH })

it('the Helm chart', async () => {
  for (const checkout of checkouts)
    writeFileSync(join(checkout, 'Chart.yaml'), 'name: tollgate\nversion: 1.2.3\n')
  await expectSame(packOurChart)
  const archive = packOurChart({ from: checkouts[0], folder: work })
  expect(spawnSync('tar', ['tzvf', archive], { encoding: 'utf8' }).stdout).toContain(
    'tollgate/bin/tollgate.mjs',
  )
  expect(() => packChart({ from: checkouts[0], folder: work, version: '2.0.0', epoch: EPOCH })).toThrow(
    'Chart.yaml has the version 1.2.3, and the release is 2.0.0',
  )
})

it('the part of the single program that is ours', () =>
  expectSame(({ from, folder }) => {
    const blob = join(folder, 'blob')
    writeFileSync(blob, programBlob(from))
    expect(readFileSync(blob).includes(root)).toBe(false)
    return blob
  }))

it.skipIf(!has('dpkg-deb'))('the Debian package', () => {
  const runtime = { program: join(work, 'first/bin/tollgate.mjs'), licence: join(work, 'first/package.json') }
  return expectSame(({ from, folder }) => buildDeb({ from, folder, runtime, version: '1.2.3', epoch: EPOCH }))
})

it('the console is bundled without the note of its build, which has times of files', () => {
  writeFileSync(join(work, 'first/.built-from'), 'times')
  copyConsole(join(work, 'first'), join(work, 'console'))
  expect(readdirSync(join(work, 'console')).sort()).toEqual(['bin', 'package.json', 'program'])
})

it.skipIf(!has('minisign'))('the checksums are signed with the key of the environment', () => {
  const [key, own] = [join(work, 'key'), join(work, 'key.pub')]
  expect(spawnSync('minisign', ['-G', '-W', '-s', key, '-p', own]).status).toBe(0)
  const folder = join(work, 'release')
  cpSync(join(work, 'first'), folder, { recursive: true, filter: (path) => !path.includes('/bin') })
  rmSync(join(folder, 'program'), { recursive: true })
  const sums = writeChecksums(folder)
  const signature = signRelease(folder, { key, version: '1.2.3' })
  const check = () => spawnSync('minisign', ['-V', '-p', own, '-m', sums, '-x', signature]).status
  expect(check()).toBe(0)
  writeFileSync(sums, `${readFileSync(sums, 'utf8')} `)
  expect(check()).toBe(1)
})

it('a key that is no key ends the release with a sentence', () => {
  const wrong = join(work, 'wrong')
  writeFileSync(wrong, 'no key')
  writeChecksums(join(work, 'first/program'))
  expect(() => signRelease(join(work, 'first/program'), { key: wrong, version: '1.2.3' })).toThrow(
    /^minisign could not sign: /,
  )
  expect(process.exitCode).toBeUndefined()
})
