import { expect, it } from 'vitest'
import { textFiles } from '../../text/files.mjs'
import { fillTables, tableWords } from './tables.mjs'

const files = [...textFiles()]
const textOf = (path) => files.find((file) => file.path === path)?.text
const translated = files
  .filter(({ path }) => path.startsWith('site/zh/reference/') || path.startsWith('site/zh/guides/add-'))
  .map((file) => ({ name: file.path.slice('site/zh/'.length), ...fillTables(file, files) }))

it('every table of a Chinese reference page has Chinese words (see scripts/site/zh/words)', () => {
  expect(translated.filter(({ name }) => name in tableWords)).toHaveLength(Object.keys(tableWords).length)
  expect(translated.flatMap(({ name, missing }) => missing.map((each) => `${name}: ${each}`))).toEqual([])
})

it('no Chinese words are left over from a row or a text that is gone', () => {
  for (const { name, used } of translated) {
    const { rows = {}, texts = {} } = tableWords[name] ?? {}
    const unused = [...Object.keys(rows), ...Object.keys(texts)].filter((key) => !used.has(key))
    expect(unused, name).toEqual([])
  }
})

it.each(translated.map(({ name, text }) => [name, text]))(
  '%s has all names, numbers, samples, rows and headings of the English page',
  (name, chinese) => {
    const english = textOf(`docs/${name}`)
    for (const part of [codeSpans, samples])
      expect(withoutThoseOf(part(chinese), part(english)), part.name).toEqual([])
    const numbersInProse = numbers(english.replaceAll(FENCE, '').replaceAll(CODE, ''))
    expect(withoutThoseOf(numbers(chinese), numbersInProse), 'numbers').toEqual([])
    expect(rowsAndHeadings(chinese)).toEqual(rowsAndHeadings(english))
  },
)

it('words of a row have the numbers and names of its English text', () => {
  const missing = translated.flatMap(({ name }) =>
    Object.entries(tableWords[name]?.rows ?? {}).flatMap(([row, chinese]) => {
      const line = textOf(`docs/${name}`)
        .split('\n')
        .find((each) => /^(?:- |\| )`([^`]+)`/.exec(each)?.[1] === row)
      const english = line.split(' | ').at(-1).replace(`\`${row}\``, '')
      const parts = english.match(/\b(?:\d[\d,]*|[A-Z]+_[A-Z_]+)\b/g) ?? []
      return parts.filter((part) => !chinese.includes(part)).map((part) => `${row}: ${part}`)
    }),
  )
  expect(missing).toEqual([])
})

function withoutThoseOf(chinese, english) {
  return [...new Set(english)].filter((each) => !chinese.includes(each))
}

const FENCE = /^```.*\n[\s\S]*?^```$/gm
const CODE = /`[^`\n]+`/g

function samples(page) {
  return page.match(FENCE) ?? []
}

function codeSpans(page) {
  return page.replaceAll(FENCE, '').match(CODE) ?? []
}

/** Numbers such as limits and statuses; not those in names like `GPT-5`, nor in targets of links. */
function numbers(page) {
  const text = page.replaceAll(/\]\([^)]+\)/g, '').replaceAll(/(?<=\d),(?=\d{3})/g, '')
  return text.match(/(?<![\w.-])\d+(?:\.\d+)?(?![\w.-]*[a-z])/g) ?? []
}

/** The beginnings of the lines that give a page its structure, in order. */
function rowsAndHeadings(page) {
  const lines = page.replaceAll(FENCE, '').match(/^(?:#+ |\| |\|-|- |\d\. )/gm) ?? []
  return lines.join('')
}
