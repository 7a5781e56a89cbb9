import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/** Words on screen come from `i18n.ts`: none stand in the pages themselves, where they would have one language. */
const SOURCES = join(import.meta.dirname, '../..')

it('no screen has words of its own', { timeout: 60_000 }, async () => {
  const found: string[] = []
  let files = 0
  for await (const name of glob('**/*.{ts,tsx}', { cwd: SOURCES })) {
    if (/\.test\.|\.d\.ts$/.test(name)) continue
    files++
    const words = wordsIn(name, readFileSync(join(SOURCES, name), 'utf8'))
    found.push(...words.map((text) => `${name}: ${text}`))
  }
  expect(files).toBeGreaterThan(300)
  expect(found).toEqual([])
})

it.each([
  ['<p>Hello there</p>', ['Hello there']],
  ['<p>{`Hello ${name}`}</p>', ['Hello ']],
  ["<p>{isOn ? 'On' : t('off')}</p>", ['On']],
  ['<button title="Close it" className="wide" />', ['Close it']],
  ["<button aria-label={isOpen ? 'Close' : t('open')} />", ['Close']],
  ["<p>{t('greeting')} · {count}%</p>", []],
  ["<Status tone={isOn ? 'ok' : 'act'} label={t('on')} />", []],
  ["notifyFailure('没有权限')", ['没有权限']],
  ["notifySuccess('Saved at once')", ['Saved at once']],
  ["<p>{'Hello ' + name}</p>", ['Hello ']],
  ['<Card heading="Hello there" className="wide card" />', ['Hello there']],
  ["{ title: 'Name', key: 'name' }", ['Name']],
  ["(() => { throw new Error('No such page here') })()", []],
])('sees what is written in %s', (source, words) => {
  expect(wordsIn('page.tsx', `const drawn = ${source}`)).toEqual(words)
})

it('lets definitions of words be', () => {
  expect(wordsIn('features/x/i18n.ts', "const words = { hello: '你好' }")).toEqual([])
})

/** Attributes that are read or heard. */
const SPOKEN =
  /^(title|label|placeholder|alt|text|purpose|description|consequence|hint|empty|aria-(label|description|valuetext|roledescription))$/
const LETTERS = /\p{L}{2,}/u
const HAN = /\p{Script=Han}/u
/** Where words are defined, a feature's title beside its path among them; and code that is shown as an example. */
const DEFINITIONS = /(^|\/)(i18n|feature|[\w-]*-messages|[\w-]*examples)\.ts$/
/** Several words that begin like a sentence are meant for people, wherever they stand. */
const SENTENCE = /^\s*\p{Lu}\p{Ll}*’?\p{Ll}*(?: [\p{L}’-]{2,}[,:]?)+[.?!…]?\s*$/u
/** The names of things, the same in every language; a language is named in its own. */
const NAMES = new Set(['RPM', 'TPM', 'Tollgate', 'Ctrl K', '中文', 'global', 'Linux DO', 'JSON', 'English'])
/** What a field is filled with, and a space that is none. */
const SAMPLE = /^(https:\/\/|\{"|\{api_key|x-api-key|gpt-|sk-|org-|&nbsp;)/

/** A node of the syntax tree. */
interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** A member of a node, or of what is one: `name` of an attribute, `cooked` of a template's piece. */
function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined
}

function wordsIn(name: string, source: string): string[] {
  if (DEFINITIONS.test(name)) return []
  const { program } = parseSync(name, source)
  if (!isNode(program)) throw new Error(`${name} cannot be read`)
  return [...literals(program, false)]
    .filter(({ text, isShown }) => HAN.test(text) || SENTENCE.test(text) || (isShown && LETTERS.test(text)))
    .map(({ text }) => text)
    .filter((text) => !NAMES.has(text.trim()) && !SAMPLE.test(text))
}

interface Literal {
  readonly text: string
  readonly isShown: boolean
}

/** Every text of a file, and whether it is drawn as it stands: between tags, or in an attribute that is read. */
function* literals(node: Node, isShown: boolean): Generator<Literal> {
  if (node.type === 'JSXText' || (node.type === 'Literal' && typeof node['value'] === 'string'))
    yield { text: String(node['value']), isShown: isShown || node.type === 'JSXText' }
  if (node.type === 'TemplateElement') yield { text: String(memberOf(node['value'], 'cooked')), isShown }
  if (isPair(node) || isForTheLog(node)) return
  for (const [member, child] of members(node)) yield* literals(child, isShownIn(node, member, isShown))
}

/** `{ en: …, zh: … }`: both languages, side by side. */
function isPair(node: Node): boolean {
  const keys = [...members(node)].map(([, child]) => memberOf(child['key'], 'name'))
  return node.type === 'ObjectExpression' && ['en', 'zh'].every((language) => keys.includes(language))
}

/** What a fault says is read by whoever mends it. */
function isForTheLog(node: Node): boolean {
  if (node.type === 'NewExpression') return String(memberOf(node['callee'], 'name')).endsWith('Error')
  return node.type === 'CallExpression' && memberOf(node['callee'], 'name') === 'invariant'
}

function isShownIn(node: Node, member: string, isShown: boolean): boolean {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return member === 'children'
  if (node.type === 'JSXAttribute') return SPOKEN.test(String(memberOf(node['name'], 'name')))
  if (isWord(node)) return member === 'value'
  if (node.type === 'ConditionalExpression') return isShown && member !== 'test'
  if (node.type === 'LogicalExpression') return isShown && member === 'right'
  return (
    isShown &&
    ['JSXExpressionContainer', 'TemplateLiteral', 'ParenthesizedExpression', 'BinaryExpression'].includes(
      node.type,
    )
  )
}

/** `{ title: 'Name' }`, which some component draws; keys of words begin small. */
function isWord(node: Node): boolean {
  if (node.type !== 'Property' || !SPOKEN.test(String(memberOf(node['key'], 'name')))) return false
  return /^\p{Lu}/u.test(String(memberOf(node['value'], 'value')))
}

function* members(node: Node): Generator<readonly [string, Node]> {
  for (const [name, value] of Object.entries(node)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const item of items) if (isNode(item)) yield [name, item]
  }
}
