import { problem } from '@tollgate/problems/problem'
import { boundaryOf, headersOf } from './form-headers.ts'

/**
 * A `multipart/form-data` body split into parts without copying: the parts are views of the received bytes.
 */
export interface Form {
  /** The boundary occurs in no part, so it can be used again when the form is written. */
  readonly boundary: string
  readonly parts: readonly FormPart[]
}

export interface FormPart {
  readonly name: string
  /** Set only for files. */
  readonly fileName: string | undefined
  readonly type: string | undefined
  readonly content: Buffer
}

const PARTS_MAX = 128
const HEAD_BYTES_MAX = 8 * 1024
/** Maximum bytes of a text field; nobody types more. */
const TEXT_BYTES_MAX = 1024 * 1024

/**
 * Reads a form according to RFC 7578. Throws a problem for a body that is not a form, or that could be read
 * in two ways.
 */
export function readForm(bytes: Buffer, contentType: string): Form {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) throw problem('form_needed')
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const parts: FormPart[] = []
  let at = openingEnd(bytes, delimiter)
  while (!isLast(bytes, at)) {
    if (parts.length === PARTS_MAX) throw problem('member_too_long', { param: 'form', max: PARTS_MAX })
    const start = lineEnd(bytes, at)
    const end = bytes.indexOf(delimiter, start - 2)
    if (end < 0) throw problem('form_invalid')
    parts.push(partOf(bytes, start, Math.max(start, end)))
    at = end + delimiter.length
  }
  return { boundary, parts }
}

/**
 * Returns the text fields of a form by name; a name that occurs several times has a list of its values. Files
 * are left out.
 */
export function textsOf({ parts }: Form): Record<string, unknown> {
  const texts = new Map<string, string[]>()
  for (const { name, fileName, content } of parts) {
    if (fileName !== undefined) continue
    if (content.length > TEXT_BYTES_MAX) throw problem('member_invalid', { param: name })
    const known = texts.get(name)
    if (known === undefined) texts.set(name, [content.toString()])
    else known.push(content.toString())
  }
  return Object.fromEntries([...texts].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

/**
 * Writes the form with changed text fields, as the pieces of a body. Unchanged parts are the same views that
 * were read. A changed field keeps its place; new ones come first.
 */
export function writeForm({ boundary, parts }: Form, texts: Readonly<Record<string, unknown>>): Buffer[] {
  const pieces: Buffer[] = []
  const reported = new Set<string>()
  const put = (head: string, content: Buffer) =>
    void pieces.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), content, CRLF)
  const known = new Set(parts.map(({ name }) => name))
  for (const [name, value] of Object.entries(texts)) {
    if (!known.has(name)) for (const each of valuesOf(value)) put(headOf(name), Buffer.from(each))
  }
  for (const part of parts) {
    const { name, fileName, type, content } = part
    if (fileName !== undefined) put(headOf(name, fileName, type), content)
    else if (!reported.has(name))
      for (const each of valuesOf(texts[name])) put(headOf(name), Buffer.from(each))
    reported.add(name)
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return pieces
}

const CRLF = Buffer.from('\r\n')

function valuesOf(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.flatMap(valuesOf)
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}

function headOf(name: string, fileName?: string, type?: string): string {
  const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`
  const kind = type === undefined ? '' : `\r\ncontent-type: ${type}`
  return `content-disposition: form-data; name="${quoted(name)}"${file}${kind}`
}

/**
 * Escapes a name as browsers do.
 * https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
function quoted(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** Position after the first delimiter. It may be at the very start, or after a preamble, which is ignored. */
function openingEnd(bytes: Buffer, delimiter: Buffer): number {
  const bare = delimiter.subarray(2)
  if (bytes.indexOf(bare) === 0) return bare.length
  const at = bytes.indexOf(delimiter)
  if (at < 0) throw problem('form_invalid')
  return at + delimiter.length
}

function isLast(bytes: Buffer, at: number): boolean {
  return bytes[at] === DASH && bytes[at + 1] === DASH
}

const DASH = 0x2d
const BLANK: ReadonlySet<number | undefined> = new Set([0x20, 0x09])

/** Position after the line break that ends a delimiter; only spaces may precede the line break. */
function lineEnd(bytes: Buffer, from: number): number {
  let at = from
  while (BLANK.has(bytes[at])) at++
  if (bytes[at] !== 0x0d || bytes[at + 1] !== 0x0a) throw problem('form_invalid')
  return at + 2
}

function partOf(bytes: Buffer, start: number, end: number): FormPart {
  const isBare = bytes[start] === 0x0d && bytes[start + 1] === 0x0a
  const headEnd = isBare ? start : bytes.indexOf('\r\n\r\n', start)
  if (isBare || headEnd < 0 || headEnd + 4 > end || headEnd - start > HEAD_BYTES_MAX)
    throw problem('form_invalid')
  const head = headersOf(bytes.toString('utf8', start, headEnd))
  if (head === undefined) throw problem('form_invalid')
  return { ...head, content: bytes.subarray(headEnd + 4, end) }
}
