import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { commonTexts } from './common-messages.ts'
import { setLanguage } from './language.ts'
import { defineMessages, type Messages } from './messages.ts'

const definitions = import.meta.glob<Record<string, unknown>>(
  ['../**/i18n.ts', '../**/*-messages.ts', '../../{app,features}/**/{i18n,i18n/index}.ts'],
  { eager: true },
)
/** The sources are read as text: importing hundreds of unused modules would take longer than the tests. */
const SOURCES = join(import.meta.dirname, '../..')
const sources = Object.fromEntries(
  globSync('**/*.{ts,tsx}', { cwd: SOURCES })
    .filter((name) => !/\.test\.|^features\/.*\/i18n\/(?!index)/.test(name))
    .map((name) => [`/src/${name}`, readFileSync(join(SOURCES, name), 'utf8')]),
)

interface Found {
  readonly file: string
  readonly name: string
  readonly messages: Messages<string>
}

/** Texts that every feature's messages include; no module defines messages with them alone. */
const common: Found = {
  file: '/src/shared/i18n/common-messages.ts',
  name: 'commonMessages',
  messages: defineMessages('common', commonTexts),
}

const all: readonly Found[] = [
  ...Object.entries(definitions).flatMap(([file, exports]) =>
    Object.entries(exports).flatMap(([name, value]) =>
      isMessages(value) ? [{ file, name, messages: value }] : [],
    ),
  ),
  common,
]

/** Every feature has them, by `defineFeatureMessages`. */
const SHARED_WORDS = new Set(['sharedMessages', 'commonMessages'])
/** Texts that are the same in every language. */
const NAMES = new Set(['ID', 'RPM', 'TPM', 'Bearer', 'Token', 'Responses', 'Messages', 'Gemini'])

it('finds the messages of every feature', () => {
  expect(all.map((found) => found.name)).toEqual(
    expect.arrayContaining(['sharedMessages', 'shellMessages', 'homeMessages']),
  )
  expect(new Set(all.map((found) => found.messages.namespace)).size).toBe(all.length)
})

it('finds every file that defines messages', () => {
  const defining = Object.entries(sources).filter(([, text]) => /= define(Feature)?Messages\(/.test(text))
  const known = Object.keys(definitions).map(addressOf)
  expect(defining.map(([path]) => addressOf(path)).filter((path) => !known.includes(path))).toEqual([])
})

describe.each(all.map((found) => [found.messages.namespace, found] as const))(
  'the messages of %s',
  (_namespace, found) => {
    const { en, zh } = found.messages.texts

    it('have the same keys in both languages', () => {
      expect(stems(zh)).toEqual(stems(en))
    })

    it('have the same placeholders', () => {
      const differing = Object.keys(en).filter(
        (key) => key in zh && String(places(en[key])) !== String(places(zh[key])),
      )
      expect(differing).toEqual([])
    })

    it('are not empty and are in the right language', () => {
      expect(Object.entries({ ...en, ...zh }).filter(([, text]) => text.trim() === '')).toEqual([])
      expect(Object.entries(en).filter(([, text]) => HAN.test(text))).toEqual([])
      expect(Object.entries(zh).filter(([, text]) => !isChinese(text))).toEqual([])
    })

    it('are all used', () => {
      const isUsed = usesIn(usersOf(found))
      expect(stems(en).filter((key) => !isUsed(key))).toEqual([])
    })
  },
)

it('follow the current language and its plural forms', async () => {
  const words = defineMessages('test', {
    en: { calls_one: '{{count}} call', calls_other: '{{count}} calls', hello: 'Hello, {{name}}' },
    zh: { calls_other: '{{count}} 次调用', hello: '{{name}}，您好' },
  })
  expect(words.t('calls', { count: 1 })).toBe('1 call')
  expect(words.t('calls', { count: 2 })).toBe('2 calls')
  await setLanguage('zh')
  expect(words.t('calls', { count: 1 })).toBe('1 次调用')
  expect(words.t('hello', { name: '<b>' })).toBe('<b>，您好')
  await setLanguage('en')
})

it('give a component the same function until the language changes', async () => {
  const words = defineMessages('test-use', { en: { hello: 'Hello' }, zh: { hello: '您好' } })
  const { result, rerender } = renderHook(() => words.use())
  const before = result.current
  rerender()
  expect(result.current).toBe(before)
  expect(before('hello')).toBe('Hello')
  await act(() => setLanguage('zh'))
  expect(result.current).not.toBe(before)
  expect(result.current('hello')).toBe('您好')
  await act(() => setLanguage('en'))
  expect(result.current).toBe(before)
})

const HAN = /\p{Script=Han}/u

/** Also true for texts without anything to translate: names, numbers, signs and placeholders. */
function isChinese(text: string): boolean {
  const words = text.replaceAll(/\{\{\w+\}\}/g, ' ').match(/\p{L}{2,}/gu) ?? []
  return HAN.test(text) || words.every((word) => NAMES.has(word))
}

function isMessages(value: unknown): value is Messages<string> {
  return typeof value === 'object' && value !== null && 'namespace' in value && 'texts' in value
}

/** Message keys without their plural suffixes. */
function stems(texts: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set(Object.keys(texts).map((key) => key.replace(/_(one|other)$/, '')))].sort()
}

function places(text: string | undefined): readonly string[] {
  return (text?.match(/\{\{\w+\}\}/g) ?? []).sort()
}

/**
 * The sources of all files that import these messages or are in their folder, without tests and definitions.
 */
function usersOf({ file, name }: Found): string {
  const own = addressOf(file)
  if (SHARED_WORDS.has(name)) return Object.values(sources).join('\n')
  const folder = own.replace(/(i18n\/index|[\w-]+)\.ts$/, '')
  return Object.entries(sources)
    .filter(
      ([path, text]) =>
        addressOf(path) !== own && (text.includes(name) || addressOf(path).startsWith(folder)),
    )
    .map(([, text]) => text)
    .join('\n')
}

/**
 * Normalises a path, so that it is the same whether it was given relative to a parent or to a sibling folder.
 */
function addressOf(path: string): string {
  return new URL(path, 'http://console/src/shared/i18n/').pathname
}

/** A key is used if it occurs as `'key'`, or if a template's fixed start or end matches it. */
function usesIn(source: string): (key: string) => boolean {
  const templates = [...source.matchAll(/`([\w.]*)\$\{[^`{}]*\}([\w.]*)`/g)]
  return (key) =>
    source.includes(`'${key}'`) ||
    templates.some(
      ([, start = '', end = '']) => start + end !== '' && key.startsWith(start) && key.endsWith(end),
    )
}
