import type { Ask } from '@tollgate/dialects/dialect'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { writeForm } from '@tollgate/dialects/media/form'
import { invariant } from '@tollgate/kit/invariant'
import type { Endpoint, Outgoing } from '../provider.ts'

/**
 * The client's original buffer when nothing had to change; a list of buffers for a form, so that its files
 * are not copied.
 */
export type SentBody = Buffer | readonly Buffer[]

/** A form is re-encoded around its files; the file contents are not copied. */
export function bodyOf(ask: Ask, body: Outgoing['body'], { takesFile, takesForms }: Endpoint): SentBody {
  if (takesFile === true) return fileIn(ask)
  if (ask.form !== undefined && takesForms === false) return Buffer.from(JSON.stringify(body))
  return ask.form === undefined ? encodeBody(ask, body) : writeForm(ask.form, body)
}

function fileIn({ form }: Ask): Buffer {
  const file = form?.parts.find(({ fileName }) => fileName !== undefined)
  invariant(file !== undefined, 'a form without its file was refused when it was read')
  return file.content
}

export function contentOf(
  { form }: Ask,
  body: SentBody,
  { takesFile }: Endpoint,
): Readonly<Record<string, string>> {
  if (takesFile === true) return { 'content-type': 'application/octet-stream' }
  if (form === undefined || Buffer.isBuffer(body)) return { 'content-type': 'application/json' }
  const bytes = body.reduce((sum, piece) => sum + piece.length, 0)
  return {
    'content-type': `multipart/form-data; boundary="${form.boundary}"`,
    'content-length': String(bytes),
  }
}

export function wholeOf(body: SentBody): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/** Unchanged members keep their original bytes, including white space. */
function encodeBody(ask: Ask, body: Outgoing['body']): Buffer {
  if (body === ask.body) return ask.bytes
  const set: Record<string, unknown> = {}
  let hasChange = false
  for (const [name, value] of Object.entries(body)) {
    if (Object.hasOwn(ask.body, name) && ask.body[name] === value) continue
    set[name] = value
    hasChange = true
  }
  const remove = Object.keys(ask.body).filter((name) => !Object.hasOwn(body, name))
  return hasChange || remove.length > 0
    ? spliceTopLevel(ask.bytes, { set, remove, members: ask.members })
    : ask.bytes
}
