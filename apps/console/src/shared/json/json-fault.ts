import { jsonMessages } from './json-messages.ts'
import { type JsonPath, type JsonScan, scanJson } from './json-scan.ts'

/** Describes the first error in a JSON text, with line and column; `undefined` if the text is valid. */
export function jsonFaultText(text: string): string | undefined {
  const { fault } = scanJson(text)
  return fault && textAt(text, fault.at, jsonMessages.t(fault.kind, { found: foundAt(text, fault.at) }))
}

/** Like `jsonFaultText`, but accepts an empty text, and otherwise requires an object. */
export function jsonObjectFaultText(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const start = text.search(/\S/)
  return (
    jsonFaultText(text) ?? (text[start] === '{' ? undefined : textAt(text, start, jsonMessages.t('object')))
  )
}

/**
 * Describes the value at which a schema rejected valid JSON; if `path` does not exist in the text, the
 * nearest existing value.
 */
export function refusedText(text: string, path: JsonPath): string | undefined {
  const scan = scanJson(text)
  if (scan.fault !== undefined) return jsonFaultText(text)
  const at = nearest(scan, path)
  return at === undefined
    ? undefined
    : textAt(text, at, jsonMessages.t('refused', { found: foundAt(text, at) }))
}

function nearest(scan: JsonScan, path: JsonPath): number | undefined {
  for (let length = path.length; length >= 0; length--) {
    const at = scan.placeOf(path.slice(0, length))
    if (at !== undefined) return at
  }
  return undefined
}

function textAt(text: string, at: number, what: string): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = at - before.lastIndexOf('\n')
  return jsonMessages.t('place', { line, column, what })
}

const FOUND_MAX = 24
const WORD = /"(?:[^"\\\n]|\\.)*"|[\w.+-]+|\S/uy

/** The word or character at this offset. */
function foundAt(text: string, at: number): string {
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0]
  if (word === undefined) return jsonMessages.t('end')
  return word.length > FOUND_MAX ? `${word.slice(0, FOUND_MAX)}…` : word
}
