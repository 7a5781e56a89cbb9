import { jsonMessages } from './json-messages.ts'
import { type JsonPath, type JsonScan, scanJson } from './json-scan.ts'

/** What is wrong with a text that should be JSON, by line and column; `undefined` when nothing is. */
export function jsonFaultText(text: string): string | undefined {
  const { fault } = scanJson(text)
  return fault && textAt(text, fault.at, jsonMessages.t(fault.kind, { found: foundAt(text, fault.at) }))
}

/** The same of a text that may be empty, else must be an object. */
export function jsonObjectFaultText(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const start = text.search(/\S/)
  return (
    jsonFaultText(text) ?? (text[start] === '{' ? undefined : textAt(text, start, jsonMessages.t('object')))
  )
}

/** Of JSON that a schema refused: the value it stumbled over, or the nearest that stands in the text. */
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

/** The word or sign that stands there. */
function foundAt(text: string, at: number): string {
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0]
  if (word === undefined) return jsonMessages.t('end')
  return word.length > FOUND_MAX ? `${word.slice(0, FOUND_MAX)}…` : word
}
