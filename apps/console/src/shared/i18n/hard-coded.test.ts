import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/** Visible texts must be defined in `i18n.ts`; a text in a page itself would exist in one language only. */
const SOURCES = join(import.meta.dirname, '../..')

it('no page contains hard-coded text', { timeout: 60_000 }, async () => {
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
])('finds the text in %s', (source, words) => {
  expect(wordsIn('page.tsx', `const drawn = ${source}`)).toEqual(words)
})

it('ignores the files that define texts', () => {
  expect(wordsIn('features/x/i18n.ts', "const words = { hello: '你好' }")).toEqual([])
})

/** Attributes whose text is displayed or read out. */
const SPOKEN =
  /^(title|label|placeholder|alt|text|purpose|description|consequence|hint|empty|aria-(label|description|valuetext|roledescription))$/
const LETTERS = /\p{L}{2,}/u
const HAN = /\p{Script=Han}/u
/** Files that define texts, including a feature's title beside its path; and files with example code. */
const DEFINITIONS = /(^|\/)(i18n|i18n\/[\w-]+|feature|[\w-]*-messages|[\w-]*examples)\.ts$/
/** Several words that start like a sentence count as visible text, wherever they are. */
const SENTENCE = /^\s*\p{Lu}\p{Ll}*’?\p{Ll}*(?: [\p{L}’-]{2,}[,:]?)+[.?!…]?\s*$/u
/** Names that are the same in every language; languages are shown under their own names. */
const NAMES = new Set(['RPM', 'TPM', 'Tollgate', 'Ctrl K', '中文', 'global', 'Linux DO', 'JSON', 'English'])
/** Sample values for fields, and the non-breaking space. */
const SAMPLE = /^(https:\/\/|\{"|\{api_key|x-api-key|gpt-|sk-|org-|&nbsp;)/

/** A node of the syntax tree. */
interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** A member of a node or of a nested object: `name` of an attribute, `cooked` of a template element. */
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

/** Every text in a file, and whether it is displayed directly: between tags, or in a displayed attribute. */
function* literals(node: Node, isShown: boolean): Generator<Literal> {
  if (node.type === 'JSXText' || (node.type === 'Literal' && typeof node['value'] === 'string'))
    yield { text: String(node['value']), isShown: isShown || node.type === 'JSXText' }
  if (node.type === 'TemplateElement') yield { text: String(memberOf(node['value'], 'cooked')), isShown }
  if (isPair(node) || isForTheLog(node)) return
  for (const [member, child] of members(node)) yield* literals(child, isShownIn(node, member, isShown))
}

/** `{ en: …, zh: … }`: the text in both languages, side by side. */
function isPair(node: Node): boolean {
  const keys = [...members(node)].map(([, child]) => memberOf(child['key'], 'name'))
  return node.type === 'ObjectExpression' && ['en', 'zh'].every((language) => keys.includes(language))
}

/** Error messages are read by developers, so they need no translation. */
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

/**
 * `{ title: 'Name' }`, which some component displays; message keys begin with a lower-case letter instead.
 */
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
