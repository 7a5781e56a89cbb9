import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './install.mjs'
import { textFiles } from './text/files.mjs'

const LINES_MAX = 300

const sources = [...textFiles()].filter(({ path }) => /\.(?:tsx?|mjs)$/.test(path))

const isExempt = (path) => /\.test\.(?:tsx?|mjs)$|\/i18n\.ts$/.test(path)
const isLong = ({ path, text }) => !isExempt(path) && text.split('\n').length - 1 > LINES_MAX
const isBesideFolder = ({ path }) => existsSync(join(root, path.replace(/\.\w+$/, '')))

it('the sources are found', () => {
  expect(sources.length).toBeGreaterThan(1_000)
})

it('no file of code is longer than 300 lines', () => {
  expect(sources.filter(isLong).map(({ path }) => path)).toEqual([])
})

it('a file that a folder is named after is the index of that folder', () => {
  expect(sources.filter(isBesideFolder).map(({ path }) => path)).toEqual([])
})

/** Channel settings are read as members of `ChannelSettings`, which the compiler knows. */
const readsSettingByName = ({ path, text }) =>
  /^(?:apps\/server|packages)\//.test(path) &&
  !isExempt(path) &&
  /\b(?:setting|settings)\??\.?\[['"`]/.test(text)

it('no channel setting is read by a name in quotes', () => {
  expect(sources.filter(readsSettingByName).map(({ path }) => path)).toEqual([])
})
