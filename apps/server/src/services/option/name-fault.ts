import type { OptionKey } from '@tollgate/contract/options/index'

/**
 * What is wrong with the names in a JSON setting that somebody saves: the name, in quotes. Stored settings are not checked,
 * so that an old one is not lost as a whole. The text must be JSON.
 */
export function findNameFault(key: OptionKey, text: string): string | undefined {
  const name = findBadName(text, key === 'GroupRatio' ? isListedName : isSafeName)
  return name === undefined ? undefined : JSON.stringify(name)
}

/** These would reach the prototype of an object, so they are never kept. */
const UNSAFE: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function isSafeName(name: string): boolean {
  return !UNSAFE.has(name)
}

/** Channels and tokens separate groups by commas, so no channel could name such a group. */
function isListedName(name: string): boolean {
  return isSafeName(name) && !/[,，\r\n]/.test(name)
}

/** The first name that an object has twice, of which `JSON.parse` would keep the last, or that is not allowed. */
function findBadName(text: string, isAllowed: (name: string) => boolean): string | undefined {
  const scopes: Set<string>[] = []
  let lastText = ''
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/gs)) {
    if (token === '{' || token === '[') scopes.push(new Set())
    else if (token === '}' || token === ']') scopes.pop()
    else if (token !== ':') lastText = token
    else {
      const name: unknown = JSON.parse(lastText)
      const names = scopes.at(-1)
      if (typeof name !== 'string' || names === undefined) continue
      if (names.has(name.trim()) || !isAllowed(name)) return name
      names.add(name.trim())
    }
  }
  return undefined
}
