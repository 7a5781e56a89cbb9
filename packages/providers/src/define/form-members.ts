import type { Ask } from '@tollgate/dialects/dialect'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { FormPart } from '@tollgate/dialects/media/form'
import { parseText } from '@tollgate/dialects/json-limits'
import { problem } from '@tollgate/problems/problem'
import type { Body } from '../quirks/body.ts'

/** Form fields that stay texts even if they look like numbers. */
const WORDS: ReadonlySet<string> = new Set(['model', 'prompt', 'negative_prompt', 'user', 'size', 'quality'])
/** A text that stands for something else in JSON: a number, a boolean, an object or a list. */
const NO_TEXT = /^\s*(?:-?\d{1,15}(?:\.\d{1,9})?|true|false|[[{][^]*[\]}])\s*$/

/**
 * Returns the members of a request. Fields of a form are converted to what a JSON body would have; files
 * become data URLs, and `image[]` becomes `image`.
 */
export function membersOf({ form, body }: Ask): Body {
  if (form === undefined) return body
  const texts = Object.entries(body).map(([name, value]) => [bare(name), valueOf(name, value)] as const)
  const files = Map.groupBy(
    form.parts.filter(({ fileName }) => fileName !== undefined),
    ({ name }) => bare(name),
  )
  const data = [...files].map(([name, parts]) => {
    const urls = parts.map(dataUrlOf)
    return [name, urls.length === 1 ? urls[0] : urls] as const
  })
  return Object.fromEntries([...texts, ...data])
}

function bare(name: string): string {
  return name.replace(/\[\]$/, '')
}

function valueOf(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || WORDS.has(name) || !NO_TEXT.test(value)) return value
  const parsed = parseText(value)
  return parsed === undefined ? value : parsed
}

/**
 * Vendors refuse a media type that the bytes contradict, so the type detected from the bytes overrides the
 * declared one.
 */
function dataUrlOf({ type, content }: FormPart): string {
  const mediaType = mediaTypeOf(content) ?? type ?? ''
  if (!mediaType.startsWith('image/')) throw problem('media_no_image', { type: mediaType })
  return `data:${mediaType};base64,${content.toString('base64')}`
}
