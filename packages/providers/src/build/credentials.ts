import { problem } from '@tollgate/kit/problem'
import type { Credentials, HeaderWriter } from '../provider.ts'
import { readZhipuKey } from '../sign/zhipu-jwt.ts'

/** What may stand in a header. */
const PRINTABLE = /^[\x21-\x7e]+$/

/** One key of any shape. */
export const apiKey: Credentials = keyLike('sk-…')

/** One key, with the hint the form shows. */
export function keyLike(hint: string): Credentials {
  return { hint, check: (key) => requireRight(PRINTABLE.test(key), hint) }
}

/** For upstreams in one's own house: any key, or a blank one. */
export const anyKey: Credentials = {
  hint: 'any',
  check: (key) => requireRight(key.trim() === '' || PRINTABLE.test(key), 'any'),
}

/** Parts joined by `|`, for example `keyParts('token|appid', 1, 2)`. Each part must say something. */
export function keyParts(hint: string, least: number, most: number): Credentials {
  return keyPartsEither(
    hint,
    Array.from({ length: most - least + 1 }, (_, more) => least + more),
  )
}

/** The same, for so many parts or so many. */
export function keyPartsEither(hint: string, counts: readonly number[]): Credentials {
  return {
    hint,
    check: (key) => {
      const parts = key.split('|')
      requireRight(counts.includes(parts.length) && parts.every((part) => PRINTABLE.test(part)), hint)
    },
  }
}

/** An id and a secret, joined by a dot. */
export const zhipuKey: Credentials = {
  hint: 'id.secret',
  check: (key) => requireRight(PRINTABLE.test(key) && readZhipuKey(key) !== undefined, 'id.secret'),
}

/** One part of a composite key, counted from 0; empty when it has fewer. */
export function keyPart(key: string, index: number): string {
  return key.split('|')[index] ?? ''
}

function requireRight(isRight: boolean, hint: string): void {
  if (!isRight) throw problem('channel_key_invalid', { hint })
}

/** `Authorization: Bearer <key>`, and whatever else the vendor wants. */
export function bearer(more?: HeaderWriter): HeaderWriter {
  return (upstream, outgoing) => {
    const authorization = `Bearer ${upstream.key}`
    return more === undefined ? { authorization } : { authorization, ...more(upstream, outgoing) }
  }
}
