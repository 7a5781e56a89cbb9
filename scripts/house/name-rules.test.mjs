import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../install.mjs'
import { findLineFaults, findNameFaults } from './check.mjs'
import { drawSample } from './draw.mjs'
import { formatExceptions, parseExceptions } from './exception-lists.mjs'
import { readFacts } from './read-facts.mjs'
import { readGlossaryNouns } from './words.mjs'

const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
const path = 'packages/kit/src/x.ts'

const createReader = (texts) => (rule) => parseExceptions(texts[rule] ?? '')

const readAll = (files) => Object.entries(files).map(([name, text]) => readFacts(name, text))

function findFaults(files, lists = {}, before = lists, filesBefore = {}) {
  const facts = readAll(files)
  const previous = { facts: readAll(filesBefore), glossary, readList: createReader(before) }
  return findNameFaults({ facts, glossary }, previous, createReader(lists))
}

describe('the rule for exported functions', () => {
  it.each([
    'export function readText() {}',
    'export const createPool = async () => {}',
    'export function isOpen() {}',
    'export function inputTokens(usage: Usage): bigint { return 1n }',
    'function usageText() {}',
    'export const messages = { text: 1 }',
    'export type { TextOf } from "./y.ts"',
  ])('accepts %s', (text) => {
    expect(findFaults({ [path]: text })).toEqual([])
  })

  it.each([
    'export function textOf() {}',
    'export const usageText = () => ""',
    'function shownName() {}\nexport { shownName }',
    'export async function* lines() {}',
    'export function sizeOf(): number { return 1 }',
    'export function Row() {}',
  ])('refuses %s', (text) => {
    expect(findFaults({ [path]: text })).toEqual([expect.stringContaining('begins with a verb')])
  })

  it('accepts components', () => {
    expect(findFaults({ 'apps/console/src/row.tsx': 'export function Row() { return <p /> }' })).toEqual([])
  })
})

describe('the rule for exported types', () => {
  it.each([
    'export interface HeldCall {}',
    'export type Usage = 1',
    'type Held = 1',
    'export class KeyPool {}',
  ])('accepts %s', (text) => {
    expect(findFaults({ [path]: text })).toEqual([])
  })

  it.each(['export interface Held {}', 'type Place = 1\nexport type { Place }', 'export class Thing {}'])(
    'refuses %s',
    (text) => {
      expect(findFaults({ [path]: text })).toEqual([expect.stringContaining('noun of two words')])
    },
  )

  it('reads words of the glossary, and no retired ones', () => {
    const nouns = readGlossaryNouns(glossary)
    expect(['call', 'super admin', 'admin', 'user', 'usage'].filter((word) => !nouns.has(word))).toEqual([])
    expect(['house', 'word', 'books', '---'].filter((word) => nouns.has(word))).toEqual([])
  })
})

describe('the rule for names in three files', () => {
  const text = 'export const sharedName = 1'
  const two = { 'packages/kit/src/a.ts': text, 'packages/store/src/b.ts': text }

  it('refuses the third file', () => {
    expect(findFaults(two)).toEqual([])
    expect(findFaults({ ...two, 'bench/c.ts': text })).toEqual([expect.stringContaining('sharedName')])
  })

  it('counts the files of a family once', () => {
    const family = ['audit', 'move', 'setup'].map((name) => [
      `apps/server/src/commands/${name}/index.ts`,
      text,
    ])
    expect(findFaults(Object.fromEntries(family))).toEqual([])
  })
})

describe('the rule for stations', () => {
  const admit = 'apps/server/src/relay/stations/admit/admit.ts'

  it('refuses an import of another station, also of types', () => {
    expect(findFaults({ [admit]: "import type { HeldCall } from '../hold/hold.ts'" })).toEqual([
      `${admit}: admit->hold: a station of the relay does not import another station`,
    ])
    expect(findFaults({ [admit]: "export * from '../hold/hold.ts'" })).toHaveLength(1)
  })

  it('accepts imports within a station and from what is no station', () => {
    expect(findFaults({ [admit]: "import './body.ts'\nimport '../../call.ts'" })).toEqual([])
  })
})

describe('a list of exceptions', () => {
  const files = { [path]: 'export function textOf() {}' }
  const list = 'scripts/house/exceptions/functions-without-verb.txt'

  it('lets pass what it names', () => {
    expect(findFaults(files, { 'functions-without-verb': 'textOf\n' })).toEqual([])
  })

  it('refuses more than the number that it names', () => {
    const twice = { ...files, 'packages/store/src/y.ts': 'export function textOf() {}' }
    expect(findFaults(twice, { 'functions-without-verb': 'textOf\n' })).toEqual([
      expect.stringContaining('textOf (2 times, 1 are listed)'),
    ])
    expect(findFaults(twice, { 'functions-without-verb': 'textOf 2\n' })).toEqual([])
  })

  it('does not matter for what the base of the change did already', () => {
    const facts = [readFacts(path, files[path])]
    const before = { facts, glossary, readList: createReader({}) }
    expect(findNameFaults({ facts, glossary }, before, createReader({}))).toEqual([])
    const listed = createReader({ 'functions-without-verb': 'gone\ntextOf\n' })
    expect(findNameFaults({ facts, glossary }, { ...before, readList: listed }, listed)).toEqual([])
  })

  it('may not grow', () => {
    expect(findFaults(files, { 'functions-without-verb': 'textOf\n' }, {})).toEqual([
      `${list}: textOf: the list only shrinks`,
    ])
  })

  it('asks to remove what follows the rule now', () => {
    const lists = { 'functions-without-verb': 'textOf\n' }
    expect(findFaults({}, lists, lists, files)).toEqual([
      `${list}: textOf follows the rule now. Remove it: npm run house -- write`,
    ])
  })

  it('has the smallest number when a merge left several, and is sorted', () => {
    expect(formatExceptions(parseExceptions('b 3\na\nb 2\n'))).toBe('a\nb 2\n')
  })
})

const findOnLines = (text, lines) => findLineFaults([{ path, text }], new Map([[path, new Set(lines)]]))

describe('the rule for new and touched lines', () => {
  it.each([
    'const found = 1',
    'function f(told: string) {}',
    'const { a: given } = b',
    'for (const asked of list) f()',
    'class A { constructor(private known: string) {} }',
    'const f = ([made]) => 1',
    'try { f() } catch { let left = 1 }',
    'const textOf = () => 1',
    'interface Held {}',
  ])('refuses %s', (text) => {
    const inside = `export function run() {\n${text}\n}`
    expect(findOnLines(inside, [2])).toHaveLength(1)
    expect(findOnLines(inside, [1, 3])).toEqual([])
  })

  it.each([
    'const usage = 1',
    'const { left } = edges',
    'list.sort((left, right) => left - right)',
    'f(found)',
  ])('accepts %s', (text) => {
    expect(findOnLines(`export function run() {\n${text}\n}`, [2])).toEqual([])
  })

  it('leaves tests and unchanged files alone', () => {
    const text = 'const found = 1'
    expect(findLineFaults([{ path, text }], new Map())).toEqual([])
    const test = 'packages/kit/src/x.test.ts'
    expect(findLineFaults([{ path: test, text }], new Map([[test, new Set([1])]]))).toEqual([])
  })
})

describe('the drawn sample', () => {
  const sources = [{ path, text: '// One small sentence stands here.\nexport function readText(name) {}\n' }]
  const documents = [
    {
      path: 'a.md',
      text: '# Title\n\nIt has two sentences here. Both can be drawn.\n\n```\nnpm run no prose\n```\n',
    },
  ]
  const draw = (seed) => drawSample(sources, documents, { seed, count: 6 })

  it('has sentences and names with their places, the same for the same commit', () => {
    expect(draw('abc')).toEqual(draw('abc'))
    expect(draw('abc').toSorted()).toEqual([
      'a.md:3  Both can be drawn.',
      'a.md:3  It has two sentences here.',
      `${path}:1  One small sentence stands here.`,
      `${path}:2  name`,
      `${path}:2  readText`,
    ])
  })

  it('has nothing of an empty repository', () => {
    expect(drawSample([], [], { seed: 'abc', count: 6 })).toEqual([])
  })
})
