import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../install.mjs'
import { textFiles } from '../text/files.mjs'
import { deadLinks, sitePages, titleOf } from './pages.mjs'
import { referencePages } from './reference.mjs'
import { countSamples, faultySamples } from './samples.mjs'
import { sidebarOf } from './sidebar.mjs'
import { withChineseTables } from './zh/tables.mjs'

const pages = sitePages(withChineseTables(textFiles()), referencePages())
const isAsset = (path) => existsSync(join(root, 'docs', path.replace(/^zh\//, '')))

it('the pages are found', () => {
  expect(pages.size).toBeGreaterThan(80)
})

it('every link leads to a page, a heading or a picture', () => {
  expect(deadLinks(pages, isAsset)).toEqual([])
})

it('links to nowhere are found', () => {
  const broken = new Map([
    ['a.md', '# A\n[x](b.md) [y](#none) [z](/c) ![p](p.png) `[not](a.link)`'],
    ['b.md', '# B'],
  ])
  expect(deadLinks(broken, () => false)).toEqual([
    'a.md: no heading for #none',
    'a.md: nothing at /c',
    'a.md: nothing at p.png',
  ])
})

it('a link to a file that is no page becomes its name', () => {
  const files = [
    { path: 'docs/guides/a.md', text: 'see [the alerts](../../deploy/alerts.yml) and [B](../b.md)' },
  ]
  const [text] = sitePages(files, new Map([['b.md', '# B']]))
    .values()
    .toArray()
    .slice(-1)
  expect(text).toBe('see `the alerts` and [B](/b.md)')
})

it('every code sample can be read', { timeout: 60_000 }, () => {
  const guides = new Map([...pages].filter(([path]) => /guides\/|index|zh\//.test(path)))
  expect(countSamples(guides)).toBeGreaterThan(50)
  expect(faultySamples(guides)).toEqual([])
})

it('broken samples are found', () => {
  const broken = new Map([
    ['a.md', '```json\n{"a":}\n```\n```ts\nconst a: = 1\n```\n```sh\nif true; then\n```\n'],
  ])
  expect(faultySamples(broken)).toHaveLength(3)
})

it('every guide is in Chinese too', () => {
  const missing = [...pages.keys()].filter((path) => path.startsWith('guides/') && !pages.has(`zh/${path}`))
  expect(missing).toEqual([])
})

it('every reference page is in Chinese too, but for the report of measurements', () => {
  const missing = [...pages.keys()].filter(
    (path) => path.startsWith('reference/') && !pages.has(`zh/${path}`),
  )
  expect(missing).toEqual(['reference/performance.md'])
})

it('every page has a title and a place in the side bar of each language', () => {
  for (const [path, text] of pages) if (!path.endsWith('index.md')) expect(titleOf(text), path).not.toBe('')
  for (const language of ['en', 'zh']) {
    const listed = sidebarOf(pages, language).flatMap(({ items }) => items.map(({ link }) => link))
    expect(new Set(listed).size).toBe(listed.length)
    const missing = [...pages.keys()]
      .filter((path) => !path.startsWith('zh/') && path !== 'index.md')
      .filter(
        (path) =>
          ![path, `zh/${path}`].some((each) => listed.includes(`/${each.replace(/(?:index)?\.md$/, '')}`)),
      )
    expect(missing).toEqual([])
  }
})
