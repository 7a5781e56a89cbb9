import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../../..')

/** Sources that handle data from callers and upstreams. */
const DATA_PLANE = [
  'packages/dialects/src',
  'packages/providers/src',
  'packages/egress/src',
  'packages/kit/src',
  'packages/problems/src',
  'apps/server/src/relay',
  'apps/server/src/snapshots',
  'apps/server/src/tasks',
  'apps/server/src/edge',
] as const

export interface FoundPattern {
  /** File and line: `packages/kit/src/ids.ts:7`. */
  readonly place: string
  readonly source: string
  readonly flags: string
}

export function dataPlaneFiles(): readonly string[] {
  const files = DATA_PLANE.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
  return files.filter((file) => !file.endsWith('.test.ts')).toSorted()
}

/** Every regular expression literal in the sources of the data plane. */
export function findPatterns(): readonly FoundPattern[] {
  return dataPlaneFiles().flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return patternsIn(text).map(({ at, ...pattern }) => ({
      ...pattern,
      place: `${relative('.', file)}:${text.slice(0, at).split('\n').length}`,
    }))
  })
}

/** Files that build a regular expression from a string at run time. */
export function filesMakingPatterns(): readonly string[] {
  return dataPlaneFiles().filter((file) => /\bRegExp\(/.test(readFileSync(join(ROOT, file), 'utf8')))
}

/**
 * After one of these characters a slash is a division; after anything else it begins a regular expression.
 */
const VALUE_END = /[\w$)\]}'"`]/
/** After one of these keywords a slash begins a regular expression although they end in a letter. */
const WORD_BEFORE = /(?:^|[^\w$.])(?:return|typeof|case|of|in|do|else|void|await|yield|throw)$/

/**
 * A minimal TypeScript scanner: it recognises comments, strings, templates and regular expressions, nothing
 * else.
 */
export function patternsIn(text: string): readonly { source: string; flags: string; at: number }[] {
  const found: { source: string; flags: string; at: number }[] = []
  /** Brace depth at which each open template string continues. */
  const templates: number[] = []
  let braces = 0
  let before = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === '/' && text[at + 1] === '/') at = endOf(text, '\n', at) - 1
    else if (sign === '/' && text[at + 1] === '*') at = endOf(text, '*/', at) + 1
    else if (sign === '"' || sign === "'") {
      at = endOfText(text, at)
      before += sign
    } else if (sign === '`') {
      at = endOfTemplate(text, at + 1)
      if (text[at] === '{') templates.push(braces++)
      else before += sign
    } else if (sign === '}' && templates.at(-1) === braces - 1) {
      braces--
      at = endOfTemplate(text, at + 1)
      if (text[at] === '{') braces++
      else {
        templates.pop()
        before += '`'
      }
    } else if (sign === '/' && !endsValue(before)) {
      const end = endOfPattern(text, at)
      const flags = /^[a-z]*/.exec(text.slice(end + 1))?.[0] ?? ''
      found.push({ source: text.slice(at + 1, end), flags, at })
      at = end + flags.length
      before += ')'
    } else {
      if (sign === '{') braces++
      if (sign === '}') braces--
      before = before.slice(-40) + sign
    }
  }
  return found
}

function endsValue(before: string): boolean {
  const trimmed = before.trimEnd()
  return VALUE_END.test(trimmed.at(-1) ?? '') && !WORD_BEFORE.test(trimmed)
}

function endOf(text: string, sign: string, from: number): number {
  const end = text.indexOf(sign, from)
  return end < 0 ? text.length : end
}

function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1
  return at
}

/** Index of the closing backtick, or of the brace that opens an expression. */
function endOfTemplate(text: string, start: number): number {
  let at = start
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '$' && text[at + 1] === '{') return at + 1
    at += text[at] === '\\' ? 2 : 1
  }
  return at
}

function endOfPattern(text: string, start: number): number {
  let isClass = false
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '[') isClass = true
    else if (sign === ']') isClass = false
    else if (sign === '/' && !isClass) return at
  }
  throw new Error(`a pattern without an end: ${text.slice(start, start + 40)}`)
}
