import type { Ask } from '@tollgate/dialects/dialect'
import { mediaTypeOf } from '@tollgate/dialects/canonical/media-type'
import type { FormPart } from '@tollgate/dialects/media/form'
import { parseText } from '@tollgate/dialects/json-limits'
import { problem } from '@tollgate/kit/problem'
import type { Body } from '../quirks/body.ts'

/** Texts that mean what they say, also where they look like numbers. */
const WORDS: ReadonlySet<string> = new Set(['model', 'prompt', 'negative_prompt', 'user', 'size', 'quality'])
/** What a JSON body would have instead of a text: a number, a flag, an object or a list. */
const NO_TEXT = /^\s*(?:-?\d{1,15}(?:\.\d{1,9})?|true|false|[[{][^]*[\]}])\s*$/

/** The members of a call, those of a form as JSON would have them; files are data URLs, `image[]` is `image`. */
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

/** Vendors refuse a type that the bytes contradict, so what they show goes before what the sender says. */
function dataUrlOf({ type, content }: FormPart): string {
  const mediaType = mediaTypeOf(content) ?? type ?? ''
  if (!mediaType.startsWith('image/')) throw problem('media_no_image', { type: mediaType })
  return `data:${mediaType};base64,${content.toString('base64')}`
}
